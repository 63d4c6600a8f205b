//! Capturing failures as letters.

use std::sync::Arc;

use redrive_core::{CaptureReason, Category, Fingerprint, LetterId, PolicySource, RetryPolicy, Status, Time, Trigger};
use redrive_model::{Capture, Content, Event, LetterInfo, NewLetter, OnDuplicate, OnFull, Rejection};

use super::arrival::{check_source_id, finite};
use super::expected::ExpectedCapture;
use super::item::{Document, Item, Number, UNKNOWN_ID, coordinates_of};
use super::{Expected, Model};

/// How a failure relates to existing letters.
enum Case {
    New,
    Duplicate(Number),
    /// The message has a letter that knows this failure.
    Known(Number),
    Again(Number),
    /// The work was handed back.
    AgainAfterReplay(Number),
    TooManyReplays {
        replays: u32,
        most: u32,
    },
}

/// A further failure of the work of a letter.
pub(super) struct Failed {
    pub(super) category: Category,
    pub(super) fingerprint: Fingerprint,
    pub(super) at: Time,
    /// How often the work had been handed back.
    pub(super) replays: u32,
    /// The attempts besides the one that ended in this failure.
    pub(super) others: u32,
    pub(super) documents: Vec<Document>,
}

impl Failed {
    fn captured(new: &NewLetter) -> Self {
        Self {
            category: new.category,
            fingerprint: new.fingerprint,
            at: new.failed_at,
            replays: new.context.origin.replays,
            others: 0,
            documents: vec![Document::Attempt(Box::new(new.attempt.clone()))],
        }
    }
}

impl Model {
    /// Captures all letters, or none if one is rejected.
    pub fn capture(&mut self, capture: &Capture, now: Time) -> Result<Expected, Rejection> {
        let number = self.named(&capture.queue)?.number;
        if capture.letters.is_empty() {
            return Err(Rejection::Empty { what: "letters" });
        }
        for letter in capture.letters.iter() {
            check_source_id(&letter.source_id)?;
            self.check_size(number, &letter.content)?;
            if letter.policy_source != PolicySource::Default {
                self.check_policy(number, letter.policy)?;
            }
            if letter.max_retries > 100 {
                return Err(Rejection::TooManyRetries);
            }
        }
        // Captured one after the other on a copy, which is discarded if one is rejected.
        let mut tried = self.clone();
        let mut captured = Vec::new();
        for new in capture.letters.iter() {
            captured.push(tried.capture_one(number, new, now)?);
        }
        let settings = &self.queue(number).settings.letters;
        let (before, after) = (self.live(number), tried.live(number));
        match settings.max_size.filter(|_| settings.on_full != Some(OnFull::Overflow)) {
            Some(max_size) if after > max_size && after > before => {
                self.queue_mut(number).count(Event::CaptureRejected);
                return Err(Rejection::QueueFull { max_size });
            }
            _ => {}
        }
        *self = tried;
        Ok(Expected::Captured(captured))
    }

    /// The policy `custom` requires delays of the queue.
    pub(super) fn check_policy(&self, queue: u32, policy: RetryPolicy) -> Result<(), Rejection> {
        match self.queue(queue).settings.letters.custom_backoff {
            None if policy == RetryPolicy::Custom => Err(Rejection::NoCustomBackoff),
            _ => Ok(()),
        }
    }

    pub(super) fn check_size(&self, queue: u32, content: &Content) -> Result<(), Rejection> {
        let bytes = content.bytes() as u64;
        match self.queue(queue).settings.letters.letter_bytes_max {
            Some(most) if bytes > most => Err(Rejection::LetterTooLarge { bytes, most }),
            _ => Ok(()),
        }
    }

