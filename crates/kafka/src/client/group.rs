//! The member of a consumer group: what its callbacks do.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::Duration;

use rdkafka::client::ClientContext;
use rdkafka::config::RDKafkaLogLevel;
use rdkafka::consumer::{BaseConsumer, Consumer, ConsumerContext, Rebalance};
use rdkafka::error::{KafkaError as ClientError, RDKafkaErrorCode};
use rdkafka::statistics::Statistics;
use rdkafka::topic_partition_list::{Offset, TopicPartitionList};

use super::commit_request::CommitRequest;
use crate::error::text;
use crate::log::{CompletionMap, TopicPartition};
use crate::numbers::RebalanceKind;
use crate::shared::Shared;
use crate::trouble::TroubleKind;

/// How long the committed offsets of assigned partitions are waited for.
const COMMITTED_WITHIN: Duration = Duration::from_secs(10);
/// How long the commit of revoked partitions may take.
const COMMIT_WITHIN: Duration = Duration::from_secs(5);

pub(super) type Member = BaseConsumer<GroupContext>;

#[derive(Debug)]
pub(super) struct GroupContext {
    pub(super) shared: Arc<Shared>,
    pub(super) grace: Duration,
    pub(super) commits: SyncSender<CommitRequest>,
    /// Set when partitions were assigned: whether they are paused is unknown.
    pub(super) has_new_partitions: AtomicBool,
}

impl ClientContext for GroupContext {
    fn log(&self, level: RDKafkaLogLevel, fac: &str, message: &str) {
        log_line(level, fac, message);
    }

    fn error(&self, error: ClientError, reason: &str) {
        if is_fatal(&error) {
            self.shared.troubles.set(TroubleKind::Fatal, reason, self.shared.clock.now());
        }
        client_error(&self.shared, &error, reason);
    }

    fn stats(&self, statistics: Statistics) {
        // A broker that is up again ends the trouble of its connection.
        if statistics.brokers.values().any(|broker| broker.state == "UP") {
            self.shared.troubles.clear(TroubleKind::Client);
        }
        let partitions = statistics
            .topics
            .iter()
            .flat_map(|(name, topic)| topic.partitions.values().map(move |partition| (name, partition)));
        let lags = partitions.filter(|(_, partition)| partition.ls_offset >= 0).map(|(name, partition)| {
            (TopicPartition { topic: Arc::from(name.as_str()), partition: partition.partition }, partition.ls_offset)
        });
        self.shared.numbers.set_ends(lags.collect::<BTreeMap<_, _>>());
    }
}

impl ConsumerContext for GroupContext {
    fn pre_rebalance(&self, member: &BaseConsumer<Self>, rebalance: &Rebalance<'_>) {
        match rebalance {
            Rebalance::Assign(partitions) => self.assigned(member, partitions),
            Rebalance::Revoke(partitions) => self.revoked(&addresses(partitions), member.assignment_lost()),
            Rebalance::Error(error) => {
                tracing::warn!(error = text(error), "rebalance failed");
                let all: Vec<TopicPartition> = self.shared.log().assigned().collect();
                self.revoked(&all, true);
            }
        }
    }

    fn post_rebalance(&self, _member: &BaseConsumer<Self>, rebalance: &Rebalance<'_>) {
        if matches!(rebalance, Rebalance::Assign(_)) {
            self.has_new_partitions.store(true, Ordering::Relaxed);
        }
    }
}

impl GroupContext {
    fn assigned(&self, member: &BaseConsumer<Self>, partitions: &TopicPartitionList) {
        let assigned = addresses(partitions);
        if assigned.is_empty() {
            return;
        }
        self.shared.numbers.rebalanced(RebalanceKind::Assign);
        self.shared.troubles.clear(TroubleKind::Denied);
        let mut committed = BTreeMap::new();
        match member.committed_offsets(partitions.clone(), COMMITTED_WITHIN) {
            Ok(offsets) => {
                committed = positions(&offsets);
                start_at(partitions, &committed);
            }
            Err(error) => {
                tracing::warn!(error = text(&error), "committed offsets unknown; records may be processed again");
            }
        }
        self.shared.change(|log, now| {
            for at in assigned {
                let restored = committed.remove(&at).map(|(position, metadata)| {
                    let map = CompletionMap::decode(position, &metadata).unwrap_or_else(|error| {
                        tracing::warn!(%at, %error, "the metadata of the last commit is ignored");
                        CompletionMap::default()
                    });
                    (position, map, metadata)
                });
                let position = restored.as_ref().map(|(position, ..)| *position);
                let epoch = log.assign(&at, restored, now);
                tracing::info!(%at, epoch, position, "partition assigned");
            }
        });
    }

