//! The time of a statistics request, which must not depend on the number of letters.

use std::time::Instant;

use anyhow::{Result, ensure};
use redrive_core::Span;
use redrive_store::{Clock, ManualClock};

use super::caller::Caller;
use crate::figure::{Figure, Target};
use crate::measure::{micros_each, try_side_by_side};

const RUNS: usize = 5;
const UNIT: &str = "µs a call";
const MOST: Target = Target::AtMost(1000.0);

/// The statistics of many letters, compared with those of few.
pub(super) fn figure(many: &Caller, few: &Caller) -> Result<Figure> {
    let rates = try_side_by_side(|| many.stats(), || few.stats(), 1)?;
    Ok(Figure::of("statistics at 2 M", UNIT, micros_each(rates)).beside("at 10 k", MOST))
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
    Ok(Figure::of("statistics, 1 M overdue", UNIT, times[RUNS / 2]).beside("the second call", MOST))
}

/// The microseconds of one request, and the number of overdue letters in its reply.
fn timed(many: &Caller) -> Result<(f64, u64)> {
    let begin = Instant::now();
    let stats = many.stats()?;
    Ok((begin.elapsed().as_secs_f64() * 1e6, stats.overdue))
}
