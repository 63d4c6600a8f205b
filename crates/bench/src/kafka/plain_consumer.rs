//! The client library as a program without a framework uses it.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use rdkafka::consumer::{BaseConsumer, CommitMode, Consumer};
use rdkafka::error::{KafkaError, RDKafkaErrorCode};
use rdkafka::message::BorrowedMessage;
use rdkafka::topic_partition_list::{Offset, TopicPartitionList};

use super::cluster::Cluster;

/// A consumer that one thread polls, with asynchronous commits once a second.
pub(crate) struct PlainConsumer {
    consumer: BaseConsumer,
    polls: u32,
    committed_at: Option<Instant>,
}

const COMMIT_INTERVAL: Duration = Duration::from_secs(1);
/// How often the clock is read: it would cost more than the poll of a record that was fetched ahead.
const POLLS_PER_CLOCK: u32 = 64;
/// How long a poll waits for a record.
const POLL: Duration = Duration::from_millis(100);

impl PlainConsumer {
    /// Joins a separate group.
    pub(crate) fn of_group(cluster: &Cluster, topic: &str) -> Result<Self> {
        let consumer: BaseConsumer = cluster.loop_config().create()?;
        consumer.subscribe(&[topic])?;
        Ok(Self { consumer, polls: 0, committed_at: None })
    }

    /// Reads one partition from its start.
    pub(super) fn of_partition(cluster: &Cluster, topic: &str, partition: i32) -> Result<Self> {
        let consumer: BaseConsumer = cluster.loop_config().create()?;
        let mut partitions = TopicPartitionList::new();
        partitions.add_partition_offset(topic, partition, Offset::Beginning)?;
        consumer.assign(&partitions)?;
        Ok(Self { consumer, polls: 0, committed_at: None })
    }

    /// The next record that was fetched ahead, or else one that arrives within 100 ms.
    pub(crate) fn next(&mut self) -> Result<Option<BorrowedMessage<'_>>> {
        self.next_within(POLL)
    }

    /// The next record that was fetched ahead.
    pub(super) fn next_fetched(&mut self) -> Result<Option<BorrowedMessage<'_>>> {
        self.next_within(Duration::ZERO)
    }

    fn next_within(&mut self, wait: Duration) -> Result<Option<BorrowedMessage<'_>>> {
        self.polls = self.polls.wrapping_add(1);
        if self.polls.is_multiple_of(POLLS_PER_CLOCK) {
            self.commit_if_due()?;
        }
        Ok(self.consumer.poll(wait).transpose()?)
    }

    fn commit_if_due(&mut self) -> Result<()> {
        let now = Instant::now();
        let committed_at = *self.committed_at.get_or_insert(now);
        if now.duration_since(committed_at) < COMMIT_INTERVAL {
            return Ok(());
        }
        self.committed_at = Some(now);
        match self.consumer.commit_consumer_state(CommitMode::Async) {
            // Nothing was read since the last commit.
            Ok(()) | Err(KafkaError::ConsumerCommit(RDKafkaErrorCode::NoOffset)) => Ok(()),
            Err(error) => bail!("the commit of the reference failed: {error}"),
        }
    }
}