    /// Ends the assignment of partitions. Unless they are lost, running handlers may finish within the grace, and what
    /// is done is committed.
    ///
    /// This runs inside of a poll, and so must not wait for anything that needs one: handlers, delivery reports and
    /// commits run on other threads.
    fn revoked(&self, partitions: &[TopicPartition], is_lost: bool) {
        let epochs: Vec<u64> = {
            let log = self.shared.log();
            partitions.iter().filter_map(|at| log.epoch_of(at)).collect()
        };
        if epochs.is_empty() {
            return;
        }
        self.shared.numbers.rebalanced(if is_lost { RebalanceKind::Lost } else { RebalanceKind::Revoke });
        if !is_lost {
            self.shared.change(|log, _| log.withdraw(&epochs));
            // Letters that wait for the next transaction are part of what is drained.
            let _is_asked = self.commits.try_send(CommitRequest::Now);
            let is_drained = self.shared.wait_until(self.grace, |log| log.is_drained(&epochs));
            let (done_tx, done) = sync_channel(1);
            let request = CommitRequest::Of { epochs: epochs.clone(), done: done_tx };
            match self.commits.try_send(request) {
                Ok(()) => {
                    let is_committed = done.recv_timeout(COMMIT_WITHIN).is_ok();
                    tracing::info!(partitions = partitions.len(), is_drained, is_committed, "partitions revoked");
                }
                // The consumer stops, and has made its last commit.
                Err(_) => tracing::info!(partitions = partitions.len(), "partitions given back"),
            }
        } else {
            tracing::warn!(partitions = partitions.len(), "partitions lost; their open records are processed again");
        }
        self.shared.change(|log, _| log.remove(&epochs));
    }
}

/// Copies the addresses: a list that is kept prevents the client from closing.
fn addresses(partitions: &TopicPartitionList) -> Vec<TopicPartition> {
    let address = |topic: &str, partition| TopicPartition { topic: Arc::from(topic), partition };
    partitions.elements().iter().map(|element| address(element.topic(), element.partition())).collect()
}

/// Sets where the client starts to read. Otherwise it asks for the committed offsets again, and gives the partitions up,
/// still assigned, if that question fails while the assignment changes.
fn start_at(partitions: &TopicPartitionList, committed: &BTreeMap<TopicPartition, (i64, String)>) {
    for (at, mut element) in addresses(partitions).into_iter().zip(partitions.elements()) {
        if let Some((position, _)) = committed.get(&at)
            && let Err(error) = element.set_offset(Offset::Offset(*position))
        {
            tracing::warn!(%at, error = text(&error), "the client looks up the committed offset");
        }
    }
}

/// The committed position and its metadata, of the partitions that have one.
pub(super) fn positions(offsets: &TopicPartitionList) -> BTreeMap<TopicPartition, (i64, String)> {
    let mut positions = BTreeMap::new();
    for element in offsets.elements() {
        let Offset::Offset(position) = element.offset() else { continue };
        // The client library panics on metadata that is not UTF-8.
        let metadata = catch_unwind(AssertUnwindSafe(|| element.metadata().to_owned()));
        let at = TopicPartition { topic: Arc::from(element.topic()), partition: element.partition() };
        positions.insert(at, (position, metadata.unwrap_or_else(|_| "not UTF-8".to_owned())));
    }
    positions
}

/// Whether a member of a group cannot go on.
pub(super) fn is_fatal(error: &ClientError) -> bool {
    let code = error.rdkafka_error_code();
    matches!(error, ClientError::MessageConsumptionFatal(_))
        || matches!(code, Some(RDKafkaErrorCode::Fatal | RDKafkaErrorCode::FencedInstanceId))
}

/// Records an error that a client reports outside of a call.
pub(crate) fn client_error(shared: &Shared, error: &ClientError, reason: &str) {
    let code = error.rdkafka_error_code();
    let kind = match code {
        Some(
            RDKafkaErrorCode::TopicAuthorizationFailed
            | RDKafkaErrorCode::GroupAuthorizationFailed
            | RDKafkaErrorCode::ClusterAuthorizationFailed
            | RDKafkaErrorCode::TransactionalIdAuthorizationFailed,
        ) => TroubleKind::Denied,
        _ => TroubleKind::Client,
    };
    tracing::warn!(?code, reason, "the Kafka client reports an error");
    shared.troubles.set(kind, reason, shared.clock.now());
}

pub(crate) fn log_line(level: RDKafkaLogLevel, fac: &str, message: &str) {
    match level {
        RDKafkaLogLevel::Emerg | RDKafkaLogLevel::Alert | RDKafkaLogLevel::Critical | RDKafkaLogLevel::Error => {
            tracing::error!(fac, "{message}");
        }
        RDKafkaLogLevel::Warning => tracing::warn!(fac, "{message}"),
        RDKafkaLogLevel::Notice | RDKafkaLogLevel::Info => tracing::info!(fac, "{message}"),
        RDKafkaLogLevel::Debug => tracing::debug!(fac, "{message}"),
    }
}
