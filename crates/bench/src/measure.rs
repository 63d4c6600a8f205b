//! Rates of two pieces of work, measured in alternating slices.
//!
//! The speed of the machine changes during a measurement. Two long measurements one after the other would compare the
//! machine at two times; short alternating slices compare the two pieces of work.

use std::hint::black_box;
use std::time::{Duration, Instant};

use anyhow::Result;

const RUNS: usize = 5;
const SLICES: u32 = 20;
const SLICE: Duration = Duration::from_millis(20);

/// Measures both alternately; each call of a closure counts as `batch` pieces of work. Returns the rates per second of
/// both, in the median run.
pub(crate) fn side_by_side<W, R>(
    mut work: impl FnMut() -> W,
    mut reference: impl FnMut() -> R,
    batch: u32,
) -> (f64, f64) {
    // Warm up: the first calls build tables and fill caches.
    black_box(work());
    black_box(reference());
    median((0..RUNS).map(|_| run(&mut work, &mut reference, batch)).collect())
}

/// Like [`side_by_side`], for work that may fail. The first error of either is returned when both are measured.
pub(crate) fn try_side_by_side<W, R>(
    mut work: impl FnMut() -> Result<W>,
    mut reference: impl FnMut() -> Result<R>,
    batch: u32,
) -> Result<(f64, f64)> {
    let (mut failed, mut failed_reference) = (Ok(()), Ok(()));
    let rates = side_by_side(
        || keep_first_error(&mut failed, work()),
        || keep_first_error(&mut failed_reference, reference()),
        batch,
    );
    failed.and(failed_reference).map(|()| rates)
}

fn keep_first_error<T>(first: &mut Result<()>, result: Result<T>) {
    if first.is_ok() {
        *first = result.map(drop);
    }
}

/// The median run by its ratio of value to reference.
pub(crate) fn median(mut runs: Vec<(f64, f64)>) -> (f64, f64) {
    runs.sort_by(|a, b| (a.0 / a.1).total_cmp(&(b.0 / b.1)));
    runs[runs.len() / 2]
}

/// Measures a value and its reference this often. Returns the median run.
pub(crate) fn median_of(runs: usize, mut run: impl FnMut() -> Result<(f64, f64)>) -> Result<(f64, f64)> {
    Ok(median((0..runs).map(|_| run()).collect::<Result<_>>()?))
}

/// Rates per second as microseconds for each piece of work.
pub(crate) fn micros_each((value, reference): (f64, f64)) -> (f64, f64) {
    (1e6 / value, 1e6 / reference)
}

fn run<W, R>(work: &mut impl FnMut() -> W, reference: &mut impl FnMut() -> R, batch: u32) -> (f64, f64) {
    let mut totals = [Totals::default(); 2];
    for _ in 0..SLICES {
        totals[0].add_slice(work, batch);
        totals[1].add_slice(reference, batch);
    }
    (totals[0].rate(), totals[1].rate())
}

#[derive(Debug, Clone, Copy, Default)]
struct Totals {
    done: f64,
    time: Duration,
}

impl Totals {
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
