//! When the letters of a queue are too many, wait for too long, or are damaged.

use redrive_core::Time;
use redrive_model::QueueStats;

use super::numbers::{oldest_pending, utilization_percent};
use crate::settings::Settings;

/// From here on a queue is nearly full, and somebody should look before captures are refused.
const UTILIZATION_PERCENT: f64 = 80.0;

/// What is not as it should be; nothing, mostly.
pub(crate) fn degraded(stats: &QueueStats, settings: &Settings, now: Time) -> Vec<&'static str> {
    let is_deep = settings.degraded_depth.is_some_and(|most| stats.letters.live() > most);
    let is_old = settings.degraded_age.is_some_and(|most| oldest_pending(stats, now) > most);
    let is_full = utilization_percent(stats) >= UTILIZATION_PERCENT;
    let is_damaged = stats.partitions.iter().any(|partition| partition.damaged > 0);
    let all = [(is_deep, "depth"), (is_old, "age"), (is_full, "utilization"), (is_damaged, "damaged")];
    all.into_iter().filter(|(is_so, _)| *is_so).map(|(_, what)| what).collect()
}
