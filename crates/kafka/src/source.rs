//! A consumer group as a source.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use rdkafka::producer::BaseProducer;
use redrive_core::{AttemptLimit, Invalid, Problem, Time};
use redrive_model::Attempt;
use redrive_run::{
    ClaimSpec, DeadQueue, Delivery, Durability, FinishedDelivery, Resolution, SettleError, Source, SourceError,
};
use redrive_store::{Clock, SystemClock};
use tokio::sync::watch;

use crate::client::ClientThreads;
use crate::delivery::{DeliveryNames, SourcePurpose};
use crate::dlq::{DlqTopics, LetterProducer, PendingLetters, Sink, SinkPath};
use crate::log::{HandOver, Log, RecordFence, Slot};
use crate::numbers::ConsumerNumbers;
use crate::settings::DlqTarget;
use crate::shared::Shared;
use crate::snapshot::ConsumerSnapshot;
use crate::trouble::TroubleKind;
use crate::{KafkaError, KafkaSettings};

/// The records of topics, read as a member of a consumer group.
///
/// - **Order**: by key, by partition or none. The next record of a key is yielded when the earlier one is done or its
///   letter is durable.
/// - **Durability**: a record that is done is committed at the next interval. After a crash in between it is processed
///   again. A letter is durable before its record is done.
/// - **Attempts** are counted in memory: they start again at 1 when the partition moves to another consumer.
///
/// Clones share the consumer. [`close`](Self::close) commits and leaves the group; dropping the last clone does the
/// same without waiting for it.
#[derive(Debug, Clone)]
pub struct KafkaSource {
    inner: Arc<Inner>,
}

struct Inner {
    names: DeliveryNames,
    shared: Arc<Shared>,
    sink: Arc<Sink>,
    threads: Mutex<Option<ClientThreads>>,
    is_closed: watch::Sender<bool>,
}

impl KafkaSource {
    /// Checks the topics and joins the group. `dead_queue` is for letters that go into a dead queue: all of them, or
    /// only those that are too large for their DLQ topic ([`DlqTarget`]).
    pub async fn open(settings: KafkaSettings, dead_queue: Option<DeadQueue>) -> Result<Self, KafkaError> {
        Self::open_with_clock(settings, dead_queue, Arc::new(SystemClock)).await
    }

