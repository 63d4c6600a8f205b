//! Letters that are named by a caller, as a source: each is claimed when the runner has a slot for it.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use redrive_core::{AttemptLimit, ItemId, LetterId, Time, Trigger};
use redrive_model::{Attempt, ClaimById, Claimed, DestinationFilter, LetterSelector, Rejection};
use redrive_store::{Store, StoreError};
use tokio::sync::Notify;

use super::processor::ProcessorError;
use crate::{ClaimSpec, Delivery, DueLetters, FinishedDelivery, Resolution, SettleError, Source, SourceError};

/// What became of a letter.
#[derive(Debug)]
pub(super) enum NamedEnd {
    /// It was not claimed.
    NotClaimed(ProcessorError),
    /// An attempt was made, and settled or too late.
    Tried(Box<Attempt>),
    /// It was released without an attempt.
    Released,
}

/// The letters of one manual retry.
#[derive(Debug)]
pub(super) struct NamedQueue {
    store: Arc<dyn Store>,
    due: DueLetters,
    /// Who requested the retry.
    actor: Arc<str>,
    /// Taken by each claim, so that no letter is claimed twice.
    claiming: Arc<tokio::sync::Mutex<()>>,
    progress: Mutex<Progress>,
    /// Notified when a letter has its end.
    ended: Notify,
}

#[derive(Debug, Default)]
struct Progress {
    /// Not claimed yet.
    waiting: VecDeque<LetterSelector>,
    /// Claimed, and not with the runner yet.
    claimed: VecDeque<Delivery<ItemId>>,
    /// The ids under which letters were claimed.
    fences: HashMap<ItemId, LetterId>,
    ends: HashMap<LetterId, NamedEnd>,
    count: usize,
}

impl NamedQueue {
    pub(super) fn new(store: Arc<dyn Store>, due: DueLetters, actor: &str, letters: Vec<LetterSelector>) -> Self {
        let progress = Progress { count: letters.len(), waiting: letters.into(), ..Progress::default() };
        let (progress, ended) = (Mutex::new(progress), Notify::new());
        Self { store, due, actor: actor.into(), claiming: Arc::default(), progress, ended }
    }

