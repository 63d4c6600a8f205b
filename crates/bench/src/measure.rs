//! Rates of two pieces of work, measured in turns.
//!
//! The machine's speed changes while we look. Two long measurements one after the other would compare two
//! machines; short slices in turns compare two pieces of work.

use std::hint::black_box;
use std::time::{Duration, Instant};

use anyhow::Result;

/// How often both pieces of work were done in a second, in the median run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rates {
    pub(crate) work: f64,
    pub(crate) reference: f64,
}

const RUNS: usize = 5;
const SLICES: u32 = 20;
const SLICE: Duration = Duration::from_millis(20);

/// Measures both in turns; each call of a closure does `batch` of them.
pub(crate) fn side_by_side<W, R>(mut work: impl FnMut() -> W, mut reference: impl FnMut() -> R, batch: u32) -> Rates {
    // The first calls compile tables and warm caches.
    black_box(work());
    black_box(reference());
    let mut runs: Vec<Rates> = (0..RUNS).map(|_| run(&mut work, &mut reference, batch)).collect();
    runs.sort_by(|a, b| (a.work / a.reference).total_cmp(&(b.work / b.reference)));
    runs[RUNS / 2]
}

/// Keeps the first error of work that is done many times.
pub(crate) fn note(kept: &mut Result<()>, result: Result<()>) {
    if kept.is_ok() {
        *kept = result;
    }
}

fn run<W, R>(work: &mut impl FnMut() -> W, reference: &mut impl FnMut() -> R, batch: u32) -> Rates {
    let mut spent = [Tally::default(); 2];
    for _ in 0..SLICES {
        spent[0].slice(work, batch);
        spent[1].slice(reference, batch);
    }
    Rates { work: spent[0].rate(), reference: spent[1].rate() }
}

#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    done: f64,
    time: Duration,
}

impl Tally {
    #[expect(clippy::disallowed_methods, reason = "a benchmark is about real time")]
    fn slice<T>(&mut self, work: &mut impl FnMut() -> T, batch: u32) {
        let begin = Instant::now();
        while begin.elapsed() < SLICE {
            black_box(work());
            self.done += f64::from(batch);
        }
        self.time += begin.elapsed();
    }

    fn rate(self) -> f64 {
        self.done / self.time.as_secs_f64()
    }
}