    /// The same with another clock: for due times, not for the client.
    pub async fn open_with_clock(
        settings: KafkaSettings,
        dead_queue: Option<DeadQueue>,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, KafkaError> {
        Self::open_for(settings, dead_queue, clock, SourcePurpose::Process).await
    }

    pub(crate) async fn open_for(
        settings: KafkaSettings,
        dead_queue: Option<DeadQueue>,
        clock: Arc<dyn Clock>,
        purpose: SourcePurpose,
    ) -> Result<Self, KafkaError> {
        settings.check()?;
        if settings.dlq_enabled && settings.dlq_target.has_queue() && dead_queue.is_none() {
            let found = if settings.dlq_target == DlqTarget::Both { "both" } else { "queue" };
            let allowed = "topic: the consumer was opened without a dead queue";
            return Err(Invalid::new("dlq_target", Problem::Contradiction, found, allowed).into());
        }
        let settings = Arc::new(settings);
        let topics = DlqTopics::open(&settings, &clock).await?;
        let producer_config = settings.producer_config(topics.least_bytes_max());
        let shared = Shared::new(&settings, purpose, &clock);
        let path = match (settings.dlq_enabled, settings.dlq_target, &settings.dlq_transactional_id) {
            (false, ..) => SinkPath::Off,
            (true, DlqTarget::Queue, _) => SinkPath::Queue,
            (true, DlqTarget::Topic | DlqTarget::Both, Some(_)) => {
                // The first transaction creates the producer; a wrong property is an error now.
                let checked: Result<BaseProducer, _> = producer_config.create();
                checked.map_err(|error| KafkaError::client("creating the producer of letters", &error))?;
                SinkPath::Transaction(Arc::new(PendingLetters::default()))
            }
            (true, DlqTarget::Topic | DlqTarget::Both, None) => {
                SinkPath::Topic(LetterProducer::new(&settings, producer_config.clone(), Arc::clone(&shared))?)
            }
        };
        let transactional = match &path {
            SinkPath::Transaction(letters) => Some((Arc::clone(letters), producer_config)),
            _ => None,
        };
        let threads = ClientThreads::start(&settings, &shared, transactional)?;
        let names = DeliveryNames::new(&settings.group_id, purpose);
        let sink = Arc::new(Sink { settings, shared: Arc::clone(&shared), path, dead_queue, topics });
        let threads = Mutex::new(Some(threads));
        Ok(Self { inner: Arc::new(Inner { names, shared, sink, threads, is_closed: watch::Sender::new(false) }) })
    }

    /// What the consumer holds and waits for.
    pub fn snapshot(&self) -> ConsumerSnapshot {
        ConsumerSnapshot::of(&self.inner.shared)
    }

    /// Commits what is done, leaves the group, and ends all claims. Stop the runner first.
    pub async fn close(&self) {
        let inner = Arc::clone(&self.inner);
        inner.is_closed.send_replace(true);
        // The threads wait for the broker.
        let closed = tokio::task::spawn_blocking(move || inner.close()).await;
        if let Err(error) = closed {
            tracing::error!(%error, "closing the consumer failed");
        }
    }

    fn check_open(&self) -> Result<(), SourceError> {
        let Inner { shared, threads, is_closed, .. } = &*self.inner;
        let is_alive =
            threads.lock().unwrap_or_else(PoisonError::into_inner).as_ref().is_some_and(ClientThreads::is_alive);
        if *is_closed.borrow() || !is_alive || shared.troubles.has(TroubleKind::Fatal) {
            return Err(SourceError::Closed);
        }
        Ok(())
    }

    /// Applies the results that need no hand-over, and starts the hand-overs of the others.
    fn apply(&self, settlements: &[FinishedDelivery<RecordFence>]) -> Applied {
        let Inner { shared, sink, .. } = &*self.inner;
        let mut applied = Applied::default();
        let mut ended = EndedCounts::default();
        let now = shared.change(|log, now| {
            for (index, settlement) in settlements.iter().enumerate() {
                let FinishedDelivery { fence, resolution, attempt } = settlement;
                let (fence, attempt) = (*fence, attempt.as_deref());
                let answer = match resolution {
                    Resolution::Ack { .. } | Resolution::Drop => {
                        log.finish(fence, now).map(|slot| ended.done.extend(slot))
                    }
                    Resolution::DeadLetter(dead) if sink.is_off() => {
                        if let Some((partition, slot)) = log.claimed(fence) {
                            let (at, offset, attempt) = (partition.at.clone(), slot.record.offset, slot.attempts);
                            let error = &dead.failure.error.message;
                            tracing::error!(%at, offset, attempt, error, "record failed for good; there is no DLQ");
                        }
                        log.finish(fence, now).map(|slot| ended.unkept.extend(slot))
                    }
                    Resolution::DeadLetter(dead) => {
                        log.start_hand_over(fence, dead, attempt).map(|letter| applied.letters.push((index, letter)))
                    }
                    Resolution::Retry { at, charged } => {
                        if shared.purpose == SourcePurpose::Ingest {
                            applied.refused = capture_error(log, fence, attempt).or(applied.refused.take());
                        }
                        let number = log.claimed(fence).map_or(0, |(_, slot)| slot.attempts);
                        let given_back = log.give_back(fence, Some(*at), *charged, attempt, now);
                        given_back.map(|()| ended.retries.push(number))
                    }
                    Resolution::Defer { until } => log.give_back(fence, Some(*until), false, None, now),
                    Resolution::Release => log.give_back(fence, None, false, None, now),
                    Resolution::RedeliverForHandOver { at } => log.redeliver_for_hand_over(fence, *at, attempt, now),
                };
                if answer == Err(SettleError::Stale) && log.is_handing_over(fence) {
                    applied.busy.push(index);
                }
                applied.answers.push(answer);
            }
            now
        });
        ended.publish(&shared.numbers, now);
        if let Some(refused) = &applied.refused {
            shared.troubles.set(TroubleKind::HandOver, refused, now);
        }
        applied
    }

    /// Settles a delivery whose hand-over was started by another call: its end decides.
    async fn settle_after_hand_over(&self, settlement: &FinishedDelivery<RecordFence>) -> Result<(), SettleError> {
        let shared = &self.inner.shared;
        loop {
            let mut ended = std::pin::pin!(shared.handed_over.notified());
            ended.as_mut().enable();
            if !shared.log().is_handing_over(settlement.fence) {
                break;
            }
            ended.await;
        }
        let one = self.settle(std::slice::from_ref(settlement)).await;
        one.into_iter().next().unwrap_or(Err(SettleError::Stale))
    }
}

/// The answers so far, and what decides the others.
#[derive(Default)]
struct Applied {
    answers: Vec<Result<(), SettleError>>,
    letters: Vec<(usize, HandOver)>,
    /// The settlements of records whose hand-over is running.
    busy: Vec<usize>,
    /// The error of a capture that failed, in an ingest.
    refused: Option<String>,
}

/// The error of a failed capture, with its record.
fn capture_error(log: &Log, fence: RecordFence, attempt: Option<&Attempt>) -> Option<String> {
    let (partition, slot) = log.claimed(fence)?;
    Some(format!("{} offset {}: {}", partition.at.clone(), slot.record.offset, attempt?.error))
}

/// What is counted, and dropped, outside of the lock.
#[derive(Default)]
struct EndedCounts {
    done: Vec<Slot>,
    /// Records that failed for good, without a DLQ.
    unkept: Vec<Slot>,
    retries: Vec<u32>,
}

impl EndedCounts {
    fn publish(self, numbers: &ConsumerNumbers, now: Time) {
        for (result, slots) in [("success", &self.done), ("failed", &self.unkept)] {
            if !slots.is_empty() {
                numbers.processed(result, slots.len() as u64);
            }
            let timestamps = slots.iter().filter_map(|slot| slot.record.time());
            timestamps.for_each(|timestamp| numbers.ended(now.since(timestamp)));
        }
        self.retries.into_iter().for_each(|attempt| numbers.retried(attempt));
    }
}

#[async_trait]
impl Source for KafkaSource {
    type Fence = RecordFence;

