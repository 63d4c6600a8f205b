//! The keyed log as a `Source`.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use async_trait::async_trait;
use bytes::Bytes;
use redrive_core::{AttemptLimit, Time};
use redrive_model::Content;
use redrive_run::{ClaimSpec, Delivery, FinishedDelivery, Resolution, SettleError, Source, SourceError};
use redrive_store::{Clock, ManualClock};
use tokio::sync::Notify;

use super::dead_queue::{DeadQueue, letter_of};
use super::log::{Fence, Log};

/// Clones share the log.
#[derive(Debug, Clone)]
pub(crate) struct KeyedSource {
    name: Arc<str>,
    clock: ManualClock,
    log: Arc<Mutex<Log>>,
    dead: DeadQueue,
    /// Notified when a record may have become claimable.
    changed: Arc<Notify>,
    /// Held while results are settled: no other settlement may run between the capture of a letter and the removal of
    /// its record.
    settling: Arc<tokio::sync::Mutex<()>>,
    pub(super) loses_next_answer: Arc<AtomicBool>,
}

impl KeyedSource {
    pub(crate) fn new(name: &str, clock: ManualClock, dead: DeadQueue) -> Self {
        let changed = Arc::new(Notify::new());
        let wake = Arc::clone(&changed);
        clock.on_move(Arc::new(move || wake.notify_waiters()));
        Self {
            name: Arc::from(name),
            clock,
            log: Arc::default(),
            dead,
            changed,
            settling: Arc::default(),
            loses_next_answer: Arc::default(),
        }
    }

    pub(super) fn log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap()
    }

    /// Changes the log, and wakes the claims that wait.
    pub(super) fn change<T>(&self, change: impl FnOnce(&mut Log) -> T) -> T {
        let changed = change(&mut self.log());
        self.changed.notify_waiters();
        changed
    }

    /// Appends a record that is available at once.
    pub(crate) fn append(&self, content: Content, destination: &str) {
        self.change(|log| log.append(content, Arc::from(destination), self.clock.now(), None));
    }

    /// Takes all records back, as a consumer group does that assigns them anew.
    pub(crate) fn reassign(&self) {
        self.change(Log::reassign);
    }

    /// The payloads of the unfinished records, with their counts of attempts and the times at which they are due; no
    /// time if a record is claimed.
    pub(crate) fn unfinished(&self) -> Vec<(Bytes, u32, Option<Time>)> {
        self.log().unfinished().collect()
    }

    async fn finish(&self, settlement: &FinishedDelivery<Fence>) -> Result<(), SettleError> {
        let fence = settlement.fence;
        let attempt = settlement.attempt.as_deref();
        match &settlement.resolution {
            Resolution::Ack { .. } | Resolution::Drop => self.change(|log| log.finish(fence)),
            Resolution::DeadLetter(dead) => {
                let now = self.clock.now();
                let letter = letter_of(self.log().claimed(fence)?, fence, dead, attempt, &self.name, now);
                self.dead.capture(letter).await?;
                self.change(|log| log.finish(fence))
            }
            Resolution::Retry { at, charged } => self.change(|log| {
                let record = log.claimed(fence)?;
                record.record_failure(attempt);
                record.release(*at, *charged);
                Ok(())
            }),
            Resolution::Defer { until } => self.change(|log| {
                log.claimed(fence)?.release(*until, false);
                Ok(())
            }),
            Resolution::Release => self.change(|log| {
                log.claimed(fence)?.release(Time::MIN, false);
                Ok(())
            }),
            Resolution::RedeliverForHandOver { at } => self.change(|log| {
                let record = log.claimed(fence)?;
                record.record_failure(attempt);
                record.redeliver_for_hand_over(*at);
                Ok(())
            }),
        }
    }
}

#[async_trait]
impl Source for KeyedSource {
    type Fence = Fence;

    fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// Unlimited: the attempt counts are lost at a restart.
    async fn limit(&self) -> Result<AttemptLimit, SourceError> {
        Ok(AttemptLimit::Unlimited)
    }

    /// There is no await point between the claim of records and the return, so that a dropped claim holds none.
    async fn claim(&self, claim: ClaimSpec) -> Result<Vec<Delivery<Fence>>, SourceError> {
        loop {
            let mut changed = std::pin::pin!(self.changed.notified());
            changed.as_mut().enable();
            let claimed = self.log().claim(&claim, self.clock.now(), &self.name);
            if !claimed.is_empty() {
                return Ok(claimed);
            }
            changed.await;
        }
    }

    async fn settle(&self, settlements: &[FinishedDelivery<Fence>]) -> Vec<Result<(), SettleError>> {
        let _settling = self.settling.lock().await;
        let mut answers = Vec::with_capacity(settlements.len());
        for settlement in settlements {
            answers.push(self.finish(settlement).await);
        }
        if self.loses_next_answer.swap(false, Ordering::Relaxed) {
            let lost = SettleError::Unavailable("the answer was lost".to_owned());
            return vec![Err(lost); settlements.len()];
        }
        answers
    }

    async fn extend(&self, fences: &[Fence]) -> Vec<Result<Option<Time>, SettleError>> {
        let mut log = self.log();
        fences.iter().map(|fence| log.claimed(*fence).map(|_| None)).collect()
    }
}
