//! Classification by built-in rules does not allocate: a flood of failures runs it for each of them.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use redrive_core::{Attempts, Classifier, Evidence, Failure, Policy, Time};

/// The system allocator, counting the allocations of the current thread.
struct Counting;

thread_local!(static ALLOCATIONS: Cell<u64> = const { Cell::new(0) });

// SAFETY: every call is forwarded unchanged to the system allocator; the counter is a plain cell of this thread.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations(work: impl FnOnce()) -> u64 {
    let before = ALLOCATIONS.with(Cell::get);
    work();
    ALLOCATIONS.with(Cell::get) - before
}

fn failures() -> Vec<Failure> {
    let texts =
        ["HTTP 429 Too Many Requests", "Read timed out", "SSLError: certificate expired", "boom", "no space left"];
    let mut failures: Vec<_> = texts.into_iter().map(Failure::new).collect();
    failures.push(Failure::typed(Evidence::http(503)));
    failures.push(Failure::new("x").with_evidence(Evidence::http(403)).caused_by(Failure::new("rate limit")));
    failures
}

#[test]
fn built_in_rules_allocate_nothing() {
    let failures = failures();
    let classifier = Classifier::built_in();
    assert_eq!(allocations(|| drop(std::hint::black_box(Box::new(1)))), 1, "the counter counts");
    // The tables are compiled on first use.
    classifier.classify(&failures[0], 1);
    for failure in &failures {
        let count = allocations(|| {
            std::hint::black_box(classifier.classify(failure, 1));
        });
        assert_eq!(count, 0, "{:?}", failure.error.message);
    }
}

#[test]
fn deciding_allocates_nothing() {
    let policy = Policy::builder().max_attempts(3).build().unwrap();
    for failure in &failures() {
        policy.decide(failure, Attempts::charged(1, Time::EPOCH), Time::EPOCH, 0);
        for attempts in 1..=3 {
            let count = allocations(|| {
                std::hint::black_box(policy.decide(failure, Attempts::charged(attempts, Time::EPOCH), Time::EPOCH, 0));
            });
            assert_eq!(count, 0, "{:?}", failure.error.message);
        }
    }
}
