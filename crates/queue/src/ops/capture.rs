//! Make letters of failures.
//!
//! A failure that is told twice is one letter: by its source id, or by the message of the source that it came
//! from. Whoever captures before acknowledging at the source may therefore capture again after a crash.

use std::sync::Arc;

use redrive_core::{
    CaptureReason, LetterId, PolicySource, QueueName, RetryPolicy, Status, Strategy, Terms, Time, Trigger,
};

use super::case::{Case, Preview};
use super::new_letters::{Formed, NewLetter, NewLetters};
use super::{check_count, check_source_id};
use crate::fact::{Attach, Fact, Facts};
use crate::item::{Extra, Item, Phase, Place};
use crate::letter::{Destination, Letter, Settled, retries};
use crate::queue::{QueueSettings, Why};
use crate::state::attempt_document;
use crate::{Content, Moment, OnDuplicate, OnFull, Refusal, State, Treatment};

/// Failures that become letters of a dead queue.
#[derive(Debug, Clone)]
pub struct Capture {
    pub queue: QueueName,
    pub letters: NewLetters,
}

/// What became of one failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Captured {
    pub letter: LetterId,
    pub generation: u32,
    pub status: Status,
    /// How the letter is retried.
    pub policy: RetryPolicy,
    pub max_retries: u32,
    pub reason: CaptureReason,
}

impl Capture {
    pub fn new(queue: QueueName, letters: Vec<NewLetter>) -> Self {
        Self { queue, letters: letters.into() }
    }

    /// One answer for each letter. If one of them cannot be taken, none is; that the queue was full is counted.
    pub fn apply(self, state: &mut State, moment: Moment, facts: &mut Facts) -> Result<Vec<Captured>, Refusal> {
        let (number, queue) = state.named(&self.queue)?;
        let settings = queue.settings.clone();
        check_count("letters", self.letters.len())?;
        let treatment = settings.letters.over(&state.treatment);
        for letter in self.letters.iter() {
            check_wanted(letter, treatment.strategy())?;
            check_source_id(&letter.source_id)?;
            letter.content.check()?;
            check_size(&letter.content, treatment.letter_bytes_max)?;
            // What a queue gives by itself may be without delays by now: then the letter waits for a person.
            if letter.policy_source != PolicySource::Default {
                treatment.check_policy(letter.policy)?;
            }
            if letter.max_retries.is_some_and(|retries| retries > QueueSettings::MAX_RETRIES_MAX) {
                return Err(Refusal::TooManyRetries);
            }
            if letter.destination.len() > NewLetter::DESTINATION_BYTES_MAX {
                return Err(Refusal::BadDestination { most: NewLetter::DESTINATION_BYTES_MAX });
            }
        }
        if state.items.next_frees().nth(self.letters.len()).is_none() {
            return Err(Refusal::NoSlots);
        }
        let wanted = treatment.on_duplicate;
        let messages: Vec<_> = self.letters.iter().map(|letter| letter.dossier.origin.coordinates()).collect();
        let are_heard_of = state.are_heard_of(number, &self.letters, &messages);
        let mut preview = Preview::new(wanted, self.letters.len());
        let looked_through = self.letters.iter().zip(&messages).zip(are_heard_of);
        let looked_through = looked_through
            .map(|((letter, message), is_heard_of)| preview.add(state, number, letter, *message, !is_heard_of));
        let are_first: Vec<bool> = looked_through.collect::<Result<_, _>>()?;
        let free = treatment.max_size.map(|most| most.saturating_sub(queue.letters.live()));
        if treatment.on_full == OnFull::Reject && free.is_some_and(|free| preview.growth() > free) {
            state.record(Fact::CaptureRefused { queue: number }, facts);
            return Err(Refusal::QueueFull { max_size: treatment.max_size.unwrap_or_default() });
        }
        let here = Here { number, settings, treatment };
        let letters = self.letters.forms().zip(messages).zip(are_first);
        let captured = letters.map(|((new, message), is_first)| {
            if is_first {
                return state.capture(&here, new, (message, 1), moment, facts);
            }
            match Case::of(state, number, wanted, new.letter, message) {
                Case::Duplicate { slot } => return answer(state, slot, CaptureReason::Duplicate),
                Case::Again { slot, then: OnDuplicate::NewGeneration } => state.put_away(slot, moment, facts),
                Case::Again { slot, .. } => return state.merge(slot, new.letter, moment, facts),
                Case::New => {}
            }
            let generation = state.next_generation(number, &new.letter.source_id);
            state.capture(&here, new, (message, generation), moment, facts)
        });
        Ok(captured.flatten().collect())
    }
}

