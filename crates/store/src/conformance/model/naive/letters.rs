//! What people do with letters.

use redrive_core::{LetterId, PolicySource, Span, Status, Time};
use redrive_model::{
    Annotate, Archive, BulkAction, BulkResult, ChangeIfUnchanged, ClaimHolder, Edit, EndReason, Event, ItemState,
    PriorState, Rejection, Restore,
};

use super::item::{Document, Item, Number};
use super::settle::lost;
use super::{Expected, Model};

impl Model {
    /// From any status; those that are archived already are no error.
    pub fn archive(&mut self, archive: &Archive, now: Time) -> Result<Expected, Rejection> {
        let queue = self.named(&archive.queue)?.number;
        let mut archived = 0;
        for letter in self.letters_of(queue, &archive.letters)? {
            if self.item(letter).letter().is_some_and(|letter| letter.status == Status::Archived) {
                continue;
            }
            archived += 1;
            self.put_away(letter, now);
        }
        Ok(Expected::Count(archived))
    }

    pub(super) fn put_away(&mut self, letter: Number, now: Time) {
        let retention = self.queue(self.item(letter).queue).settings.letters.archive_retention;
        let order = self.issue();
        self.change(letter, Event::Archived, |item| {
            let due = item.due();
            item.order = order;
            item.info.state = ItemState::Finished;
            item.until = retention.map(|retention| now.saturating_add(retention));
            let Some(letter) = item.letter_mut() else { return };
            let holder = ClaimHolder::default();
            letter.before = Some(PriorState { status: letter.status, due, since: letter.ended_at, holder });
            letter.status = Status::Archived;
            letter.ended_at = Some(now);
        });
    }

    /// One after the other, each by what it is then.
    pub fn change_if_unchanged(&mut self, act: &ChangeIfUnchanged, now: Time) -> Result<Expected, Rejection> {
        let queue = self.named(&act.queue)?.number;
        if act.letters.is_empty() {
            return Err(Rejection::Empty { what: "letters" });
        }
        let mut acted = Vec::new();
        for seen in &act.letters {
            let Ok(item) = self.by_letter(queue, seen.id) else {
                acted.push(BulkResult::Gone);
                continue;
            };
            let (number, letter) = (item.number, item.letter().unwrap());
            let (revision, is_archived) = (letter.revision, letter.status == Status::Archived);
            if revision != seen.revision {
                self.came_by("not as it was seen");
                acted.push(BulkResult::Changed);
                continue;
            }
            match act.act {
                BulkAction::Archive if is_archived => {}
                BulkAction::Archive => self.put_away(number, now),
                BulkAction::Purge => self.end(number, EndReason::Purged),
            }
            acted.push(BulkResult::Done);
        }
        Ok(Expected::Acted(acted))
    }

    /// Says when an item that waits to be leased is archived by itself: so long after it was exhausted, and as long once
    /// more where that was over before it came to wait; not at all, where that is no time and it was restored or held.
    pub(super) fn rest(&mut self, number: Number, why: Event) {
        let item = self.item(number);
        if !item.is_ready() {
            return;
        }
        let ended_at = item.letter().filter(|letter| letter.status == Status::Exhausted).map(|letter| letter.ended_at);
        let after = self.queue(item.queue).settings.letters.auto_archive;
        let now = self.now.unwrap();
        // One that is delivered for its hand-over alone waits for that.
        let after = after.filter(|_| why != Event::RedeliveredForHandOver);
        let until = ended_at.zip(after).and_then(|(ended_at, after)| {
            let since = ended_at.unwrap_or(now);
            let at = since.saturating_add(after);
            let is_left_alone = after == Span::ZERO && (since < now || why == Event::Restored);
            if at > now { Some(at) } else { (!is_left_alone).then(|| now.saturating_add(after)) }
        });
        self.items.iter_mut().filter(|item| item.number == number).for_each(|item| item.until = until);
    }

