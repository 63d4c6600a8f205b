//! When a queue is degraded: it has too many letters, old ones or damaged ones.

use redrive_core::Time;
use redrive_model::QueueStats;

use super::numbers::{oldest_pending, utilization_percent};
use crate::settings::Settings;

/// From this utilization on a queue is degraded, so that an operator can act before it is full and rejects captures.
const UTILIZATION_PERCENT: f64 = 80.0;

/// The reasons why a queue is degraded; empty if it is not.
pub(crate) fn degraded(stats: &QueueStats, settings: &Settings, now: Time) -> Vec<&'static str> {
    let is_deep = settings.degraded_depth.is_some_and(|most| stats.letters.live() > most);
    let is_old = settings.degraded_age.is_some_and(|most| oldest_pending(stats, now) > most);
    let is_full = utilization_percent(stats) >= UTILIZATION_PERCENT;
    let is_damaged = stats.partitions.iter().any(|partition| partition.damaged > 0);
    let all = [(is_deep, "depth"), (is_old, "age"), (is_full, "utilization"), (is_damaged, "damaged")];
    all.into_iter().filter(|(applies, _)| *applies).map(|(_, reason)| reason).collect()
}
