//! Take letters to retry them.
//!
//! The processor takes those whose time has come; a person names those that are wanted. Both go the same way,
//! so of two who want one letter exactly one gets it.

use std::sync::Arc;

use redrive_core::{LetterId, Priority, QueueName, Span, Status, Time, Trigger};

use super::{SeenLetter, Wanted, check_count, check_lease};
use crate::fact::Facts;
use crate::item::Phase;
use crate::queue::{Queue, Why};
use crate::sorted::{DueKey, Sorted};
use crate::state::NO_DOCUMENT;
use crate::{Before, ItemInfo, Moment, Refusal, State};

/// Letters of a queue whose time has come.
#[derive(Debug, Clone)]
pub struct Claim {
    pub queue: QueueName,
    pub batch: u64,
    pub lease: Span,
    pub scope: Scope,
}

/// Of which destinations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// All but these: their breakers are open.
    AllBut(Vec<Arc<str>>),
    /// These alone: to see whether they answer again.
    Only(Vec<Arc<str>>),
}

impl Scope {
    pub const fn all() -> Self {
        Self::AllBut(Vec::new())
    }

    /// Whether work for this destination is wanted.
    pub fn covers(&self, destination: &str) -> bool {
        match self {
            Self::AllBut(held) => held.iter().all(|held| **held != *destination),
            Self::Only(only) => only.iter().any(|only| **only == *destination),
        }
    }
}

impl Claim {
    /// Whether it can be served at all.
    pub fn check(&self) -> Result<(), Refusal> {
        Wanted { batch: self.batch, lease: Some(self.lease) }.check()
    }

    /// At most a batch of letters, none of them early. High priorities go first, and low ones never starve.
    pub fn apply(&self, state: &mut State, moment: Moment, facts: &mut Facts) -> Result<Vec<ItemInfo>, Refusal> {
        let (number, queue) = state.named(&self.queue)?;
        self.check()?;
        if queue.settings.is_paused {
            return Ok(Vec::new());
        }
        let mut claimed = Vec::new();
        while (claimed.len() as u64) < self.batch {
            let Some(slot) = state.queues.get(&number).and_then(|queue| self.next(queue, moment.now)) else { break };
            state.claim(slot, Trigger::Automatic, self.lease, moment, facts);
            claimed.extend(state.items.get(slot).map(|item| ItemInfo::of(slot, item)));
        }
        Ok(claimed)
    }

    /// When the next letter that is wanted is due, past times included.
    pub fn next_due(&self, state: &State) -> Option<Time> {
        let (_, queue) = state.named(&self.queue).ok().filter(|(_, queue)| !queue.settings.is_paused)?;
        let wanted = queue.due.iter().filter(|(destination, _)| self.scope.covers(destination));
        wanted.flat_map(|(_, orders)| orders).filter_map(Sorted::first).map(DueKey::at).min()
    }

    /// The letter whose turn it is.
    fn next(&self, queue: &Queue, now: Time) -> Option<u32> {
        let earliest = |priority: Priority| {
            let wanted = queue.due.iter().filter(|(destination, _)| self.scope.covers(destination));
            let firsts = wanted.filter_map(|(_, orders)| orders[priority as usize].first());
            firsts.filter(|key| key.at() <= now).min().map(|key| key.slot)
        };
        let priority = queue.due_turns.clone().next(|priority| earliest(priority).is_some())?;
        earliest(priority)
    }
}

/// Letters that somebody names. Policy, schedule and budget do not hold a person back.
#[derive(Debug, Clone)]
pub struct ClaimLetters {
    pub queue: QueueName,
    pub letters: Vec<NamedLetter>,
    pub lease: Span,
    pub trigger: Trigger,
}

/// A letter that somebody names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamedLetter {
    pub id: LetterId,
    /// As what it was seen, where it is meant only as that.
    pub revision: Option<u64>,
}

impl From<LetterId> for NamedLetter {
    fn from(id: LetterId) -> Self {
        Self { id, revision: None }
    }
}

impl From<SeenLetter> for NamedLetter {
    fn from(seen: SeenLetter) -> Self {
        Self { id: seen.id, revision: Some(seen.revision) }
    }
}

impl ClaimLetters {
    /// All of them, or none: a letter that is claimed, completed or archived is a conflict, and so is one that changed since
    /// it was seen.
    pub fn apply(&self, state: &mut State, moment: Moment, facts: &mut Facts) -> Result<Vec<ItemInfo>, Refusal> {
        let number = state.queue_number(&self.queue)?;
        check_count("letters", self.letters.len())?;
        check_lease(self.lease)?;
        let mut slots = Vec::with_capacity(self.letters.len());
        for NamedLetter { id, revision } in self.letters.iter().copied() {
            let (slot, letter) = state.slot_of_letter(number, id).ok_or(Refusal::NoSuchLetter(id))?;
            let is_free = matches!(letter.status, Status::Pending | Status::Exhausted) && !slots.contains(&slot);
            if !is_free {
                return Err(Refusal::LetterConflict { letter: id, status: letter.status, verb: "retried" });
            }
            if revision.is_some_and(|seen| seen != letter.revision) {
                return Err(Refusal::LetterChanged { letter: id, revision: letter.revision });
            }
            slots.push(slot);
        }
        let claimed = slots.into_iter().filter_map(|slot| {
            state.claim(slot, self.trigger, self.lease, moment, facts);
            state.items.get(slot).map(|item| ItemInfo::of(slot, item))
        });
        Ok(claimed.collect())
    }
}

impl State {
    /// Gives a letter to somebody, under a new id: whoever held it before holds nothing any more.
    fn claim(&mut self, slot: u32, trigger: Trigger, lease: Span, moment: Moment, facts: &mut Facts) {
        let stamp = self.stamps.next(moment);
        self.revise(slot, Why::Claimed, NO_DOCUMENT, facts, |item| {
            let due = (item.phase == Phase::Due).then_some(item.at);
            item.stamp = stamp;
            item.phase = Phase::Leased;
            item.at = moment.now.saturating_add(lease);
            item.attempts = item.attempts.saturating_add(1);
            item.deliveries = item.deliveries.saturating_add(1);
            if let Some(letter) = item.letter_mut() {
                letter.before = Some(Box::new(Before::of(letter, due)));
                letter.status = Status::Retrying;
                letter.trigger = trigger;
            }
        });
    }
}
