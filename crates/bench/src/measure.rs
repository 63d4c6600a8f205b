//! Rates of two pieces of work, measured in alternating slices.
//!
//! The speed of the machine changes during a measurement. Two long measurements one after the other would compare the
//! machine at two times; short alternating slices compare the two pieces of work.

use std::hint::black_box;
use std::time::{Duration, Instant};

use anyhow::Result;

/// The rates per second of both pieces of work, in the median run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rates {
    pub(crate) work: f64,
    pub(crate) reference: f64,
}

const RUNS: usize = 5;
const SLICES: u32 = 20;
const SLICE: Duration = Duration::from_millis(20);

/// Measures both alternately; each call of a closure counts as `batch` pieces of work.
pub(crate) fn side_by_side<W, R>(mut work: impl FnMut() -> W, mut reference: impl FnMut() -> R, batch: u32) -> Rates {
    // Warm up: the first calls build tables and fill caches.
    black_box(work());
    black_box(reference());
    let mut runs: Vec<Rates> = (0..RUNS).map(|_| run(&mut work, &mut reference, batch)).collect();
    runs.sort_by(|a, b| (a.work / a.reference).total_cmp(&(b.work / b.reference)));
    runs[RUNS / 2]
}

/// The median run by its ratio of value to reference.
pub(crate) fn median(mut runs: Vec<(f64, f64)>) -> (f64, f64) {
    runs.sort_by(|a, b| (a.0 / a.1).total_cmp(&(b.0 / b.1)));
    runs[runs.len() / 2]
}

/// Keeps the first error of repeated work.
pub(crate) fn keep_first_error(first: &mut Result<()>, result: Result<()>) {
    if first.is_ok() {
        *first = result;
    }
}

fn run<W, R>(work: &mut impl FnMut() -> W, reference: &mut impl FnMut() -> R, batch: u32) -> Rates {
    let mut totals = [Totals::default(); 2];
    for _ in 0..SLICES {
        totals[0].add_slice(work, batch);
        totals[1].add_slice(reference, batch);
    }
    Rates { work: totals[0].rate(), reference: totals[1].rate() }
}

#[derive(Debug, Clone, Copy, Default)]
struct Totals {
    done: f64,
    time: Duration,
}

impl Totals {
    #[expect(clippy::disallowed_methods, reason = "a benchmark is about real time")]
    fn add_slice<T>(&mut self, work: &mut impl FnMut() -> T, batch: u32) {
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