fn answer(state: &State, slot: u32, reason: CaptureReason) -> Option<Captured> {
    let item = state.items.get(slot)?;
    Some(match item.letter() {
        Some(letter) => Captured {
            letter: letter.id,
            generation: letter.generation,
            status: letter.status,
            policy: letter.policy,
            max_retries: u32::from(letter.max_retries),
            reason,
        },
        None => Captured {
            letter: LetterId::new(item.stamp.id(slot).ksuid()),
            generation: 0,
            status: Status::Pending,
            policy: RetryPolicy::Never,
            max_retries: 0,
            reason,
        },
    })
}

/// The queue that letters are captured into.
struct Here {
    number: u32,
    settings: QueueSettings,
    treatment: Treatment,
}

/// Whether a queue takes such a failure: one that somebody hands over, or one that was caught.
fn check_wanted(new: &NewLetter, strategy: Strategy) -> Result<(), Refusal> {
    if !strategy.takes_explicit() {
        return Err(Refusal::CaptureDisabled);
    }
    match strategy.skips(new.category).filter(|_| new.dossier.is_automatic()) {
        Some(_) => Err(Refusal::SkippedByStrategy { category: new.category, strategy }),
        None => Ok(()),
    }
}

pub(super) fn check_size(content: &Content, most: Option<u64>) -> Result<(), Refusal> {
    let bytes = content.bytes() as u64;
    match most.filter(|most| bytes > *most) {
        Some(most) => Err(Refusal::LetterTooLarge { bytes, most }),
        None => Ok(()),
    }
}

/// How a failure is retried in a queue, and who says so.
fn terms_of(new: &NewLetter, treatment: &Treatment) -> Terms {
    let (policy, source) = match (new.policy_source, treatment.default_policy) {
        (PolicySource::Default, Some(policy)) => (policy, PolicySource::Default),
        (PolicySource::Default, None) => (new.policy, PolicySource::Derived),
        (source, _) => (new.policy, source),
    };
    Terms { policy, source, max_retries: new.max_retries.unwrap_or(treatment.max_retries) }
}

impl State {
    /// For each failure whether a letter may have its source id or its message. Mostly none has.
    fn are_heard_of(&self, queue: u32, letters: &[NewLetter], messages: &[Option<[u8; 16]>]) -> Vec<bool> {
        let sources = letters.iter().map(|letter| Some(letter.source_id.as_bytes()));
        let messages = messages.iter().map(|message| message.as_ref().map(<[u8; 16]>::as_slice));
        let mut are_there = self.sources.are_there(queue, sources);
        for (is_there, is_told) in are_there.iter_mut().zip(self.coordinates.are_there(queue, messages)) {
            *is_there |= is_told;
        }
        are_there
    }

    /// A further failure of work whose letter is live: its record is kept with it, its budget is not touched.
    fn merge(&mut self, slot: u32, new: &NewLetter, moment: Moment, facts: &mut Facts) -> Option<Captured> {
        let mut item = self.items.get(slot)?.clone();
        let mut is_settled_anew = false;
        if let Some(letter) = item.letter_mut()
            && letter.status != Status::Retrying
        {
            letter.category = new.category;
            letter.fingerprint = new.fingerprint;
            letter.last_failed_at = new.failed_at.max(letter.last_failed_at);
            // A derived policy follows the newest failure, and with it the schedule.
            let derived = new.category.derived_policy();
            is_settled_anew = letter.policy_source == PolicySource::Derived && letter.policy != derived;
            letter.policy = if is_settled_anew { derived } else { letter.policy };
        }
        if is_settled_anew {
            let settled = self.settle(&item, moment);
            item = self.parked(item, settled, moment);
        }
        self.revise(slot, Why::Merged, attempt_document(Some(&new.attempt)), facts, |old| *old = item);
        answer(self, slot, CaptureReason::Merged)
    }

