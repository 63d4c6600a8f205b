//! The work of handlers that wait, as for a database.

use std::time::Duration;

use redrive_kafka::KafkaSettings;

use super::fixture::KafkaBench;

pub(super) const CONCURRENCY: usize = 100;
pub(super) const WORK: Duration = Duration::from_millis(5);

/// The settings of a consumer with that work.
pub(super) fn settings(bench: &KafkaBench, topic: &str) -> KafkaSettings {
    KafkaSettings { max_in_flight: CONCURRENCY, ..bench.cluster.settings(topic) }
}
