//! The metrics of a consumer. Names and labels come from the configuration and from topics, never from records.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicI64, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use metrics::{Counter, Histogram, counter, histogram};
use redrive_core::{Span, Time};

use crate::log::TopicPartition;

/// Counters and gauges of a consumer. See `docs/kafka.md`.
#[derive(Debug)]
pub(crate) struct ConsumerNumbers {
    group: String,
    published: Counter,
    publish_failures: Counter,
    queue_wait: Histogram,
    end_to_end: Histogram,
    letters: AtomicU64,
    commits: AtomicU64,
    paused: AtomicUsize,
    committed_at: AtomicI64,
    /// The ends of the partitions, from the statistics of the client.
    ends: Mutex<BTreeMap<TopicPartition, i64>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RebalanceKind {
    Assign,
    Revoke,
    Lost,
}

impl ConsumerNumbers {
    pub(crate) fn new(group: &str) -> Self {
        let group = group.to_owned();
        Self {
            published: counter!("redrive_kafka_dlq_published_total", "group" => group.clone()),
            publish_failures: counter!("redrive_kafka_dlq_publish_failures_total", "group" => group.clone()),
            queue_wait: histogram!("redrive_kafka_queue_wait_seconds", "group" => group.clone()),
            end_to_end: histogram!("redrive_kafka_end_to_end_seconds", "group" => group.clone()),
            letters: AtomicU64::new(0),
            commits: AtomicU64::new(0),
            paused: AtomicUsize::new(0),
            committed_at: AtomicI64::new(i64::MIN),
            ends: Mutex::default(),
            group,
        }
    }

    pub(crate) fn processed(&self, result: &'static str, count: u64) {
        counter!("redrive_kafka_processed_total", "group" => self.group.clone(), "result" => result).increment(count);
    }

    pub(crate) fn retried(&self, attempt: u32) {
        // The label is bounded: later attempts are counted together.
        let attempt = if attempt < 10 { attempt.to_string() } else { "10+".to_owned() };
        counter!("redrive_kafka_retries_total", "group" => self.group.clone(), "attempt" => attempt).increment(1);
    }

    pub(crate) fn published(&self) {
        self.published.increment(1);
        self.letters.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn publish_failed(&self) {
        self.publish_failures.increment(1);
    }

    pub(crate) fn commit_failed(&self, reason: String) {
        counter!("redrive_kafka_commit_failures_total", "group" => self.group.clone(), "reason" => reason).increment(1);
    }

    pub(crate) fn committed(&self, now: Time) {
        self.commits.fetch_add(1, Ordering::Relaxed);
        self.committed_at.store(now.as_micros(), Ordering::Relaxed);
    }

    pub(crate) fn rebalanced(&self, kind: RebalanceKind) {
        let kind = match kind {
            RebalanceKind::Assign => "assign",
            RebalanceKind::Revoke => "revoke",
            RebalanceKind::Lost => "lost",
        };
        counter!("redrive_kafka_rebalances_total", "group" => self.group.clone(), "kind" => kind).increment(1);
    }

    pub(crate) fn waited(&self, span: Span) {
        self.queue_wait.record(seconds(span));
    }

    /// Records how long after its timestamp a record was done.
    pub(crate) fn ended(&self, span: Span) {
        self.end_to_end.record(seconds(span));
    }

    pub(crate) fn set_paused(&self, partitions: usize) {
        self.paused.store(partitions, Ordering::Relaxed);
    }

    pub(crate) fn paused(&self) -> usize {
        self.paused.load(Ordering::Relaxed)
    }

    pub(crate) fn set_ends(&self, ends: BTreeMap<TopicPartition, i64>) {
        *self.ends.lock().unwrap_or_else(PoisonError::into_inner) = ends;
    }

    pub(crate) fn end_of(&self, at: &TopicPartition) -> Option<i64> {
        self.ends.lock().unwrap_or_else(PoisonError::into_inner).get(at).copied()
    }

    pub(crate) fn letters(&self) -> u64 {
        self.letters.load(Ordering::Relaxed)
    }

    pub(crate) fn commits(&self) -> u64 {
        self.commits.load(Ordering::Relaxed)
    }

    pub(crate) fn committed_at(&self) -> Option<Time> {
        match self.committed_at.load(Ordering::Relaxed) {
            i64::MIN => None,
            micros => Some(Time::from_micros(micros)),
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "seconds need no microseconds beyond 2^53")]
pub(crate) fn seconds(span: Span) -> f64 {
    span.as_micros() as f64 / 1e6
}