    /// All that are archived, or none. One that was being retried counts that attempt.
    pub fn restore(&mut self, restore: &Restore, now: Time) -> Result<Expected, Rejection> {
        let queue = self.named(&restore.queue)?;
        let (number, retention) =
            (queue.number, queue.settings.letters.completed_retention.unwrap_or(Span::from_days(7)));
        let most = queue.bounds();
        let mut letters = self.letters_of(number, &restore.letters)?;
        letters.retain(|letter| self.item(*letter).letter().unwrap().status == Status::Archived);
        let restored = letters.len() as u64;
        for letter in &letters {
            self.check_restorable(*letter, &letters)?;
        }
        for letter in letters {
            let id = self.item(letter).letter_id().unwrap();
            let before = self.item(letter).letter().and_then(|letter| letter.before);
            let is_completed = before.is_some_and(|before| before.status == Status::Completed);
            match before.filter(|before| before.since.is_some()).map(|before| before.status) {
                Some(Status::Exhausted) => self.came_by("exhausted before its archive"),
                Some(Status::Completed) => self.came_by("completed before its archive"),
                Some(Status::Retrying) => self.came_by("exhausted before its claim and its archive"),
                _ => {}
            }
            if self.item(letter).is_over() {
                let was_waiting = before.is_some_and(|before| before.status == Status::Pending);
                self.came_by(if was_waiting { "restored to the line" } else { "retried, archived, and left the line" });
            }
            // A completed letter stays out of reach, so its id may stay, too.
            let order = if is_completed { self.item(letter).order } else { self.issue() };
            self.change(letter, Event::Restored, |item| {
                item.order = order;
                let Some(letter) = item.letter_mut() else { return };
                // What ended before the archive ended then, and not when it came back.
                letter.ended_at = before.and_then(|before| before.since);
                letter.before = None;
                match before.map(|before| (before.status, before.due)) {
                    Some((Status::Completed, _)) => {
                        letter.status = Status::Completed;
                        item.until = Some(now.saturating_add(retention));
                    }
                    Some((Status::Pending, _)) if letter.is_overflow => item.settle_in_place(&most, now),
                    Some((Status::Pending, due)) => item.park(Status::Pending, due.map(|due| due.max(now)), now),
                    Some((Status::Exhausted, _)) => item.park(Status::Exhausted, None, now),
                    _ => {
                        let lost = lost(letter.trigger, now);
                        letter.retries += 1;
                        letter.total_attempts += 1;
                        letter.is_outcome_unknown = true;
                        letter.is_overflow = false;
                        item.keep_attempt(Some(&lost));
                        item.settle(&most, now);
                    }
                }
            });
            if is_completed {
                self.unblock(id, now);
            }
        }
        Ok(Expected::Count(restored))
    }

    fn check_restorable(&self, number: Number, together: &[Number]) -> Result<(), Rejection> {
        let item = self.item(number);
        let Some(source_id) = item.info.source_id.as_deref().filter(|_| item.comes_back_live()) else { return Ok(()) };
        let same_source = |other: &Item| other.info.source_id == item.info.source_id;
        let same_message = |other: &Item| item.coordinates.is_some() && other.coordinates == item.coordinates;
        let live = || self.items.iter().filter(|other| other.queue == item.queue && !other.is_finished());
        // Two that are restored together may be in each other's way, too.
        let others = together.iter().filter(|other| **other != number).map(|other| self.item(*other));
        let mut others = others.filter(|other| other.comes_back_live());
        let holder = live().find(|other| same_source(other)).or_else(|| live().find(|other| same_message(other)));
        match holder.or_else(|| others.find(|other| same_source(other) || same_message(other))) {
            Some(holder) => Err(Rejection::SourceHeld { source_id: source_id.into(), by: holder.id() }),
            None => Ok(()),
        }
    }

    /// Settled anew, with what was changed.
    pub fn edit(&mut self, edit: &Edit, now: Time) -> Result<Expected, Rejection> {
        let queue = self.named(&edit.queue)?;
        let most = queue.bounds();
        let item = self.by_letter(queue.number, edit.letter)?;
        let (number, status) = (item.number, item.letter().map(|letter| letter.status).unwrap());
        if !matches!(status, Status::Pending | Status::Exhausted) {
            return Err(Rejection::LetterConflict { letter: edit.letter, status, verb: "edited" });
        }
        if edit.max_retries.is_some_and(|most| most > 100) {
            return Err(Rejection::TooManyRetries);
        }
        edit.policy.map_or(Ok(()), |policy| self.check_policy(self.item(number).queue, policy))?;
        if let Some(content) = &edit.content {
            self.check_size(self.item(number).queue, content)?;
        }
        if self.item(number).is_over() {
            self.came_by("edited in line");
        }
        let order = self.issue();
        self.change(number, Event::Edited, |item| {
            item.order = order;
            item.info.priority = edit.priority.unwrap_or(item.info.priority);
            if let Some(content) = &edit.content {
                let before = std::mem::replace(&mut item.content, content.clone());
                let has_original = item.documents.iter().any(|doc| matches!(doc, Document::Original(_)));
                if !has_original {
                    item.keep(Document::Original(before));
                }
            }
            let Some(letter) = item.letter_mut() else { return };
            letter.max_retries = edit.max_retries.unwrap_or(letter.max_retries);
            if let Some(policy) = edit.policy {
                letter.policy = policy;
                letter.policy_source = PolicySource::Explicit;
            }
            item.settle_in_place(&most, now);
        });
        Ok(Expected::Items(vec![Some(number)]))
    }

    pub fn annotate(&mut self, annotate: &Annotate) -> Result<Expected, Rejection> {
        let queue = self.named(&annotate.queue)?.number;
        let number = self.by_letter(queue, annotate.letter)?.number;
        self.change(number, Event::Annotated, |item| item.keep(Document::Note(annotate.note.clone())));
        Ok(Expected::Nothing)
    }

    /// All that are named; an unknown one refuses them all.
    fn letters_of(&self, queue: u32, ids: &[LetterId]) -> Result<Vec<Number>, Rejection> {
        if ids.is_empty() {
            return Err(Rejection::Empty { what: "letters" });
        }
        let found: Result<Vec<_>, Rejection> = ids.iter().map(|id| self.by_letter(queue, *id)).collect();
        Ok(self.in_order(found?.into_iter()))
    }
}

impl Item {
    /// Whether an archived letter, restored, would wait for an outcome again.
    fn comes_back_live(&self) -> bool {
        self.letter().is_some_and(|letter| letter.before.is_none_or(|before| before.status.is_live()))
    }
}
