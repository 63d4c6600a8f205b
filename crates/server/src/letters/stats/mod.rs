//! `letters.stats`: the numbers of a queue's letters.

mod degraded;
mod numbers;
mod stats;

pub(crate) use degraded::degraded;
pub(crate) use numbers::{oldest_pending, planned_stats, unaccounted, utilization_percent};
pub(crate) use stats::Stats;