    /// Of all letters that have had this source id, a new one is the next.
    fn next_generation(&self, queue: u32, source_id: &str) -> u32 {
        let generations = self.letters_of_source(queue, source_id).map(|(_, letter)| letter.generation);
        generations.max().unwrap_or(0).saturating_add(1)
    }

    fn capture(
        &mut self,
        here: &Here,
        new: Formed<'_>,
        (message, generation): (Option<[u8; 16]>, u32),
        moment: Moment,
        facts: &mut Facts,
    ) -> Option<Captured> {
        let Here { number, settings, treatment } = here;
        let number = *number;
        let (new, form) = (new.letter, new.form());
        let terms = terms_of(new, treatment);
        let waits_for = self.unfinished(number, &new.dossier.depends_on);
        let slot = self.items.next_frees().next()?;
        let stamp = self.stamps.next(moment);
        let queue = self.queues.get(&number)?;
        let is_full = treatment.max_size.is_some_and(|most| queue.letters.live() >= most);
        let is_over = is_full && treatment.on_full == OnFull::Overflow;
        let partition = queue.placement.first().unwrap_or(0);
        let mut settled = self.settled(number, terms.policy, (terms.max_retries, 0), moment.of(stamp.serial));
        // What does not fit is kept, and scheduled when there is room.
        let is_overflow = is_over && settled.due.is_some();
        settled = if is_overflow { Settled { due: None, ..settled } } else { settled };
        let letter = Letter {
            id: LetterId::new(stamp.id(slot).ksuid()),
            generation,
            revision: 1,
            status: settled.status,
            category: new.category,
            policy: terms.policy,
            policy_source: terms.source,
            fingerprint: new.fingerprint,
            retries: 0,
            max_retries: retries(terms.max_retries),
            total_attempts: 1,
            first_failed_at: new.failed_at,
            last_failed_at: new.failed_at,
            ended_at: (settled.status == Status::Exhausted).then_some(moment.now).into(),
            is_outcome_unknown: false,
            is_overflow,
            before: None,
            trigger: Trigger::Automatic,
            destination: Destination::new(Arc::clone(&new.destination)),
            coordinates: message.into(),
            digest: Some(form.digest).into(),
            change: self.feed.numbers(1),
        };
        let expires_at =
            if settings.letters.is_expiring { moment.now.saturating_add(settings.expire_timeout) } else { Time::MAX };
        let due = settled.due.filter(|_| waits_for.is_empty());
        let (phase, at) = due.map_or((Phase::Ready, Time::MAX), |due| (Phase::Due, due));
        let mut item = Item {
            stamp,
            created_at: moment.now,
            expires_at,
            at,
            source_id: Some(new.source_id.clone()),
            extra: Some(Box::new(Extra { letter: Some(letter), ..Extra::default() })),
            place: Place::NONE,
            queue: number,
            partition,
            attempts: 0,
            deliveries: 0,
            max_attempts: settings.max_attempts,
            phase,
            priority: new.priority,
            is_condemned: false,
            is_filed: false,
        };
        item.wait_for(waits_for);
        if phase == Phase::Ready {
            item.at = self.archived_at(&item, moment);
        }
        let fact = Fact::Item { why: Why::Captured, slot, item, attach: Attach::Filed };
        self.record_filed(fact, &form.papers, Arc::clone(&new.content), facts);
        answer(self, slot, CaptureReason::Enqueued)
    }
}
