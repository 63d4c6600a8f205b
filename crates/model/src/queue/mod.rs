//! The settings and counters of a queue.

mod lifetime_counts;
mod recent_rates;
mod settings;

pub use lifetime_counts::{
    EndReason, Event, FailureGroup, LetterCounts, LifetimeCounts, LiveCounts, add_to_group, remove_from_group,
};
pub use recent_rates::{RateEvent, RecentRates};
pub use settings::QueueSettings;
