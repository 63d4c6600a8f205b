//! Letters that are named by a caller, as a source: each is claimed when the runner has a slot for it.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use async_trait::async_trait;
use redrive_core::{AttemptLimit, ItemId, LetterId, Time, Trigger};
use redrive_model::{Attempt, ClaimById, Claimed, DestinationFilter, LetterSelector, Rejection, StoredItem};
use redrive_store::{Store, StoreError};
use tokio::sync::Notify;

use super::processor::ProcessorError;
use crate::{ClaimSpec, Delivery, DueLetters, FinishedDelivery, Resolution, SettleError, Source, SourceError};

/// What became of a letter.
#[derive(Debug)]
pub(super) enum NamedEnd {
    /// It was not claimed.
    NotClaimed(ProcessorError),
    /// An attempt was made, and its result is stored.
    Tried(Box<Attempt>, Arc<NamedClaim>),
    /// An attempt was made, and its result came after the end of the claim, unless the answer to an earlier one was lost.
    TriedTooLate(Box<Attempt>),
    /// It was released without an attempt.
    Released,
    /// The claim ended before the attempt, whose effect is unknown.
    Lost,
}

/// The claim of a letter. A claim that the runner drops without a result has ended before its attempt.
#[derive(Debug)]
pub(super) struct NamedClaim {
    id: ItemId,
    letter: LetterId,
    /// The letter as it was claimed.
    pub(super) stored: StoredItem,
    queue: Weak<NamedQueue>,
}

impl Drop for NamedClaim {
    fn drop(&mut self) {
        if let Some(queue) = self.queue.upgrade() {
            queue.progress().ends.entry(self.letter).or_insert(NamedEnd::Lost);
            queue.ended.notify_one();
        }
    }
}

/// The letters to be retried.
#[derive(Debug, Default)]
pub(super) struct ToRetry {
    pub(super) letters: Vec<LetterSelector>,
    /// Letters for destinations that are known to be down, one for each. One that fails is left as it was.
    pub(super) probes: Vec<(Arc<str>, LetterSelector)>,
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
    /// All letters that probe, with their destinations.
    probed: Vec<(Arc<str>, LetterSelector)>,
}

#[derive(Debug, Default)]
struct Progress {
    /// Not claimed yet.
    waiting: VecDeque<LetterSelector>,
    /// Claimed, and not with the runner yet.
    claimed: VecDeque<Delivery<Arc<NamedClaim>>>,
    /// Not claimed yet: letters that probe, with their destinations.
    probes: Vec<(Arc<str>, LetterSelector)>,
    ends: HashMap<LetterId, NamedEnd>,
    count: usize,
}

