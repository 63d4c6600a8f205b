//! Manual operations on letters.

use std::sync::Arc;

use redrive_core::{LetterId, Outcome, PolicySource, Span, Status, Time, Trigger};
use redrive_model::{
    Annotate, Archive, Attempt, BulkAction, BulkResult, ChangeIfUnchanged, ClaimHolder, Edit, EndReason, Event,
    ItemState, PriorState, Rejection, Restore, RestoreIfUnchanged, Resume,
};

use super::item::{Document, Item, Number};
use super::settle::lost;
use super::{Expected, Model};

impl Model {
    /// Archives letters in any status. Letters that are already archived are skipped.
    pub fn archive(&mut self, archive: &Archive, now: Time) -> Result<Expected, Rejection> {
        let queue = self.named(&archive.queue)?.number;
        let mut archived = 0;
        for letter in self.letters_of(queue, &archive.letters)? {
            if self.item(letter).letter().is_some_and(|letter| letter.status == Status::Archived) {
                continue;
            }
            archived += 1;
            self.archive_one(letter, now);
        }
        Ok(Expected::Count(archived))
    }

    pub(super) fn archive_one(&mut self, letter: Number, now: Time) {
        let retention = self.queue(self.item(letter).queue).settings.letters.archive_retention;
        let order = self.issue();
        self.change(letter, Event::Archived, now, |item| {
            let due = item.due();
            item.order = order;
            item.info.state = ItemState::Finished;
            item.until = retention.map(|retention| now.saturating_add(retention));
            let Some(letter) = item.letter_mut() else { return };
            let holder = ClaimHolder::default();
            letter.before = Some(PriorState {
                status: letter.status,
                due,
                since: letter.ended_at,
                holder,
                has_failed_again: false,
            });
            letter.status = Status::Archived;
            letter.ended_at = Some(now);
        });
    }

