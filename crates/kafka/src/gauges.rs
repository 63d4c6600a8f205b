//! The gauges of a consumer, set from a snapshot.

use std::collections::BTreeSet;

use metrics::{Counter, counter, gauge};

use crate::log::TopicPartition;
use crate::numbers::seconds;
use crate::snapshot::ConsumerSnapshot;

/// The gauges of a partition.
const PARTITION_GAUGES: [&str; 6] = [
    "redrive_kafka_lag",
    "redrive_kafka_gaps",
    "redrive_kafka_epoch",
    "redrive_kafka_metadata_bytes",
    "redrive_kafka_blocking_offset",
    "redrive_kafka_blocking_seconds",
];

#[derive(Debug)]
pub(crate) struct Gauges {
    group: String,
    stale_results: Counter,
    restored_skipped: Counter,
    /// The counts that were last added to the two counters.
    counted: [u64; 2],
    /// The partitions whose gauges are set.
    partitions: BTreeSet<TopicPartition>,
}

impl Gauges {
    pub(crate) fn new(group: &str) -> Self {
        let group = group.to_owned();
        Self {
            stale_results: counter!("redrive_kafka_stale_results_dropped_total", "group" => group.clone()),
            restored_skipped: counter!("redrive_kafka_restored_skipped_total", "group" => group.clone()),
            counted: [0; 2],
            partitions: BTreeSet::new(),
            group,
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "a gauge has no use for the last digit")]
    pub(crate) fn publish(&mut self, snapshot: &ConsumerSnapshot) {
        let set = |name: &'static str, value: f64| gauge!(name, "group" => self.group.clone()).set(value);
        set("redrive_kafka_running", snapshot.running as f64);
        set("redrive_kafka_queued", snapshot.queued as f64);
        set("redrive_kafka_waiting_retry", snapshot.waiting as f64);
        set("redrive_kafka_dlq_pending", snapshot.dlq_pending as f64);
        set("redrive_kafka_bytes_held", snapshot.bytes as f64);
        set("redrive_kafka_paused_partitions", snapshot.paused_partitions as f64);
        set("redrive_kafka_commit_age_seconds", snapshot.commit_age.map_or(0.0, seconds));
        let assigned: BTreeSet<TopicPartition> =
            snapshot.partitions.iter().map(|partition| partition.at.clone()).collect();
        for gone in self.partitions.difference(&assigned) {
            self.publish_partition(gone, [0.0, 0.0, 0.0, 0.0, -1.0, 0.0]);
        }
        for partition in &snapshot.partitions {
            let blocking = partition.blocking.as_ref();
            let values = [
                partition.lag.unwrap_or(0) as f64,
                partition.gaps as f64,
                partition.epoch as f64,
                partition.metadata_bytes as f64,
                blocking.map_or(-1.0, |blocking| blocking.offset as f64),
                blocking.map_or(0.0, |blocking| seconds(blocking.age)),
            ];
            self.publish_partition(&partition.at, values);
        }
        self.partitions = assigned;
        let now = [snapshot.stale_results, snapshot.restored_skipped];
        let before = std::mem::replace(&mut self.counted, now);
        self.stale_results.increment(now[0].saturating_sub(before[0]));
        self.restored_skipped.increment(now[1].saturating_sub(before[1]));
    }

    fn publish_partition(&self, at: &TopicPartition, values: [f64; PARTITION_GAUGES.len()]) {
        for (name, value) in PARTITION_GAUGES.into_iter().zip(values) {
            let (topic, number) = (at.topic.to_string(), at.partition.to_string());
            gauge!(name, "group" => self.group.clone(), "topic" => topic, "partition" => number).set(value);
        }
    }
}