    fn capture_one(&mut self, number: u32, new: &NewLetter, now: Time) -> Result<ExpectedCapture, Rejection> {
        match self.case_of(number, new) {
            Case::Duplicate(item) => Ok(self.capture_result(item, CaptureReason::Duplicate)),
            Case::Known(item) => {
                let is_newest = self.item(item).newest_edition().is_some_and(|newest| newest == new.content.payload);
                if !is_newest {
                    self.check_payload(item, new)?;
                }
                Ok(self.capture_result(item, CaptureReason::Duplicate))
            }
            Case::Again(item) => self.capture_again(item, new, now),
            Case::AgainAfterReplay(item) => {
                match self.item(item).newest_edition() {
                    Some(newest) if newest == new.content.payload => self.record_rule("failed again after an edit"),
                    Some(_) => return Err(Rejection::OtherPayload { letter: self.item(item).letter_id().unwrap() }),
                    None => self.check_payload(item, new)?,
                }
                Ok(self.failed_again(item, Failed::captured(new), now))
            }
            Case::TooManyReplays { replays, most } => Err(Rejection::TooManyReplays { replays, most }),
            Case::New => {
                self.check_dependencies(number, new)?;
                Ok(self.captured(number, new, now))
            }
        }
    }

    /// Captures a further failure of a source id with a live letter. If that is being retried, the failure is only
    /// recorded, regardless of `on_duplicate`.
    fn capture_again(&mut self, number: Number, new: &NewLetter, now: Time) -> Result<ExpectedCapture, Rejection> {
        let item = self.item(number);
        let queue = item.queue;
        let letter = item.letter().unwrap();
        let (letter, is_retried) = (letter.id, letter.status == Status::Retrying);
        // If the same request created the letter, its id was never shown.
        let is_of_request = letter.ksuid() == UNKNOWN_ID;
        let on_duplicate = self.queue(queue).settings.letters.on_duplicate.unwrap_or(OnDuplicate::Merge);
        if is_retried && on_duplicate != OnDuplicate::Merge {
            self.record_rule("captured while retried where it is not merged");
        }
        match on_duplicate {
            OnDuplicate::Reject if !is_retried && is_of_request => {
                return Err(Rejection::TwiceInRequest(new.source_id.clone()));
            }
            OnDuplicate::Reject if !is_retried => return Err(Rejection::DuplicateLetter { letter }),
            OnDuplicate::NewGeneration if !is_retried => {
                self.check_dependencies(queue, new)?;
                self.record_rule(if is_of_request {
                    "two generations of a request"
                } else {
                    "a generation after another"
                });
                self.archive_one(number, now);
                return Ok(self.captured(queue, new, now));
            }
            _ => {}
        }
        self.check_payload(number, new)?;
        Ok(self.merged(number, Failed::captured(new), now))
    }

    /// A merge of another payload would lose it.
    fn check_payload(&self, number: Number, new: &NewLetter) -> Result<(), Rejection> {
        let item = self.item(number);
        let letter = item.letter_id().unwrap();
        match &item.captured {
            Some(payload) if *payload != new.content.payload && letter.ksuid() == UNKNOWN_ID => {
                Err(Rejection::OtherPayloadInRequest(new.source_id.clone()))
            }
            Some(payload) if *payload != new.content.payload => Err(Rejection::OtherPayload { letter }),
            _ => Ok(()),
        }
    }

    /// The number of live letters of a queue.
    fn live(&self, queue: u32) -> u64 {
        let letters = self.items.iter().filter(|item| item.queue == queue).filter_map(Item::letter);
        letters.filter(|letter| letter.status.is_live()).count() as u64
    }

