//! The thread that owns the member of the group: it polls, hands records over, and pauses.
//!
//! Pausing makes the client library drop what it has fetched ahead. So when too many records are open, the thread first
//! waits for a moment, and pauses only if that does not help. It polls while it is paused, to stay in the group.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rdkafka::Message;
use rdkafka::consumer::Consumer;
use rdkafka::error::KafkaError as ClientError;
use rdkafka::topic_partition_list::{Offset, TopicPartitionList};

use super::group::{Member, client_error, is_fatal};
use super::read::read;
use crate::KafkaSettings;
use crate::error::text;
use crate::log::TopicPartition;
use crate::record::Record;
use crate::shared::Shared;
use crate::trouble::TroubleKind;

/// How long a poll waits for a record. The thread notices a stop within this time.
const POLL: Duration = Duration::from_millis(100);
/// How long the thread waits for space before it pauses.
const PAUSE_AFTER: Duration = Duration::from_secs(1);
/// The most bytes of a batch, whatever the limits are.
const BATCH_BYTES_MAX: u64 = 8 << 20;

pub(super) struct PollThread {
    pub(super) member: Arc<Member>,
    pub(super) shared: Arc<Shared>,
    pub(super) batch_max: usize,
    /// The bytes after which a batch is handed over.
    batch_bytes_max: u64,
    pub(super) stop: Arc<AtomicBool>,
    paused: BTreeSet<TopicPartition>,
    /// The records that were polled, by partition.
    batch: Vec<BatchPart>,
    /// The index of the last record's partition.
    last: usize,
}

struct BatchPart {
    at: TopicPartition,
    epoch: Option<u64>,
    records: Vec<Record>,
}

impl PollThread {
    pub(super) fn new(
        member: Arc<Member>,
        shared: Arc<Shared>,
        settings: &KafkaSettings,
        stop: Arc<AtomicBool>,
    ) -> Self {
        let (batch_max, batch_bytes_max) = (settings.poll_batch_size, settings.queue_max_bytes.min(BATCH_BYTES_MAX));
        Self { member, shared, batch_max, batch_bytes_max, stop, paused: BTreeSet::new(), batch: Vec::new(), last: 0 }
    }

    /// Returns the member when the consumer stops.
    pub(super) fn run(mut self) -> Arc<Member> {
        while !self.stop.load(Ordering::Relaxed) {
            let is_over = self.shared.log().is_over() && !self.shared.wait_until(PAUSE_AFTER, |log| !log.is_over());
            self.apply_pauses(is_over);
            let is_idle = self.poll_batch() == 0;
            if is_idle {
                self.note_positions();
            }
        }
        self.member
    }

    /// Takes records over until there are none, or the batch is full.
    fn poll_batch(&mut self) -> usize {
        let member = Arc::clone(&self.member);
        let (mut count, mut bytes, mut wait) = (0, 0, POLL);
        while count < self.batch_max
            && bytes < self.batch_bytes_max
            && let Some(polled) = member.poll(wait)
        {
            wait = Duration::ZERO;
            match polled {
                Ok(message) => {
                    let record = read(&message);
                    count += 1;
                    bytes += record.bytes();
                    self.add(message.topic(), message.partition(), record);
                }
                Err(error) => self.failed(&error),
            }
        }
        if count > 0 {
            let batch = &mut self.batch;
            self.shared.change(|log, now| {
                for part in batch.iter_mut().filter(|part| !part.records.is_empty()) {
                    // Records of an assignment that has ended belong to the next owner of the partition.
                    if log.epoch_of(&part.at) == part.epoch {
                        part.epoch = part.epoch.map(|epoch| log.deliver(epoch, part.records.drain(..), now));
                    }
                    part.records.clear();
                }
            });
            self.shared.troubles.clear(TroubleKind::Denied);
        }
        count
    }

    /// Adds a record to the batch. The assignment of its partition is the one at the time of the first record: a later
    /// one does not get records that were read before it.
    fn add(&mut self, topic: &str, partition: i32, record: Record) {
        let is_it = |part: &BatchPart| part.at.partition == partition && *part.at.topic == *topic;
        // Records come in runs of one partition.
        let found = if self.batch.get(self.last).is_some_and(is_it) {
            Some(self.last)
        } else {
            self.batch.iter().position(is_it)
        };
        let index = found.unwrap_or_else(|| {
            let at = TopicPartition { topic: Arc::from(topic), partition };
            self.batch.push(BatchPart { at, epoch: None, records: Vec::new() });
            self.batch.len() - 1
        });
        self.last = index;
        let part = &mut self.batch[index];
        if part.records.is_empty() {
            part.epoch = self.shared.log().epoch_of(&part.at);
        }
        part.records.push(record);
    }

    fn failed(&self, error: &ClientError) {
        if matches!(error, ClientError::PartitionEOF(_)) {
            return;
        }
        client_error(&self.shared, error, &text(error));
        if is_fatal(error) {
            self.shared.troubles.set(TroubleKind::Fatal, text(error), self.shared.clock.now());
            // The client is of no use any more: claims are answered with the end of the source.
            self.stop.store(true, Ordering::Relaxed);
            self.shared.available.notify_waiters();
        }
    }

    /// Pauses all partitions, or those whose completion map is full, and resumes the others.
    fn apply_pauses(&mut self, is_over: bool) {
        let (assigned, wanted) = {
            let log = self.shared.log();
            let assigned: BTreeSet<TopicPartition> = log.assigned().collect();
            let wanted: BTreeSet<TopicPartition> = if is_over { assigned.clone() } else { log.full_maps().collect() };
            (assigned, wanted)
        };
        // A new assignment may be paused or not: the client keeps a pause as long as it knows the partition.
        let has_new = self.member.context().has_new_partitions.swap(false, Ordering::Relaxed);
        let to_pause: Vec<&TopicPartition> = wanted.iter().filter(|at| has_new || !self.paused.contains(at)).collect();
        let to_resume: Vec<&TopicPartition> =
            assigned.difference(&wanted).filter(|at| has_new || self.paused.contains(at)).collect();
        if !to_pause.is_empty()
            && let Err(error) = self.member.pause(&list_of(&to_pause))
        {
            tracing::warn!(error = text(&error), "pause failed");
        }
        if !to_resume.is_empty()
            && let Err(error) = self.member.resume(&list_of(&to_resume))
        {
            tracing::warn!(error = text(&error), "resume failed");
        }
        if !to_pause.is_empty() || !to_resume.is_empty() {
            tracing::debug!(paused = wanted.len(), of = assigned.len(), "partitions paused");
        }
        self.shared.numbers.set_paused(wanted.len());
        self.paused = wanted;
    }

    /// Tells the log how far the client has read: past trailing offsets without records. Everything that the client
    /// returned is in the log already.
    fn note_positions(&self) {
        let Ok(positions) = self.member.position() else { return };
        let positions: Vec<(TopicPartition, i64)> = positions
            .elements()
            .iter()
            .filter_map(|element| match element.offset() {
                Offset::Offset(position) => {
                    let at = TopicPartition { topic: Arc::from(element.topic()), partition: element.partition() };
                    Some((at, position))
                }
                _ => None,
            })
            .collect();
        let mut log = self.shared.log();
        for (at, position) in positions {
            log.set_client_position(&at, position);
        }
    }
}

fn list_of(partitions: &[&TopicPartition]) -> TopicPartitionList {
    let mut list = TopicPartitionList::with_capacity(partitions.len());
    for at in partitions {
        list.add_partition(&at.topic, at.partition);
    }
    list
}
