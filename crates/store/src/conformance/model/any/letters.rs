//! Operations on letters.

use std::sync::Arc;

use bytes::Bytes;
use redrive_core::{DelayHint, Fingerprint, Ksuid, LetterId, PolicySource, QueueName, Status, Time, Trigger};
use redrive_model::{
    Annotate, Archive, BulkAction, Capture, CaptureContext, ChangeIfUnchanged, ClaimById, ClaimDue, Content,
    DestinationFilter, Edit, FullLetter, HandBackLetter, HandBackLetters, LetterRevision, NewItem, NewLetter,
    OnOlderRevision, Origin, Purge, Reinstate, Restore, RestoreIfUnchanged, Resume,
};

use super::Any;
use crate::conformance::model::naive::Item;

const DESTINATIONS: [&str; 3] = ["x", "y", "z"];

impl Any<'_> {
    pub(super) fn capture(&mut self) -> Capture {
        let count = self.random.one_of([1, 1, 1, 2, 3]);
        let queue = self.dead_queue();
        let letters = (0..count).map(|_| self.new_letter(&queue)).collect();
        Capture::new(queue, letters)
    }

    fn new_letter(&mut self, queue: &QueueName) -> NewLetter {
        // Few sources and few messages, so that failures are captured twice and sources fail again; but enough that a
        // queue becomes full.
        let most = if self.is_of_letters { 40 } else { 4 };
        let offset = self.random.chance(70).then(|| self.random.within(0..=most).cast_signed());
        // Some topics were recreated: another message has the same offset.
        let timestamp = Some(Time::from_secs(self.random.one_of([1, 1, 1, 1, 2])));
        let origin = Origin { transport: "kafka".into(), name: "topic".into(), offset, timestamp, ..Origin::default() };
        let number = self.model.named(queue).map(|queue| queue.number).ok();
        let is_here = |item: &Item| Some(item.queue) == number;
        let depends_on = if self.random.chance(40) { self.dependencies(is_here) } else { Vec::new() };
        let mut context = CaptureContext { origin, depends_on, ..CaptureContext::default() };
        if self.random.chance(50) {
            context.mark_enqueued(self.past_time(), self.random.chance(20), None);
        }
        let category = self.category();
        let source_id = self.source_id();
        // Usually the same source has the same payload.
        let is_other = self.random.chance(10);
        let content = if is_other { self.content() } else { Arc::new(Content::of_payload(source_id.to_string())) };
        let mut new = NewLetter {
            source_id,
            content,
            context,
            attempt: self.attempt(),
            category,
            fingerprint: self.fingerprint(),
            policy: self.policy(),
            policy_source: self.random.one_of([PolicySource::Explicit, PolicySource::Default, PolicySource::Derived]),
            max_retries: self.random.one_of([3, 0, 1, 2, 2, 3, 3, 3, 101]),
            hint: DelayHint::NONE,
            priority: self.priority(),
            destination: Arc::from(self.random.one_of(DESTINATIONS)),
            failed_at: self.past_time(),
            is_of_source: self.random.chance(30),
        };
        if self.random.chance(10) {
            self.hand_back(&mut new, is_here);
        }
        new
    }

    /// Makes it a failure of work that has a letter and was handed back, usually by a retry that is running or done.
    fn hand_back(&mut self, new: &mut NewLetter, is_here: impl Fn(&Item) -> bool) {
        let letters = || self.model.items.iter().filter(|item| is_here(item) && item.letter().is_some());
        let is_tried = |item: &&Item| item.is_leased() || item.letter().is_some_and(|letter| letter.total_attempts > 1);
        let (tried, all): (Vec<&Item>, Vec<&Item>) = (letters().filter(is_tried).collect(), letters().collect());
        let from = if self.random.chance(80) && !tried.is_empty() { &tried } else { &all };
        let Some(item) = self.random.pick(from) else { return };
        let (Some(origin), Some(source_id)) = (&item.coordinates, &item.info.source_id) else { return };
        let replays = item.letter().map_or(0, |letter| letter.replays) + self.random.one_of([0, 1, 1, 1, 2]);
        new.context.origin = Origin { replays, ..origin.clone() };
        new.source_id = source_id.clone();
        if self.random.chance(90) {
            let edition = item.newest_edition().filter(|_| self.random.chance(80));
            let payload = edition.or_else(|| item.captured.clone()).unwrap_or_default();
            new.content = Arc::new(Content { payload, ..Content::default() });
        }
    }

    /// Dependencies of a letter, usually some that may be completed soon.
    fn dependencies(&mut self, is_candidate: impl Fn(&Item) -> bool) -> Vec<LetterId> {
        let letters = || self.model.items.iter().filter(|item| item.letter().is_some());
        let all: Vec<&Item> = letters().collect();
        let candidates: Vec<&Item> = letters().filter(|item| is_candidate(item)).collect();
        let held: Vec<&Item> = candidates.iter().copied().filter(|item| item.is_leased()).collect();
        let count = self.random.one_of([1, 1, 1, 2]);
        let mut letters = Vec::new();
        for _ in 0..count {
            let from = match self.random.below(100) {
                0..70 if !held.is_empty() => &held,
                0..97 => &candidates,
                _ => &all,
            };
            letters.extend(self.random.pick(from).and_then(|item| item.letter_id()));
        }
        letters
    }

    pub(super) fn fingerprint(&mut self) -> Fingerprint {
        Fingerprint::from_bytes(self.random.one_of([[1; 16], [2; 16], [3; 16]]))
    }

    pub(super) fn claim(&mut self) -> ClaimDue {
        let scope = if self.random.chance(15) {
            DestinationFilter::Only(vec![Arc::from(self.random.one_of(DESTINATIONS))])
        } else {
            DestinationFilter::AllBut(
                DESTINATIONS.iter().filter(|_| self.random.chance(15)).map(|held| Arc::from(*held)).collect(),
            )
        };
        ClaimDue {
            queue: self.dead_queue(),
            batch: self.random.one_of([1, 1, 2, 2, 5, 5, 0]),
            lease: self.lease_span(),
            scope,
            wait: redrive_core::Span::ZERO,
        }
    }

    pub(super) fn claim_by_id(&mut self) -> ClaimById {
        let trigger = self.random.one_of([Trigger::Manual, Trigger::Replay]);
        let (queue, letters) = self.some_letters(3, &[Status::Pending, Status::Exhausted]);
        let letters = letters.into_iter().map(|id| {
            let is_seen = self.random.chance(30);
            if is_seen { self.revision_of(id).into() } else { id.into() }
        });
        let letters = letters.collect();
        ClaimById { queue, letters, lease: self.lease_span(), trigger }
    }

    pub(super) fn archive(&mut self) -> Archive {
        // A claimed overflow letter is rare, so it is picked often.
        let rare: Vec<&Item> = self.model.items.iter().filter(|item| item.is_over() && item.is_leased()).collect();
        if let Some(item) = self.random.pick(&rare).filter(|_| self.random.chance(70)) {
            let queue = self.model.queue(item.queue).settings.name.clone();
            return Archive { queue, letters: item.letter_id().into_iter().collect() };
        }
        let (queue, letters) = self.some_letters(3, Status::ALL);
        Archive { queue, letters }
    }

    pub(super) fn restore(&mut self) -> Restore {
        let (queue, letters) = self.some_letters(3, &[Status::Archived]);
        Restore { queue, letters }
    }

    pub(super) fn purge(&mut self) -> Purge {
        let (queue, letters) = self.some_letters(2, Status::ALL);
        Purge { queue, letters }
    }

    /// The current revision of a letter, or sometimes an older one.
    fn revision_of(&mut self, id: LetterId) -> LetterRevision {
        let now = self.model.items.iter().find(|item| item.letter_id() == Some(id)).and_then(Item::letter);
        let revision = now.map_or(1, |letter| letter.revision);
        LetterRevision { id, revision: revision.saturating_sub(u64::from(self.random.chance(20))) }
    }

    pub(super) fn change_if_unchanged(&mut self) -> ChangeIfUnchanged {
        let (queue, letters) = self.some_letters(3, Status::ALL);
        let letters = letters.into_iter().map(|id| self.revision_of(id)).collect();
        let act = self.random.one_of([BulkAction::Archive, BulkAction::Archive, BulkAction::Purge]);
        ChangeIfUnchanged { queue, letters, act }
    }

    pub(super) fn restore_if_unchanged(&mut self) -> RestoreIfUnchanged {
        let (queue, letters) = self.some_letters(3, &[Status::Archived]);
        RestoreIfUnchanged { queue, letters: letters.into_iter().map(|id| self.revision_of(id)).collect() }
    }

    pub(super) fn resume(&mut self) -> Resume {
        let (queue, letters) = self.some_letters(3, &[Status::Exhausted]);
        let is_conditional = self.random.chance(50);
        let selector = |id| if is_conditional { self.revision_of(id).into() } else { id.into() };
        let letters = letters.into_iter().map(selector).collect();
        Resume { queue, letters, actor: self.random.chance(50).then(|| "ops".into()) }
    }

    /// Usually to a queue of work.
    pub(super) fn hand_back_letters(&mut self) -> HandBackLetters {
        let (queue, letters) = self.some_letters(3, &[Status::Pending, Status::Exhausted]);
        let letters = letters.into_iter().map(|id| {
            let to = self.likely_queue();
            let item = NewItem { remember_for: None, enqueue_at: None, ..self.new_item(&to) };
            HandBackLetter { letter: self.revision_of(id), to, item }
        });
        let letters = letters.collect();
        HandBackLetters { queue, letters, actor: self.random.chance(50).then(|| "ops".into()) }
    }

    /// Copies of letters, usually of removed ones and unchanged.
    pub(super) fn reinstate(&mut self) -> Reinstate {
        let count = self.random.one_of([1, 1, 1, 2, 3]);
        // Often a queue with a completed letter, since letters that depend on one are put back.
        let is_completed = |item: &&Item| item.letter().is_some_and(|letter| letter.status == Status::Completed);
        let completed = self.model.items.iter().find(is_completed).map(|item| item.queue);
        let named = self.model.queues.iter().find(|queue| Some(queue.number) == completed);
        let named = named.map(|queue| queue.settings.name.clone()).filter(|_| self.random.chance(75));
        let queue = named.unwrap_or_else(|| self.dead_queue());
        let mut letters: Vec<FullLetter> = Vec::new();
        for _ in 0..count {
            let Some(whole) = self.letter_copy(&queue) else { continue };
            // The id of a letter that is added and replaced in the same request is never shown, so a rejection that
            // names it could not be predicted.
            let is_replaced = |other: &FullLetter| {
                let (one, other) = (whole.info.letter.as_ref().unwrap(), other.info.letter.as_ref().unwrap());
                one.id == other.id && one.revision != other.revision
            };
            if !letters.iter().any(is_replaced) {
                letters.push(whole);
            }
        }
        let older = self.random.one_of([OnOlderRevision::Keep, OnOlderRevision::Replace]);
        Reinstate { queue, letters, older }
    }

    fn letter_copy(&mut self, queue: &QueueName) -> Option<FullLetter> {
        let there: Vec<&Item> = self.model.items.iter().filter(|item| item.letter().is_some()).collect();
        let former = self.random.pick(&self.model.former).filter(|_| self.random.chance(60));
        let mut whole = former.or_else(|| self.random.pick(&there).copied())?.full_letter();
        let foreign = Ksuid::from_bytes(std::array::from_fn(|_| self.random.one_of([0, 1, 7, 0x80, 0xff])));
        let past = self.random.pick(self.past).map(|id| id.ksuid());
        let letter = whole.info.letter.as_mut()?;
        match self.random.below(100) {
            0..15 => letter.id = LetterId::new(foreign),
            15..25 => letter.id = LetterId::new(past?),
            25..45 => letter.revision += self.random.within(1..=3),
            45..50 => letter.revision = letter.revision.saturating_sub(1),
            50..53 => letter.retries = letter.total_attempts - 1,
            53..75 => {
                letter.revision += 1;
                letter.is_blocked = true;
                let number = self.model.named(queue).map(|queue| queue.number).ok();
                let is_any = self.random.chance(15);
                let is_completed = |item: &Item| item.letter().unwrap().status == Status::Completed;
                let is_candidate = |item: &Item| Some(item.queue) == number && (is_any || is_completed(item));
                whole.context.get_or_insert_default().depends_on = self.dependencies(is_candidate);
            }
            _ => {}
        }
        Some(whole)
    }

    pub(super) fn edit(&mut self) -> Edit {
        let (queue, letters) = self.some_letters(1, &[Status::Pending, Status::Exhausted]);
        Edit {
            queue,
            letter: letters.first().copied().unwrap_or(LetterId::new(Ksuid::MAX)),
            content: self.random.chance(40).then(|| self.content()),
            policy: self.random.chance(40).then(|| self.policy()),
            max_retries: self.random.one_of([None, None, Some(0), Some(1), Some(4), Some(101)]),
            priority: self.random.chance(30).then(|| self.priority()),
        }
    }

    pub(super) fn annotate(&mut self) -> Annotate {
        let (queue, letters) = self.some_letters(1, Status::ALL);
        let letter = letters.first().copied().unwrap_or(LetterId::new(Ksuid::MAX));
        Annotate { queue, letter, note: Bytes::from(format!("note {}", self.random.below(1_000))) }
    }

    /// Letters of one queue, usually in one of these statuses.
    fn some_letters(&mut self, most: usize, statuses: &[Status]) -> (QueueName, Vec<LetterId>) {
        let queue = self.dead_queue();
        let is_here = |item: &&Item| self.model.named(&queue).is_ok_and(|queue| queue.number == item.queue);
        let here: Vec<&Item> = self.model.items.iter().filter(is_here).collect();
        let has_status = |item: &&&Item| item.letter().is_some_and(|letter| statuses.contains(&letter.status));
        let matching: Vec<LetterId> = here.iter().filter(has_status).filter_map(|item| item.letter_id()).collect();
        let others: Vec<LetterId> = self.model.items.iter().filter_map(Item::letter_id).collect();
        // Overflow letters are rare, so they are picked often.
        let is_over = |item: &&&Item| item.is_over() && has_status(item);
        let over: Vec<LetterId> = here.iter().filter(is_over).filter_map(|item| item.letter_id()).collect();
        let count = self.random.below(most) + usize::from(self.random.chance(97));
        let mut letters = Vec::new();
        for _ in 0..count {
            let from = match self.random.below(100) {
                0..60 if !over.is_empty() => &over,
                0..92 => &matching,
                _ => &others,
            };
            let gone = self.random.pick(self.past).map(|id| LetterId::new(id.ksuid()));
            letters.extend(self.random.pick(from).copied().or(gone));
        }
        (queue, letters)
    }
}