    fn name(&self) -> &Arc<str> {
        self.inner.names.source()
    }

    fn keeps_successes(&self) -> bool {
        false
    }

    fn durability(&self) -> Durability {
        Durability::AtNextCommit
    }

    /// Unlimited: the attempt counts are lost when a partition moves.
    async fn limit(&self) -> Result<AttemptLimit, SourceError> {
        Ok(AttemptLimit::Unlimited)
    }

    /// There is no await point between the claim of records and the return, so that a dropped claim holds none.
    async fn claim(&self, claim: ClaimSpec) -> Result<Vec<Delivery<RecordFence>>, SourceError> {
        let Inner { names, shared, is_closed, .. } = &*self.inner;
        if !claim.scope.covers(names.source()) {
            return std::future::pending().await;
        }
        let mut closed = is_closed.subscribe();
        loop {
            let mut available = std::pin::pin!(shared.available.notified());
            available.as_mut().enable();
            self.check_open()?;
            let (claimed, next, now) = {
                let now = shared.clock.now();
                let mut log = shared.log();
                (log.claim(claim.count, now), log.next_time(), now)
            };
            let deliveries: Vec<_> = claimed
                .into_iter()
                .map(|claimed| {
                    if let Some(since) = claimed.arrived_at() {
                        shared.numbers.waited(now.since(since));
                    }
                    names.delivery(claimed)
                })
                .collect();
            if !deliveries.is_empty() {
                return Ok(deliveries);
            }
            let wait = next.and_then(|next| shared.clock.until(next));
            let due = async {
                match wait {
                    Some(wait) => tokio::time::sleep(wait).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = available => {}
                () = due => {}
                _ = closed.wait_for(|is_closed| *is_closed) => {}
            }
        }
    }

    /// A record that is done is durable with the next commit; a letter is durable when this returns.
    async fn settle(&self, settlements: &[FinishedDelivery<RecordFence>]) -> Vec<Result<(), SettleError>> {
        let Applied { mut answers, letters, busy, .. } = self.apply(settlements);
        if !letters.is_empty() {
            let (indexes, letters): (Vec<_>, Vec<_>) = letters.into_iter().unzip();
            let results = self.inner.sink.hand_over(letters).await;
            for (index, result) in indexes.into_iter().zip(results) {
                answers[index] = result;
            }
        }
        for index in busy {
            answers[index] = self.settle_after_hand_over(&settlements[index]).await;
        }
        answers
    }

    async fn extend(&self, fences: &[RecordFence]) -> Vec<Result<Option<Time>, SettleError>> {
        let log = self.inner.shared.log();
        fences.iter().map(|fence| if log.is_held(*fence) { Ok(None) } else { Err(SettleError::Stale) }).collect()
    }
}

impl Inner {
    fn close(&self) {
        let threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(threads) = threads {
            self.sink.flush();
            threads.stop();
        }
        self.shared.change(|log, _| {
            let epochs = log.epochs();
            log.remove(&epochs);
        });
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        let threads = self.threads.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(threads) = threads {
            threads.stop_later();
        }
    }
}

impl std::fmt::Debug for Inner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("KafkaSource").field("group", &self.names.source()).finish_non_exhaustive()
    }
}
