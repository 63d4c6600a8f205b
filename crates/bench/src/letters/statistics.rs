//! The time of a statistics request, which must not depend on the number of letters.

use std::time::Instant;

use anyhow::{Result, ensure};
use redrive_core::Span;
use redrive_store::{Clock, ManualClock};

use super::caller::Caller;
use crate::figure::{Figure, Reference, Target};
use crate::measure::{keep_first_error, side_by_side};

const RUNS: usize = 5;
const UNIT: &str = "µs a call";
const MOST: Target = Target::AtMost(1000.0);

/// The statistics of many letters, compared with those of few.
pub(super) fn figure(many: &Caller, few: &Caller) -> Result<Figure> {
    let mut failed = Ok(());
    let mut failed_few = Ok(());
    let rates = side_by_side(
        || keep_first_error(&mut failed, many.stats().map(|_| ())),
        || keep_first_error(&mut failed_few, few.stats().map(|_| ())),
        1,
    );
    failed.and(failed_few)?;
    let reference = Reference { name: "at 10 k", value: 1e6 / rates.reference };
    Ok(Figure { name: "statistics at 2 M", value: 1e6 / rates.work, unit: UNIT, reference, target: MOST })
}

/// The first request after half of the letters became due, compared with the second one.
pub(super) fn overdue(many: &Caller, clock: &ManualClock) -> Result<Figure> {
    let early = clock.now();
    let late = early.saturating_add(Span::from_mins(10));
    let mut times = Vec::new();
    for _ in 0..RUNS {
        clock.set(early);
        ensure!(many.stats()?.overdue == 0, "letters are overdue before their time");
        clock.set(late);
        let (first, overdue) = timed(many)?;
        let (second, _) = timed(many)?;
        ensure!(overdue >= 999_900, "only {overdue} letters are overdue");
        times.push((first, second));
    }
    times.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (value, second) = times[RUNS / 2];
    let reference = Reference { name: "the second call", value: second };
    Ok(Figure { name: "statistics, 1 M overdue", value, unit: UNIT, reference, target: MOST })
}

/// The microseconds of one request, and the number of overdue letters in its reply.
#[expect(clippy::disallowed_methods, reason = "a benchmark is about real time")]
fn timed(many: &Caller) -> Result<(f64, u64)> {
    let begin = Instant::now();
    let stats = many.stats()?;
    Ok((begin.elapsed().as_secs_f64() * 1e6, stats.overdue))
}