    /// Changes the letters one after the other, each depending on its state at that moment.
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
                self.record_rule("not as it was seen");
                acted.push(BulkResult::Changed);
                continue;
            }
            match act.act {
                BulkAction::Archive if is_archived => {}
                BulkAction::Archive => self.archive_one(number, now),
                BulkAction::Purge => self.end(number, EndReason::Purged),
            }
            acted.push(BulkResult::Done);
        }
        Ok(Expected::Acted(acted))
    }

    /// Sets the time at which an exhausted letter is archived automatically: `auto_archive` after it was exhausted. If
    /// that time has already passed, the letter gets the full time again from now. If `auto_archive` is zero, a letter
    /// that was restored or held is not archived.
    pub(super) fn schedule_auto_archive(&mut self, number: Number, why: Event) {
        let item = self.item(number);
        if !item.is_ready() {
            return;
        }
        let ended_at = item.letter().filter(|letter| letter.status == Status::Exhausted).map(|letter| letter.ended_at);
        let after = self.queue(item.queue).settings.letters.auto_archive;
        let now = self.now.unwrap();
        // A letter that is redelivered for its hand-over waits for that.
        let after = after.filter(|_| why != Event::RedeliveredForHandOver);
        let until = ended_at.zip(after).and_then(|(ended_at, after)| {
            let since = ended_at.unwrap_or(now);
            let at = since.saturating_add(after);
            let is_exempt = after == Span::ZERO && (since < now || why == Event::Restored);
            if at > now { Some(at) } else { (!is_exempt).then(|| now.saturating_add(after)) }
        });
        self.items.iter_mut().filter(|item| item.number == number).for_each(|item| item.until = until);
    }

    /// Restores all archived letters, or none. For a letter that was being retried, that attempt counts.
    pub fn restore(&mut self, restore: &Restore, now: Time) -> Result<Expected, Rejection> {
        let number = self.named(&restore.queue)?.number;
        let mut letters = self.letters_of(number, &restore.letters)?;
        letters.retain(|letter| self.item(*letter).letter().unwrap().status == Status::Archived);
        let restored = letters.len() as u64;
        for letter in &letters {
            self.check_restorable(*letter, &letters)?;
        }
        for letter in letters {
            self.restore_one(letter, now);
        }
        Ok(Expected::Count(restored))
    }

    /// Restores the letters one after the other, each depending on its state at that moment.
    pub fn restore_if_unchanged(&mut self, restore: &RestoreIfUnchanged, now: Time) -> Result<Expected, Rejection> {
        let queue = self.named(&restore.queue)?.number;
        if restore.letters.is_empty() {
            return Err(Rejection::Empty { what: "letters" });
        }
        let mut restored = Vec::new();
        for seen in &restore.letters {
            let Ok(item) = self.by_letter(queue, seen.id) else {
                restored.push(BulkResult::Gone);
                continue;
            };
            let (number, letter) = (item.number, item.letter().unwrap());
            let is_archived = letter.status == Status::Archived;
            restored.push(if letter.revision != seen.revision {
                BulkResult::Changed
            } else if !is_archived {
                BulkResult::Done
            } else if self.check_restorable(number, &[]).is_err() {
                self.record_rule("not restored, and held");
                BulkResult::Held
            } else {
                self.restore_one(number, now);
                BulkResult::Done
            });
        }
        Ok(Expected::Acted(restored))
    }

    fn restore_one(&mut self, letter: Number, now: Time) {
        let queue = self.queue(self.item(letter).queue);
        let (most, retention) =
            (queue.bounds(), queue.settings.letters.completed_retention.unwrap_or(Span::from_days(7)));
        let id = self.item(letter).letter_id().unwrap();
        let before = self.item(letter).letter().and_then(|letter| letter.before);
        let is_completed = before.is_some_and(|before| before.status == Status::Completed);
        match before.filter(|before| before.since.is_some()).map(|before| before.status) {
            Some(Status::Exhausted) => self.record_rule("exhausted before its archive"),
            Some(Status::Completed) => self.record_rule("completed before its archive"),
            Some(Status::Retrying) => self.record_rule("exhausted before its claim and its archive"),
            _ => {}
        }
        if self.item(letter).is_over() {
            let was_waiting = before.is_some_and(|before| before.status == Status::Pending);
            self.record_rule(if was_waiting { "restored to the line" } else { "retried, archived, and left the line" });
        }
        // A completed letter cannot be leased or claimed, so it may keep its id.
        let order = if is_completed { self.item(letter).order } else { self.issue() };
        self.change(letter, Event::Restored, now, |item| {
            item.order = order;
            let Some(letter) = item.letter_mut() else { return };
            // The end of a letter that ended before the archive is kept.
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

    /// Gives exhausted letters their retries back, one after the other.
    pub fn resume(&mut self, resume: &Resume, now: Time) -> Result<Expected, Rejection> {
        let queue = self.named(&resume.queue)?.number;
        if resume.letters.is_empty() {
            return Err(Rejection::Empty { what: "letters" });
        }
        for wanted in resume.letters.iter().filter(|wanted| wanted.revision.is_none()) {
            self.by_letter(queue, wanted.id)?;
        }
        let mut resumed = Vec::new();
        for wanted in &resume.letters {
            let Ok(item) = self.by_letter(queue, wanted.id) else {
                resumed.push(BulkResult::Gone);
                continue;
            };
            let (number, letter) = (item.number, item.letter().unwrap());
            let (status, max_retries) = (letter.status, letter.max_retries);
            resumed.push(if wanted.revision.is_some_and(|revision| revision != letter.revision) {
                BulkResult::Changed
            } else if status != Status::Exhausted {
                self.record_rule("not resumed, and not exhausted");
                BulkResult::NotExhausted
            } else if max_retries == 0 {
                self.record_rule("not resumed, and without retries");
                BulkResult::NoRetries
            } else {
                self.resume_one(number, resume.actor.clone(), now);
                BulkResult::Done
            });
        }
        Ok(Expected::Acted(resumed))
    }

    fn resume_one(&mut self, number: Number, actor: Option<Arc<str>>, now: Time) {
        let order = self.issue();
        let most = self.bounds(number);
        self.change(number, Event::Resumed, now, |item| {
            item.order = order;
            item.info.attempts = 0;
            item.info.is_hand_over_only = false;
            let Some(letter) = item.letter_mut() else { return };
            letter.retries = 0;
            let (cause, ended_at) = (Some(redrive_model::Cause::Resumed), Some(now));
            let record = Attempt { cause, actor, ended_at, ..Attempt::new(Trigger::Manual, Outcome::Deferred) };
            item.keep_attempt(Some(&record));
            item.settle(&most, now);
        });
    }

    fn check_restorable(&self, number: Number, together: &[Number]) -> Result<(), Rejection> {
        let item = self.item(number);
        let Some(source_id) = item.info.source_id.as_deref().filter(|_| item.comes_back_live()) else { return Ok(()) };
        let same_source = |other: &Item| other.info.source_id == item.info.source_id;
        let same_message = |other: &Item| item.coordinates.is_some() && other.coordinates == item.coordinates;
        let live = || self.items.iter().filter(|other| other.queue == item.queue && !other.is_finished());
        // Two letters that are restored together may conflict with each other, too.
        let others = together.iter().filter(|other| **other != number).map(|other| self.item(*other));
        let mut others = others.filter(|other| other.comes_back_live());
        let holder = live().find(|other| same_source(other)).or_else(|| live().find(|other| same_message(other)));
        match holder.or_else(|| others.find(|other| same_source(other) || same_message(other))) {
            Some(holder) => Err(Rejection::SourceHeld { source_id: source_id.into(), by: holder.id() }),
            None => Ok(()),
        }
    }

    /// Edits a letter and reschedules it.
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
            self.record_rule("edited in line");
        }
        let order = self.issue();
        self.change(number, Event::Edited, now, |item| {
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

    pub fn annotate(&mut self, annotate: &Annotate, now: Time) -> Result<Expected, Rejection> {
        let queue = self.named(&annotate.queue)?.number;
        let number = self.by_letter(queue, annotate.letter)?.number;
        self.change(number, Event::Annotated, now, |item| item.keep(Document::Note(annotate.note.clone())));
        Ok(Expected::Nothing)
    }

    /// All named letters; an unknown one is an error.
    fn letters_of(&self, queue: u32, ids: &[LetterId]) -> Result<Vec<Number>, Rejection> {
        if ids.is_empty() {
            return Err(Rejection::Empty { what: "letters" });
        }
        let found: Result<Vec<_>, Rejection> = ids.iter().map(|id| self.by_letter(queue, *id)).collect();
        Ok(self.in_order(found?.into_iter()))
    }
}

impl Item {
    /// Whether an archived letter would be live after a restore.
    fn comes_back_live(&self) -> bool {
        self.letter().is_some_and(|letter| letter.before.is_none_or(|before| before.status.is_live()))
    }
}