    // No code panics while it holds the lock.
    fn progress(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until every letter has its end. For one waiter.
    pub(super) async fn ended(&self) {
        while !self.progress().has_ended() {
            self.ended.notified().await;
        }
    }

    /// Releases what the runner, which has stopped, did not take, and returns the ends. The result of a letter without
    /// one is not known.
    pub(super) async fn close(&self) -> HashMap<LetterId, NamedEnd> {
        let _claiming = self.claiming.lock().await;
        self.give_up_waiting(&ProcessorError::Stopping);
        let left: Vec<_> = std::mem::take(&mut self.progress().claimed)
            .into_iter()
            .map(|delivery| FinishedDelivery { fence: delivery.fence, resolution: Resolution::Release, attempt: None })
            .collect();
        if !left.is_empty() {
            // What is not released is released by the end of its claim.
            let _answers = self.settle(&left).await;
        }
        std::mem::take(&mut self.progress().ends)
    }

    /// Claims no letter any more.
    fn give_up_waiting(&self, why: &ProcessorError) {
        let letters = std::mem::take(&mut self.progress().waiting);
        self.not_claimed(letters, why);
    }

    async fn settle(&self, settlements: &[FinishedDelivery<ItemId>]) -> Vec<Result<(), SettleError>> {
        let sent: Vec<_> = settlements.iter().map(|settlement| self.with_actor(settlement)).collect();
        let answers = self.due.settle(&sent).await;
        let ended = answers.iter().zip(sent).filter(|(answer, _)| matches!(answer, Ok(()) | Err(SettleError::Stale)));
        let mut progress = self.progress();
        for (_, settlement) in ended {
            let Some(letter) = progress.fences.remove(&settlement.fence) else { continue };
            progress.ends.insert(letter, settlement.attempt.map_or(NamedEnd::Released, NamedEnd::Tried));
        }
        drop(progress);
        self.ended.notify_one();
        answers
    }

    fn with_actor(&self, settlement: &FinishedDelivery<ItemId>) -> FinishedDelivery<ItemId> {
        let mut settlement = settlement.clone();
        if let Some(attempt) = &mut settlement.attempt {
            attempt.actor = Some(Arc::clone(&self.actor));
        }
        settlement
    }

    /// Claims letters. Those that cannot be claimed have their end.
    async fn claim(&self, mut letters: Vec<LetterSelector>) {
        while !letters.is_empty() {
            let claim = ClaimById {
                queue: self.due.queue().clone(),
                letters: letters.clone(),
                lease: self.due.lease(),
                trigger: Trigger::Manual,
            };
            let error = match self.store.claim_by_id(claim).await {
                Ok(Claimed { letters, settings }) => {
                    let mut progress = self.progress();
                    for letter in letters {
                        let id = letter.info.letter.as_deref().map(|letter| letter.id);
                        let delivery = self.due.delivery(letter, &settings);
                        progress.fences.extend(id.map(|id| (delivery.fence, id)));
                        progress.claimed.push_back(delivery);
                    }
                    return;
                }
                Err(error) => error,
            };
            // All are claimed or none: the others are claimed without the one that cannot be.
            let position = rejected(&error).and_then(|id| letters.iter().position(|letter| letter.id == id));
            match position {
                Some(position) => {
                    self.not_claimed([letters.remove(position)], &error.into());
                }
                // It may be about one of them only.
                None if letters.len() > 1 => {
                    let last = letters.split_off(letters.len() - 1);
                    Box::pin(self.claim(last)).await;
                }
                None => return self.not_claimed(letters, &error.into()),
            }
        }
    }

    fn not_claimed(&self, letters: impl IntoIterator<Item = LetterSelector>, error: &ProcessorError) {
        let ends = letters.into_iter().map(|letter| (letter.id, NamedEnd::NotClaimed(error.clone())));
        self.progress().ends.extend(ends);
        self.ended.notify_one();
    }
}

impl Progress {
    fn has_ended(&self) -> bool {
        self.ends.len() >= self.count
    }
}

/// Removes up to `count` of the first.
fn take<T>(from: &mut VecDeque<T>, count: usize) -> Vec<T> {
    let count = count.min(from.len());
    from.drain(..count).collect()
}

/// The letter that a claim of several was rejected for.
const fn rejected(error: &StoreError) -> Option<LetterId> {
    match error {
        StoreError::Rejected(
            Rejection::NoSuchLetter(letter)
            | Rejection::LetterHeld(letter)
            | Rejection::LetterDamaged(letter)
            | Rejection::LetterConflict { letter, .. }
            | Rejection::LetterChanged { letter, .. },
        ) => Some(*letter),
        _ => None,
    }
}

/// The source over a queue of named letters.
#[derive(Debug)]
pub(super) struct NamedLetters(pub(super) Arc<NamedQueue>);

#[async_trait]
impl Source for NamedLetters {
    type Fence = ItemId;

    fn name(&self) -> &Arc<str> {
        self.0.due.name()
    }

    async fn limit(&self) -> Result<AttemptLimit, SourceError> {
        self.0.due.limit().await
    }

    /// Yields each letter once, and nothing after the last one. When a circuit breaker of the runner has opened, the
    /// other letters are not claimed: the caller does not wait for the end of an outage.
    async fn claim(&self, claim: ClaimSpec) -> Result<Vec<Delivery<ItemId>>, SourceError> {
        let queue = &self.0;
        match &claim.scope {
            DestinationFilter::AllBut(held) => {
                if let Some(destination) = held.first() {
                    queue.give_up_waiting(&ProcessorError::BreakerOpen(Arc::clone(destination)));
                }
            }
            DestinationFilter::Only(_) => return std::future::pending().await,
        }
        loop {
            let claiming = Arc::clone(&queue.claiming).lock_owned().await;
            let taken = take(&mut queue.progress().claimed, claim.count);
            if !taken.is_empty() {
                return Ok(taken);
            }
            let letters = take(&mut queue.progress().waiting, claim.count);
            if letters.is_empty() {
                drop(claiming);
                return std::future::pending().await;
            }
            // To its end, also if the runner drops the claim: its letters are known then.
            let claimed = tokio::spawn({
                let (queue, letters) = (Arc::clone(queue), letters.clone());
                async move {
                    queue.claim(letters).await;
                    drop(claiming);
                }
            });
            if claimed.await.is_err() {
                queue.not_claimed(letters, &ProcessorError::Stopping);
            }
        }
    }

    async fn settle(&self, settlements: &[FinishedDelivery<ItemId>]) -> Vec<Result<(), SettleError>> {
        self.0.settle(settlements).await
    }

    async fn extend(&self, fences: &[ItemId]) -> Vec<Result<Option<Time>, SettleError>> {
        self.0.due.extend(fences).await
    }
}