    /// A message has one letter. A source id has one live letter, and another one once that is finished.
    fn case_of(&self, queue: u32, new: &NewLetter) -> Case {
        let coordinates = coordinates_of(&new.context.origin);
        let here = || self.items.iter().filter(move |item| item.queue == queue);
        let of_message = |item: &&Item| coordinates.is_some() && item.coordinates == coordinates;
        let of_source = || here().filter(|item| item.info.source_id.as_deref() == Some(&*new.source_id));
        // The newest of several; a letter created by this request is newer than all with a known id.
        let age = |item: &&Item| item.letter().map(|letter| (letter.id.ksuid() == UNKNOWN_ID, letter.id));
        let live = here().filter(|item| !item.is_finished()).find(of_message);
        if let Some(twin) = live.or_else(|| of_source().filter(of_message).max_by_key(age)) {
            let (replays, known) = (new.context.origin.replays, twin.letter().unwrap().replays);
            if replays <= known {
                return Case::Known(twin.number);
            }
            if replays > known + 1 {
                return Case::TooManyReplays { replays, most: known + 1 };
            }
            // Only one letter of a source id is live.
            if !twin.is_finished() || of_source().all(Item::is_finished) {
                return Case::AgainAfterReplay(twin.number);
            }
        }
        match of_source().find(|item| !item.is_finished()) {
            Some(twin) if twin.letter().is_some() => Case::Again(twin.number),
            // A plain item in the dead queue.
            Some(twin) => Case::Duplicate(twin.number),
            None => Case::New,
        }
    }

    fn capture_result(&self, item: Number, reason: CaptureReason) -> ExpectedCapture {
        let letter = self.item(item).letter();
        let (generation, status) = letter.map_or((0, Status::Pending), |letter| (letter.generation, letter.status));
        let (policy, max_retries) =
            letter.map_or((RetryPolicy::Never, 0), |letter| (letter.policy, letter.max_retries));
        ExpectedCapture { item, generation, status, policy, max_retries, reason }
    }

    /// Merges a failure: records the attempt and updates the error; if the letter is being retried, only records the
    /// attempt. If a derived policy changes, the letter is rescheduled.
    fn merged(&mut self, number: Number, failed: Failed, now: Time) -> ExpectedCapture {
        let most = self.bounds(number);
        let derived = failed.category.derived_policy();
        let letter = self.item(number).letter().unwrap();
        let is_derived = letter.policy_source == PolicySource::Derived && letter.status != Status::Retrying;
        let order = (is_derived && letter.policy != derived).then(|| self.issue());
        if order.is_some() && self.item(number).is_over() {
            self.record_rule("merged in line");
        }
        self.change(number, Event::Merged, now, |item| {
            failed.documents.into_iter().for_each(|document| item.keep(document));
            let Some(letter) = item.letter_mut().filter(|letter| letter.status != Status::Retrying) else { return };
            letter.category = failed.category;
            letter.fingerprint = failed.fingerprint;
            letter.last_failed_at = letter.last_failed_at.max(failed.at);
            if let Some(order) = order {
                letter.policy = derived;
                item.order = order;
                item.settle_in_place(&most, now);
            }
        });
        self.capture_result(number, CaptureReason::Merged)
    }

    /// Records a failure of work that was handed back. A letter that is done is open again, and the retry that had
    /// completed it has failed.
    pub(super) fn failed_again(&mut self, number: Number, failed: Failed, now: Time) -> ExpectedCapture {
        let most = self.bounds(number);
        let (replays, others) = (failed.replays, failed.others);
        let letter = self.item(number).letter().unwrap();
        let (status, archived_from) = (letter.status, letter.archived_from());
        let is_done = status == Status::Completed || archived_from == Some(Status::Completed);
        if matches!(status, Status::Pending | Status::Exhausted) {
            self.record_rule("failed again while it waits");
            let merged = self.merged(number, failed, now);
            self.note(number, |item| item.letter_mut().unwrap().replays = replays);
            return merged;
        }
        self.record_rule(match status {
            Status::Retrying => "failed again before the end of its retry",
            _ if is_done => "failed again after its end",
            _ => "failed again, and archived unsolved",
        });
        let order = if is_done { self.issue() } else { self.item(number).order };
        let settings = &self.queue(self.item(number).queue).settings;
        let expires_at = match settings.letters.letters_expire {
            Some(true) => finite(now.saturating_add(settings.expire_timeout)),
            _ => None,
        };
        self.change(number, Event::Merged, now, |item| {
            failed.documents.into_iter().for_each(|document| item.keep(document));
            item.order = order;
            let letter = item.letter_mut().unwrap();
            letter.replays = replays;
            letter.total_attempts += others;
            if status == Status::Archived && !is_done {
                return;
            }
            letter.category = failed.category;
            letter.fingerprint = failed.fingerprint;
            letter.last_failed_at = letter.last_failed_at.max(failed.at);
            if letter.policy_source == PolicySource::Derived {
                letter.policy = failed.category.derived_policy();
            }
            if is_done {
                letter.retries += 1;
                letter.ended_at = None;
                item.info.is_hand_over_only = false;
                item.info.expires_at = expires_at;
                item.settle(&most, now);
            } else if let Some(before) = &mut letter.before {
                before.has_failed_again = true;
            }
        });
        self.capture_result(number, CaptureReason::Merged)
    }

