//! Reinstating letters from an external copy.

use std::cmp::Ordering;
use std::sync::Arc;

use redrive_core::{ItemId, LetterId, Status, Time};
use redrive_model::{
    EndReason, Event, FullLetter, ItemInfo, ItemState, LetterInfo, OnOlderRevision, Reinstate, Reinstated, Rejection,
};

use super::item::{Document, Item, Number, UNKNOWN_ID, coordinates_of};
use super::{Expected, Model, NotReinstated};

impl Model {
    /// Each letter has a separate result; only an invalid request is rejected as a whole.
    pub fn reinstate(&mut self, reinstate: &Reinstate, now: Time) -> Result<Expected, Rejection> {
        let queue = self.named(&reinstate.queue)?.number;
        if reinstate.letters.is_empty() {
            return Err(Rejection::Empty { what: "letters" });
        }
        let letters = reinstate.letters.iter();
        Ok(Expected::Reinstated(letters.map(|whole| self.reinstate_one(queue, whole, reinstate.older, now)).collect()))
    }

    fn reinstate_one(
        &mut self,
        queue: u32,
        whole: &FullLetter,
        older: OnOlderRevision,
        now: Time,
    ) -> Result<Reinstated, NotReinstated> {
        let new = self.reinstated_item(queue, whole, now);
        let letter = new.letter().unwrap().clone();
        let id = letter.id;
        let there = self.items.iter().find(|item| item.letter_id() == Some(id));
        let older = match there.map(|item| (item, item.letter().unwrap())) {
            None => None,
            Some((item, _)) if item.queue != queue => {
                let queue = self.queue(item.queue).settings.name.clone();
                return Err(NotReinstated::Rejected(Rejection::LetterElsewhere { letter: id, queue }));
            }
            Some((item, old)) => match old.revision.cmp(&letter.revision) {
                Ordering::Greater => return Ok(Reinstated::There),
                Ordering::Equal => {
                    let known = LetterInfo { has_own_origin: false, is_of_source: false, ..old.clone() };
                    let is_same = known == letter
                        && item.info.source_id == new.info.source_id
                        && item.info.priority == new.info.priority
                        && (item.captured.is_none() || new.captured.is_none() || item.captured == new.captured);
                    self.record_rule(if is_same { "put back, and there" } else { "put back, and another" });
                    let other = NotReinstated::Rejected(Rejection::OtherLetter { letter: id });
                    return if is_same { Ok(Reinstated::There) } else { Err(other) };
                }
                Ordering::Less if older == OnOlderRevision::Keep => {
                    let revision = old.revision;
                    return Err(NotReinstated::Rejected(Rejection::OlderLetter { letter: id, revision }));
                }
                Ordering::Less => Some(item.number),
            },
        };
        if let Some(held) = self.conflict_of(&new, older) {
            self.record_rule("put back, and held");
            return Err(held);
        }
        if self.is_waited_for(queue, id, &new.waits_for) {
            self.record_rule("put back, and waiting for itself");
            return Err(NotReinstated::Rejected(Rejection::WaitsForItself(id)));
        }
        if let Some(older) = older {
            self.record_rule("put back for an older one");
            self.remove_older(older);
        }
        let number = new.number;
        self.arrive(new, Event::Reinstated);
        if letter.status == Status::Retrying {
            self.record_rule("put back without its holder");
            self.lose_letter(number, now);
        }
        let waits_for = self.item(number).waits_for.iter().copied();
        let done: Vec<LetterId> = waits_for.filter(|id| self.is_completed(queue, *id)).collect();
        if !done.is_empty() {
            self.record_rule("put back when it was free");
            self.wait_no_more(number, &done, now);
        }
        if letter.status == Status::Completed {
            self.unblock(id, now);
        }
        Ok(if older.is_some() { Reinstated::Newer } else { Reinstated::New })
    }

