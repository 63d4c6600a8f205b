//! The thread that commits positions.
//!
//! Commits are synchronous: the client library reports the result of an asynchronous one nowhere. A commit that fails
//! is not recorded; the next one has the newest position.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use rdkafka::consumer::{CommitMode, Consumer};
use redrive_core::Span;

use super::commit_request::{CommitError, CommitRequest, offsets_of};
use super::group::Member;
use super::transaction::Transactions;
use crate::gauges::Gauges;
use crate::log::TopicPartition;
use crate::shared::Shared;
use crate::snapshot::ConsumerSnapshot;
use crate::trouble::TroubleKind;

pub(super) struct Committer {
    pub(super) member: Arc<Member>,
    pub(super) shared: Arc<Shared>,
    pub(super) interval: Duration,
    pub(super) requests: Receiver<CommitRequest>,
    pub(super) transactions: Option<Transactions>,
    pub(super) gauges: Gauges,
    pub(super) blocking_warn: Span,
    /// The blocking records that were logged.
    pub(super) warned: BTreeSet<(TopicPartition, i64)>,
}

impl Committer {
    pub(super) fn run(mut self) {
        self.transactions.iter_mut().for_each(Transactions::end_former);
        loop {
            match self.requests.recv_timeout(self.interval) {
                Ok(CommitRequest::Now) | Err(RecvTimeoutError::Timeout) => self.commit(None),
                Ok(CommitRequest::Of { epochs, done }) => {
                    self.commit(Some(&epochs));
                    // The revocation may have stopped waiting.
                    let _is_received = done.try_send(());
                }
                Ok(CommitRequest::Stop) | Err(RecvTimeoutError::Disconnected) => {
                    let epochs = self.shared.log().epochs();
                    self.commit(Some(&epochs));
                    return self.gauges.publish(&ConsumerSnapshot::of(&self.shared).ended());
                }
            }
        }
    }

    fn commit(&mut self, of: Option<&[u64]>) {
        let result = match &mut self.transactions {
            Some(transactions) => transactions.commit(&self.member, of),
            None => self.commit_offsets(of),
        };
        let now = self.shared.clock.now();
        self.observe();
        match result {
            // Without anything to commit, nothing is wrong with commits either.
            Ok(false) => self.shared.troubles.clear(TroubleKind::Commit),
            Ok(true) => {
                self.shared.numbers.committed(now);
                self.shared.troubles.clear(TroubleKind::Commit);
            }
            Err(error) => {
                tracing::warn!(error = error.text, "commit failed; it is repeated");
                self.shared.numbers.commit_failed(error.reason);
                self.shared.troubles.set(TroubleKind::Commit, error.text, now);
            }
        }
    }

    /// Sets the gauges, and logs records that block their partition for long.
    fn observe(&mut self) {
        let snapshot = ConsumerSnapshot::of(&self.shared);
        self.gauges.publish(&snapshot);
        let mut blocking = BTreeSet::new();
        for partition in &snapshot.partitions {
            let Some(record) = partition.blocking.as_ref().filter(|record| record.age >= self.blocking_warn) else {
                continue;
            };
            let (at, offset) = (partition.at.clone(), record.offset);
            if !self.warned.contains(&(at.clone(), offset)) {
                let (age, state, attempt) = (record.age, record.state, record.attempt);
                tracing::warn!(%at, offset, %age, ?state, attempt, "a record blocks the commits of its partition");
            }
            blocking.insert((at, offset));
        }
        self.warned = blocking;
    }

    /// Returns whether there was anything to commit.
    fn commit_offsets(&self, of: Option<&[u64]>) -> Result<bool, CommitError> {
        let points = self.shared.log().commits(of, &[]);
        if points.is_empty() {
            return Ok(false);
        }
        let offsets = offsets_of(&points)?;
        self.member.commit(&offsets, CommitMode::Sync).map_err(|error| CommitError::of(&error))?;
        self.shared.change(|log, _| points.into_iter().for_each(|point| log.confirm(point)));
        Ok(true)
    }
}