    fn captured(&mut self, queue: u32, new: &NewLetter, now: Time) -> ExpectedCapture {
        let settings = self.queue(queue).settings.clone();
        let partition = self.queue(queue).first();
        let bounds = self.queue(queue).bounds_of_new();
        let is_full = settings.letters.max_size.is_some_and(|most| self.live(queue) >= most);
        let is_over = is_full && settings.letters.on_full == Some(OnFull::Overflow);
        let of_source = |item: &&Item| item.queue == queue && item.info.source_id.as_deref() == Some(&*new.source_id);
        let generations = self.items.iter().filter(of_source).filter_map(Item::letter).map(|letter| letter.generation);
        let generation = generations.max().unwrap_or(0) + 1;
        let (policy, policy_source) = (new.policy, new.policy_source);
        if policy == RetryPolicy::Custom {
            self.record_rule("captured with the delays of its queue");
        }
        let depends_on = new.context.depends_on.iter().copied();
        let waits_for = depends_on.filter(|id| !self.is_completed(queue, *id)).collect();
        let mut item = self.blank(queue, partition, &new.content, now);
        let number = item.number;
        item.info.source_id = Some(new.source_id.clone());
        item.info.priority = new.priority;
        item.info.max_attempts = settings.max_attempts;
        item.info.expires_at = if settings.letters.letters_expire.unwrap_or(false) {
            finite(now.saturating_add(settings.expire_timeout))
        } else {
            None
        };
        item.coordinates = coordinates_of(&new.context.origin);
        item.captured = Some(new.content.payload.clone());
        item.info.letter = Some(Box::new(LetterInfo {
            id: LetterId::new(UNKNOWN_ID),
            generation,
            revision: 1,
            status: Status::Pending,
            category: new.category,
            policy,
            policy_source,
            fingerprint: new.fingerprint,
            retries: 0,
            max_retries: new.max_retries,
            total_attempts: 1,
            replays: new.context.origin.replays,
            next_retry_at: None,
            first_failed_at: new.failed_at,
            last_failed_at: new.failed_at,
            ended_at: None,
            updated_at: now,
            is_outcome_unknown: false,
            is_overflow: false,
            before: None,
            trigger: Trigger::Automatic,
            destination: Arc::clone(&new.destination),
            is_blocked: false,
            has_own_origin: false,
            is_of_source: new.is_of_source,
        }));
        item.wait_for(waits_for);
        item.settle(&bounds, now);
        // A letter beyond the limit is overflow, and scheduled when there is capacity. One that is not retried
        // automatically waits for an operator anyway.
        if is_over && item.verdict(&bounds, now).1.is_some() {
            self.record_rule("over the size");
            item.return_to_overflow();
        }
        item.keep(Document::Context(Box::new(new.context.clone())));
        item.keep_attempt(Some(&new.attempt));
        let due = item.due();
        if let Some(letter) = item.letter_mut() {
            letter.next_retry_at = due;
        }
        self.arrive(item, Event::Captured);
        self.capture_result(number, CaptureReason::Enqueued)
    }
}
