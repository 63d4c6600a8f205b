//! The counters of a transition.
//!
//! They depend on the transition only, so a store counts the same when it applies a transition and when recovery reads
//! its record.

use redrive_core::{Status, Time, Trigger};

use crate::{EndReason, Event, Item, Letter};

/// An event to count in a queue, with its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted {
    pub queue: u32,
    pub event: Event,
    pub at: Time,
}

/// The maximum number of events per transition.
const EVENTS_MAX: usize = 5;

/// The events of an item that arrived or changed. `before` is its previous state; `None` if it arrived.
pub fn counted(event: Event, before: Option<&Item>, after: &Item) -> impl Iterator<Item = Counted> + use<> {
    let mut all = [None; EVENTS_MAX];
    let mut next = 0;
    let mut count = |queue: u32, event: Event, at: Time| {
        all[next] = Some(Counted { queue, event, at });
        next += 1;
    };
    match before.filter(|before| before.queue != after.queue) {
        Some(before) => {
            count(before.queue, event, after.created_at);
            count(after.queue, Event::MovedIn, Time::MIN);
        }
        None if before.is_none() => count(after.queue, event, after.created_at),
        None => {
            let ended_at = after.letter().and_then(|letter| letter.ended_at.get());
            count(after.queue, event, ended_at.unwrap_or(Time::MIN));
        }
    }
    if let Some(letter) = after.letter() {
        // A reinstated letter was exhausted elsewhere.
        let was_exhausted = before.is_some_and(|before| before.letter().is_some_and(Letter::was_exhausted));
        if letter.status == Status::Exhausted && !was_exhausted && event != Event::Reinstated {
            count(after.queue, Event::Exhausted, Time::MIN);
        }
        let before = before.filter(|before| before.queue == after.queue).and_then(Item::letter);
        for of_letter in of_letter(event, before, letter).into_iter().flatten() {
            let at = if of_letter == Event::LetterMade { after.created_at } else { letter.last_failed_at };
            count(after.queue, of_letter, at);
        }
    }
    all.into_iter().flatten()
}

/// The letter events of a transition. `before` is the previous state of the letter in this queue.
fn of_letter(event: Event, before: Option<&Letter>, after: &Letter) -> [Option<Event>; 2] {
    let Some(before) = before else { return [Some(Event::LetterMade), None] };
    let by_hand = after.trigger != Trigger::Automatic;
    let is_charged = after.retries > before.retries;
    match event {
        Event::Claimed if by_hand => [Some(Event::RetriedByHand), None],
        // Handed back without a claim.
        Event::LetterCompleted if by_hand && before.status != Status::Retrying => {
            [Some(Event::RetriedByHand), Some(Event::SucceededByHand)]
        }
        Event::LetterCompleted if by_hand => [Some(Event::SucceededByHand), None],
        Event::Deferred => [Some(Event::LetterDeferred), None],
        // The attempt was running when the claim expired or when the letter was archived.
        Event::LeaseExpired | Event::Restored if is_charged => [Some(Event::AttemptLost), None],
        _ if is_charged => [Some(Event::RetryCharged), by_hand.then_some(Event::ChargedByHand)],
        _ => [None; 2],
    }
}

/// The events of a removed letter, in addition to the reason.
pub const fn counted_end(reason: EndReason) -> [Option<Event>; 2] {
    match reason {
        EndReason::Purged => [Some(Event::LetterCleared), None],
        EndReason::Completed => [Some(Event::LetterForgotten), Some(Event::CompletedForgotten)],
        EndReason::Expired => [Some(Event::LetterForgotten), Some(Event::LetterExpired)],
        // No event for archived letters: only they have the reason `Forgotten`.
        EndReason::Forgotten | EndReason::Dropped | EndReason::Duplicate => [Some(Event::LetterForgotten), None],
    }
}

impl Letter {
    /// Whether the letter is exhausted, or was exhausted when it was claimed or archived, or when it was claimed and
    /// then archived.
    fn was_exhausted(&self) -> bool {
        self.status == Status::Exhausted
            || self.before.as_ref().is_some_and(|before| match before.status {
                Status::Exhausted => true,
                Status::Retrying => before.since.is_some(),
                Status::Pending | Status::Completed | Status::Archived => false,
            })
    }
}