impl NamedQueue {
    pub(super) fn new(store: Arc<dyn Store>, due: DueLetters, actor: &str, letters: ToRetry) -> Self {
        let ToRetry { letters, probes } = letters;
        let count = letters.len() + probes.len();
        let probed = probes.clone();
        let progress = Progress { count, waiting: letters.into(), probes, ..Progress::default() };
        let (progress, ended) = (Mutex::new(progress), Notify::new());
        Self { store, due, actor: actor.into(), claiming: Arc::default(), progress, ended, probed }
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

    /// Releases what the runner, which has stopped, did not take, and returns the ends.
    pub(super) async fn close(&self) -> HashMap<LetterId, NamedEnd> {
        let _claiming = self.claiming.lock().await;
        self.give_up_waiting(&ProcessorError::Stopping);
        let probes = std::mem::take(&mut self.progress().probes);
        self.not_claimed(probes.into_iter().map(|(_, letter)| letter), &ProcessorError::Stopping);
        let left = std::mem::take(&mut self.progress().claimed);
        let left: Vec<_> = left
            .into_iter()
            .map(|delivery| FinishedDelivery { fence: delivery.fence, resolution: Resolution::Release, attempt: None })
            .collect();
        if !left.is_empty() {
            // What is not released is released by the end of its claim.
            let _answers = self.settle(&left).await;
        }
        let ends = std::mem::take(&mut self.progress().ends);
        // Each claim that is dropped takes the lock.
        drop(left);
        ends
    }

    fn is_probe(&self, letter: LetterId) -> bool {
        self.probed.iter().any(|(_, probe)| probe.id == letter)
    }

    /// Claims no letter any more, except for those that probe.
    fn give_up_waiting(&self, why: &ProcessorError) {
        let letters = std::mem::take(&mut self.progress().waiting);
        self.not_claimed(letters, why);
    }

    /// Takes letters that may be claimed now: probes for destinations that a probe may call, or others and the probes that
    /// are not needed any more. When another circuit breaker of the runner has opened, the others are given up.
    fn take_waiting(&self, claim: &ClaimSpec) -> Vec<LetterSelector> {
        let may_probe = |destination: &Arc<str>| match &claim.scope {
            DestinationFilter::Only(probed) => probed.contains(destination),
            DestinationFilter::AllBut(held) => !held.contains(destination),
        };
        if let DestinationFilter::AllBut(held) = &claim.scope
            && let Some(opened) = held.iter().find(|held| self.probed.iter().all(|(probed, _)| probed != *held))
        {
            self.give_up_waiting(&ProcessorError::BreakerOpen(Arc::clone(opened)));
        }
        let mut progress = self.progress();
        let probes = progress.probes.extract_if(.., |(destination, _)| may_probe(destination));
        let mut letters: Vec<LetterSelector> = probes.map(|(_, letter)| letter).collect();
        if matches!(claim.scope, DestinationFilter::AllBut(_)) {
            let more = claim.count.saturating_sub(letters.len());
            letters.extend(take(&mut progress.waiting, more));
        }
        letters
    }

    async fn settle(&self, settlements: &[FinishedDelivery<Arc<NamedClaim>>]) -> Vec<Result<(), SettleError>> {
        let sent: Vec<_> = settlements.iter().map(|settlement| self.with_actor(settlement)).collect();
        let answers = self.due.settle(&sent).await;
        let ended = answers.iter().zip(settlements).zip(sent).filter_map(|((answer, settlement), sent)| {
            let claim = &settlement.fence;
            let end = match (answer, sent.attempt) {
                (Ok(()), Some(attempt)) => NamedEnd::Tried(attempt, Arc::clone(claim)),
                (Err(SettleError::Stale), Some(attempt)) => NamedEnd::TriedTooLate(attempt),
                (Ok(()) | Err(SettleError::Stale), None) => NamedEnd::Released,
                // The runner sends it again, or drops the claim.
                (Err(_), _) => return None,
            };
            Some((claim.letter, end))
        });
        let ended: Vec<_> = ended.collect();
        self.progress().ends.extend(ended);
        self.ended.notify_one();
        answers
    }

    fn with_actor(&self, settlement: &FinishedDelivery<Arc<NamedClaim>>) -> FinishedDelivery<ItemId> {
        let FinishedDelivery { fence, resolution, attempt } = settlement.clone();
        // The destination is still down: the letter is left as it was.
        if matches!(resolution, Resolution::Retry { charged: false, .. }) && self.is_probe(fence.letter) {
            return FinishedDelivery { fence: fence.id, resolution: Resolution::Release, attempt: None };
        }
        let attempt = attempt.map(|attempt| Box::new(Attempt { actor: Some(Arc::clone(&self.actor)), ..*attempt }));
        FinishedDelivery { fence: fence.id, resolution, attempt }
    }

    /// Claims letters. Those that cannot be claimed have their end.
    async fn claim(self: &Arc<Self>, mut letters: Vec<LetterSelector>) {
        while !letters.is_empty() {
            let claim = ClaimById {
                queue: self.due.queue().clone(),
                letters: letters.clone(),
                lease: self.due.lease(),
                trigger: Trigger::Manual,
            };
            let error = match self.store.claim_by_id(claim).await {
                Ok(Claimed { letters, settings }) => {
                    let deliveries = letters.into_iter().filter_map(|stored| {
                        let letter = stored.info.letter.as_deref()?.id;
                        let Delivery { fence: id, work, deadline, is_hand_over_only, unrun, cancel, due } =
                            self.due.delivery(stored.clone(), &settings);
                        let claim = Arc::new(NamedClaim { id, letter, stored, queue: Arc::downgrade(self) });
                        Some(Delivery { fence: claim, work, deadline, is_hand_over_only, unrun, cancel, due })
                    });
                    let deliveries: Vec<_> = deliveries.collect();
                    self.progress().claimed.extend(deliveries);
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
    type Fence = Arc<NamedClaim>;

    fn name(&self) -> &Arc<str> {
        self.0.due.name()
    }

    async fn limit(&self) -> Result<AttemptLimit, SourceError> {
        self.0.due.limit().await
    }

    /// Yields each letter once, and nothing after the last one. When a circuit breaker of the runner has opened, the
    /// other letters are not claimed: the caller does not wait for the end of an outage.
    async fn claim(&self, claim: ClaimSpec) -> Result<Vec<Delivery<Arc<NamedClaim>>>, SourceError> {
        let queue = &self.0;
        loop {
            let claiming = Arc::clone(&queue.claiming).lock_owned().await;
            let taken = take(&mut queue.progress().claimed, claim.count);
            if !taken.is_empty() {
                return Ok(taken);
            }
            let letters = queue.take_waiting(&claim);
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

    async fn settle(&self, settlements: &[FinishedDelivery<Arc<NamedClaim>>]) -> Vec<Result<(), SettleError>> {
        self.0.settle(settlements).await
    }

    async fn extend(&self, fences: &[Arc<NamedClaim>]) -> Vec<Result<Option<Time>, SettleError>> {
        let ids: Vec<ItemId> = fences.iter().map(|claim| claim.id).collect();
        self.0.due.extend(&ids).await
    }
}
