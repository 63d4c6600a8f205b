//! Counts the allocations of the current thread.

use std::alloc::{GlobalAlloc, Layout};
use std::cell::Cell;

/// The allocator of the released program.
#[cfg(not(feature = "system-allocator"))]
use mimalloc::MiMalloc as Inner;
/// The allocator of programs that choose none.
#[cfg(feature = "system-allocator")]
use std::alloc::System as Inner;

thread_local!(static COUNT: Cell<u64> = const { Cell::new(0) });

/// The allocator, with a counter.
pub(crate) struct Counting;

fn count() {
    COUNT.with(|count| count.set(count.get() + 1));
}

// SAFETY: every call is forwarded unchanged to the allocator; the counter is a thread-local cell.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        unsafe { Inner.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count();
        unsafe { Inner.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        unsafe { Inner.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { Inner.dealloc(pointer, layout) }
    }
}

/// The number of allocations that the work makes on this thread.
pub(crate) fn during(work: impl FnOnce()) -> u64 {
    let before = COUNT.with(Cell::get);
    work();
    COUNT.with(Cell::get) - before
}
