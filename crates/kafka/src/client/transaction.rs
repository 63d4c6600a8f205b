//! Letters and positions in one transaction per commit interval.
//!
//! A letter inside of an open transaction is not durable: its record is done, and the next one of its key may run, when
//! the transaction is committed.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rdkafka::ClientConfig;
use rdkafka::client::ClientContext;
use rdkafka::config::{FromClientConfigAndContext, RDKafkaLogLevel};
use rdkafka::consumer::Consumer;
use rdkafka::error::{KafkaError as ClientError, RDKafkaErrorCode};
use rdkafka::producer::{BaseProducer, DeliveryResult, NoCustomPartitioner, Producer, ProducerContext, PurgeConfig};

use super::commit_request::{CommitError, offsets_of};
use super::group::{Member, client_error, log_line, positions};
use crate::dlq::{PendingLetter, PendingLetters};
use crate::error::text;
use crate::log::{CommitPoint, RecordFence};
use crate::shared::Shared;

pub(super) struct Transactions {
    shared: Arc<Shared>,
    config: ClientConfig,
    timeout: Duration,
    letters: Arc<PendingLetters>,
    /// Created when it is first needed, and again after a fatal error.
    producer: Option<BaseProducer<TransactionContext>>,
    /// A transaction whose commit was sent and not answered.
    in_doubt: Option<Transaction>,
}

/// Letters and positions that are committed together.
struct Transaction {
    letters: Vec<PendingLetter>,
    points: Vec<CommitPoint>,
}

/// Collects the delivery reports of the open transaction.
struct TransactionContext {
    shared: Arc<Shared>,
    reports: Mutex<BTreeMap<usize, Result<(), ClientError>>>,
}

impl ClientContext for TransactionContext {
    fn log(&self, level: RDKafkaLogLevel, fac: &str, message: &str) {
        log_line(level, fac, message);
    }

    fn error(&self, error: ClientError, reason: &str) {
        client_error(&self.shared, &error, reason);
    }
}

impl ProducerContext<NoCustomPartitioner> for TransactionContext {
    type DeliveryOpaque = usize;

    fn delivery(&self, result: &DeliveryResult<'_>, index: usize) {
        let result = result.as_ref().map(drop).map_err(|(error, _)| error.clone());
        self.reports.lock().unwrap_or_else(PoisonError::into_inner).insert(index, result);
    }
}

impl Transactions {
    pub(super) const fn new(
        shared: Arc<Shared>,
        config: ClientConfig,
        timeout: Duration,
        letters: Arc<PendingLetters>,
    ) -> Self {
        Self { shared, config, timeout, letters, producer: None, in_doubt: None }
    }

    /// Ends the transaction that an earlier process with the same id has left open. Until then, the broker does not tell the
    /// committed positions, and an assignment would begin without the metadata of the last commit.
    pub(super) fn end_former(&mut self) {
        if let Err(error) = self.producer() {
            tracing::warn!(error = text(&error), "the transactional producer is created at the next commit");
        }
    }

    /// Commits the waiting letters and the positions, as if the records of the letters were done. Returns whether there
    /// was anything to commit.
    pub(super) fn commit(&mut self, member: &Member, of: Option<&[u64]>) -> Result<bool, CommitError> {
        self.resolve_doubt(member).map_err(|error| CommitError::of(&error))?;
        let mut letters = self.letters.take();
        // A record that was revoked meanwhile is processed by the next owner of its partition.
        letters.retain(|letter| self.shared.log().is_held(letter.end.fence()));
        self.put_back_uncovered(of, &mut letters);
        if letters.is_empty() && self.shared.log().commits(of, &[]).is_empty() {
            return Ok(false);
        }
        let prepared = self.prepare(member, of, &mut letters);
        let points = match prepared {
            Ok(points) => points,
            Err(failed) => {
                let error = CommitError::of(&failed);
                letters.into_iter().for_each(|letter| letter.end.failed(&error.text));
                self.recover(&failed);
                return Err(error);
            }
        };
        let transaction = Transaction { letters, points };
        let timeout = self.timeout;
        let committed = self.producer().and_then(|producer| commit_transaction(producer, timeout));
        match committed {
            Ok(()) => {
                self.succeeded(transaction);
                Ok(true)
            }
            Err(failed) => {
                let error = CommitError::of(&failed);
                let requires_abort = matches!(&failed, ClientError::Transaction(error) if error.txn_requires_abort());
                if requires_abort {
                    transaction.letters.into_iter().for_each(|letter| letter.end.failed(&error.text));
                    self.recover(&failed);
                } else {
                    // The broker may have committed. A new producer with the same id ends the doubt.
                    self.in_doubt = Some(transaction);
                    self.producer = None;
                }
                Err(error)
            }
        }
    }

    /// Lets letters wait whose records the commit would not describe, because its completion map is full: they would be
    /// processed again after a restart.
    fn put_back_uncovered(&self, of: Option<&[u64]>, letters: &mut Vec<PendingLetter>) {
        let fences: Vec<RecordFence> = letters.iter().map(|letter| letter.end.fence()).collect();
        let covered: Vec<RecordFence> = {
            let mut log = self.shared.log();
            let points = log.commits(of, &fences);
            fences.into_iter().filter(|fence| points.iter().any(|point| log.is_covered(*fence, point))).collect()
        };
        let (covered, waiting): (Vec<_>, Vec<_>) =
            letters.drain(..).partition(|letter| covered.contains(&letter.end.fence()));
        *letters = covered;
        self.letters.put_back(waiting);
    }

    fn succeeded(&self, transaction: Transaction) {
        let Transaction { letters, points } = transaction;
        self.shared.change(|log, _| points.into_iter().for_each(|point| log.confirm(point)));
        letters.into_iter().for_each(|letter| letter.end.succeeded());
    }