    /// The reinstated letter under a new item id, with its remaining retention.
    fn reinstated_item(&mut self, queue: u32, whole: &FullLetter, now: Time) -> Item {
        let settings = self.queue(queue).settings.clone();
        let mut item = self.blank(queue, whole.info.partition, &whole.content, now);
        let mut letter = *whole.info.letter.clone().unwrap();
        (letter.has_own_origin, letter.is_of_source) = (false, false);
        let ended_at = letter.ended_at.unwrap_or(now);
        let (state, until) =
            match (letter.status, whole.info.state) {
                (Status::Retrying, ItemState::Leased { deadline }) => (ItemState::Leased { deadline }, None),
                (Status::Retrying, _) => (ItemState::Leased { deadline: now }, None),
                (Status::Completed, _) => (
                    ItemState::Finished,
                    Some(ended_at.saturating_add(
                        settings.letters.completed_retention.unwrap_or(redrive_core::Span::from_days(7)),
                    )),
                ),
                (Status::Archived, _) => {
                    let until = settings.letters.archive_retention.map(|retention| ended_at.saturating_add(retention));
                    (ItemState::Finished, until)
                }
                (Status::Pending, ItemState::Due { at }) => (ItemState::Due { at }, None),
                (_, ItemState::Scheduled { at }) => (ItemState::Scheduled { at }, None),
                _ => (ItemState::Ready, None),
            };
        let depends_on = whole.context.as_ref().map_or_else(Vec::new, |context| context.depends_on.clone());
        let waits_for = if letter.is_blocked { depends_on } else { Vec::new() };
        // A blocked letter has no due time.
        let is_due = matches!(state, ItemState::Due { .. });
        let state = if is_due && !waits_for.is_empty() { ItemState::Ready } else { state };
        letter.next_retry_at = if let ItemState::Due { at } = state { Some(at) } else { None };
        let partition = if whole.info.partition < settings.partitions { whole.info.partition } else { 0 };
        let id = ItemId::new(UNKNOWN_ID);
        item.info = ItemInfo { id, state, partition, letter: Some(Box::new(letter)), ..whole.info.clone() };
        item.until = until;
        item.is_put_back = true;
        let context = whole.context.as_ref();
        item.coordinates = context.and_then(|context| coordinates_of(&context.origin));
        let is_moved = context.is_some_and(|context| context.death.is_some());
        item.captured = (!is_moved).then(|| whole.original.as_ref().unwrap_or(&whole.content).payload.clone());
        let documents = whole.original.iter().map(|original| Document::Original(Arc::clone(original)));
        let documents = documents.chain(context.map(|context| Document::Context(Box::new(context.clone()))));
        let attempts = whole.attempts.iter().map(|attempt| Document::Attempt(Box::new(attempt.clone())));
        let notes = whole.notes.iter().cloned().map(Document::Note);
        item.wait_for(waits_for);
        item.documents =
            documents.chain(attempts).chain(notes).chain(whole.parts.clone().map(Document::Parts)).collect();
        item
    }

    /// The live item with the same source id or message, except for an older revision of the same letter.
    fn conflict_of(&self, new: &Item, older: Option<Number>) -> Option<NotReinstated> {
        new.letter().filter(|letter| letter.status.is_live())?;
        let live = || self.items.iter().filter(|item| item.queue == new.queue && !item.is_finished());
        let others = || live().filter(|item| Some(item.number) != older);
        let same_source = |item: &&Item| new.info.source_id.is_some() && item.info.source_id == new.info.source_id;
        let same_message = |item: &&Item| new.coordinates.is_some() && item.coordinates == new.coordinates;
        let holder = others().find(same_source).or_else(|| others().find(same_message))?;
        let source_id = new.info.source_id.clone().unwrap_or_default();
        Some(if holder.known_order == holder.order {
            NotReinstated::Rejected(Rejection::SourceHeld { source_id, by: holder.id() })
        } else {
            NotReinstated::Held { source_id, by: holder.number }
        })
    }

    /// Removes the older revision of a letter without a feed entry: the newer revision follows.
    fn remove_older(&mut self, number: Number) {
        let at = self.items.iter().position(|item| item.number == number).unwrap();
        let item = self.items.remove(at);
        self.ended += 1;
        let queue = self.queue_mut(item.queue);
        queue.count_end(EndReason::Duplicate);
        queue.count(Event::LetterForgotten);
        if item.is_ready() {
            queue.taken(item.info.partition, 1);
        }
        self.feed.forget(number);
    }
}

impl Item {
    /// The letter with all its documents, as in an external copy.
    pub fn full_letter(&self) -> FullLetter {
        let mut whole = FullLetter {
            info: self.info.clone(),
            content: Arc::clone(&self.content),
            context: None,
            attempts: Vec::new(),
            original: None,
            notes: Vec::new(),
            parts: None,
        };
        for document in self.documents.clone() {
            match document {
                Document::Context(context) => whole.context = Some(*context),
                Document::Attempt(attempt) => whole.attempts.push(*attempt),
                Document::Original(original) => whole.original = Some(original),
                Document::Note(note) => whole.notes.push(note),
                Document::Parts(parts) => whole.parts = Some(parts),
                // A letter does not show the notes for its next delivery.
                Document::LastError(_) | Document::Verdict(_) => {}
            }
        }
        whole
    }
}