    /// Finds out whether a transaction was committed whose answer was lost: the new producer completes or aborts it, and
    /// then the committed positions tell.
    fn resolve_doubt(&mut self, member: &Member) -> Result<(), ClientError> {
        let Some(transaction) = &self.in_doubt else { return Ok(()) };
        let offsets = offsets_of(&transaction.points).map_err(|_| ClientError::Canceled)?;
        self.producer()?;
        let committed = positions(&member.committed_offsets(offsets, self.timeout)?);
        let Some(transaction) = self.in_doubt.take() else { return Ok(()) };
        let is_committed = |point: &CommitPoint| {
            committed
                .get(&point.at)
                .is_some_and(|(position, metadata)| *position == point.position && *metadata == point.metadata)
        };
        // It is committed as a whole. A position that is not found may be one of a partition that moved meanwhile.
        if transaction.points.iter().any(is_committed) {
            self.succeeded(transaction);
        } else {
            transaction.letters.into_iter().for_each(|letter| letter.end.failed("the transaction was aborted"));
        }
        Ok(())
    }

    /// Sends the letters and the positions within a transaction. Returns the positions.
    fn prepare(
        &mut self,
        member: &Member,
        of: Option<&[u64]>,
        letters: &mut Vec<PendingLetter>,
    ) -> Result<Vec<CommitPoint>, ClientError> {
        let timeout = self.timeout;
        let producer = self.producer()?;
        producer.begin_transaction()?;
        let mut refused = Vec::new();
        for (index, letter) in letters.iter().enumerate() {
            if let Err(error) = send(producer, letter, index, timeout) {
                refused.push((index, error));
            }
        }
        producer.flush(timeout)?;
        let reports = std::mem::take(&mut *producer.context().reports.lock().unwrap_or_else(PoisonError::into_inner));
        let failed: Vec<(usize, ClientError)> =
            reports.into_iter().filter_map(|(index, report)| Some((index, report.err()?))).collect();
        if let Some((_, error)) = failed.first().cloned() {
            let is_too_large =
                |error: &ClientError| error.rdkafka_error_code() == Some(RDKafkaErrorCode::MessageSizeTooLarge);
            for (index, _) in failed.into_iter().rev().filter(|(_, error)| is_too_large(error)) {
                letters.remove(index).end.too_large();
            }
            return Err(error);
        }
        for (index, error) in refused.into_iter().rev() {
            letters.remove(index).end.failed(&text(&error));
        }
        let fences: Vec<RecordFence> = letters.iter().map(|letter| letter.end.fence()).collect();
        // Read before the records are known to be held: a later generation of the group must not pass as this one.
        let group = member.group_metadata().ok_or(ClientError::Canceled)?;
        let points = {
            let mut log = self.shared.log();
            let are_held = fences.iter().all(|fence| log.is_held(*fence));
            are_held.then(|| log.commits(of, &fences))
        };
        let points = points.ok_or(ClientError::Global(RDKafkaErrorCode::RebalanceInProgress))?;
        if !points.is_empty() {
            let offsets = offsets_of(&points).map_err(|_| ClientError::Canceled)?;
            self.producer()?.send_offsets_to_transaction(&offsets, &group, timeout)?;
        }
        Ok(points)
    }

    fn producer(&mut self) -> Result<&BaseProducer<TransactionContext>, ClientError> {
        let producer = match self.producer.take() {
            Some(producer) => producer,
            None => {
                let context = TransactionContext { shared: Arc::clone(&self.shared), reports: Mutex::default() };
                let producer = BaseProducer::from_config_and_context(&self.config, context)?;
                producer.init_transactions(self.timeout)?;
                producer
            }
        };
        Ok(self.producer.insert(producer))
    }

    /// Aborts the open transaction. A producer that cannot go on is replaced.
    fn recover(&mut self, error: &ClientError) {
        let is_fatal = matches!(error, ClientError::Transaction(error) if error.is_fatal());
        let Some(producer) = &self.producer else { return };
        let has_fatal_error = producer.client().fatal_error().is_some();
        if is_fatal || has_fatal_error {
            tracing::warn!(error = text(error), "the transactional producer is replaced");
            self.producer = None;
            return;
        }
        // An abort waits for reports that nothing else reads here.
        producer.purge(PurgeConfig::default().queue().inflight());
        producer.poll(Duration::ZERO);
        if let Err(error) = producer.abort_transaction(self.timeout) {
            tracing::warn!(error = text(&error), "abort failed; the transactional producer is replaced");
            self.producer = None;
            return;
        }
        // The reports of what was purged.
        producer.poll(Duration::ZERO);
        producer.context().reports.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

/// Sends a letter; waits while the queue of the producer is full.
fn send(
    producer: &BaseProducer<TransactionContext>,
    letter: &PendingLetter,
    index: usize,
    timeout: Duration,
) -> Result<(), ClientError> {
    let mut waited = Duration::ZERO;
    loop {
        match producer.send(letter.record.to_send(index)) {
            Ok(()) => return Ok(()),
            Err((ClientError::MessageProduction(RDKafkaErrorCode::QueueFull), _)) if waited < timeout => {
                let wait = Duration::from_millis(10);
                producer.poll(wait);
                waited += wait;
            }
            Err((error, _)) => return Err(error),
        }
    }
}

/// Commits; an error that allows it is followed by another try.
fn commit_transaction(producer: &BaseProducer<TransactionContext>, timeout: Duration) -> Result<(), ClientError> {
    match producer.commit_transaction(timeout) {
        Err(ClientError::Transaction(error)) if error.is_retriable() => producer.commit_transaction(timeout),
        result => result,
    }
}
