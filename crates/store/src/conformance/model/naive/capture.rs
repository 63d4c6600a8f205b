//! Failures that become letters.

use std::sync::Arc;

use redrive_core::{CaptureReason, LetterId, PolicySource, RetryPolicy, Status, Time, Trigger};
use redrive_model::{Capture, Content, Event, LetterInfo, NewLetter, OnDuplicate, OnFull, Rejection};

use super::arrival::{check_source_id, finite};
use super::expected::ExpectedCapture;
use super::item::{Document, Item, Number, UNKNOWN_ID, coordinates_of};
use super::{Expected, Model};

/// What a failure is to the letters that are there.
enum Case {
    New,
    Duplicate(Number),
    Again(Number),
}

impl Model {
    /// If one of the letters cannot be taken, none is.
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
        // Each is told when those before it have been; and if one is refused, nothing of it was.
        let mut tried = self.clone();
        let mut told = Vec::new();
        for new in capture.letters.iter() {
            told.push(tried.told_of(number, new, now)?);
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
        Ok(Expected::Captured(told))
    }

    /// A queue without delays of its own has no letters that want them.
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

    fn told_of(&mut self, number: u32, new: &NewLetter, now: Time) -> Result<ExpectedCapture, Rejection> {
        match self.case_of(number, new) {
            Case::Duplicate(item) => Ok(self.told(item, CaptureReason::Duplicate)),
            Case::Again(item) => self.told_again(item, new, now),
            Case::New => {
                self.check_dependencies(number, new)?;
                Ok(self.captured(number, new, now))
            }
        }
    }

    /// A further failure of work whose letter is live. While somebody retries that, it is another record of it,
    /// whatever the queue wants of duplicates.
    fn told_again(&mut self, number: Number, new: &NewLetter, now: Time) -> Result<ExpectedCapture, Rejection> {
        let item = self.item(number);
        let queue = item.queue;
        let letter = item.letter().unwrap();
        let (letter, is_retried) = (letter.id, letter.status == Status::Retrying);
        // Where the same request made it, nobody has heard its id.
        let is_of_request = letter.ksuid() == UNKNOWN_ID;
        let wanted = self.queue(queue).settings.letters.on_duplicate.unwrap_or(OnDuplicate::Merge);
        if is_retried && wanted != OnDuplicate::Merge {
            self.came_by("told while retried where it is not merged");
        }
        match wanted {
            OnDuplicate::Reject if !is_retried && is_of_request => {
                return Err(Rejection::TwiceInRequest(new.source_id.clone()));
            }
            OnDuplicate::Reject if !is_retried => return Err(Rejection::DuplicateLetter { letter }),
            OnDuplicate::NewGeneration if !is_retried => {
                self.check_dependencies(queue, new)?;
                self.came_by(if is_of_request { "two generations of a request" } else { "a generation after another" });
                self.put_away(number, now);
                return Ok(self.captured(queue, new, now));
            }
            _ => {}
        }
        match &self.item(number).captured {
            Some(payload) if *payload != new.content.payload && is_of_request => {
                Err(Rejection::OtherPayloadInRequest(new.source_id.clone()))
            }
            Some(payload) if *payload != new.content.payload => Err(Rejection::OtherPayload { letter }),
            _ => Ok(self.merged(number, new, now)),
        }
    }

    /// How many letters of a queue wait for an outcome.
    fn live(&self, queue: u32) -> u64 {
        let letters = self.items.iter().filter(|item| item.queue == queue).filter_map(Item::letter);
        letters.filter(|letter| letter.status.is_live()).count() as u64
    }

    /// One message is one letter; one source id is one live letter, and a further one once that is finished.
    fn case_of(&self, queue: u32, new: &NewLetter) -> Case {
        let coordinates = coordinates_of(&new.context.origin);
        let here = || self.items.iter().filter(move |item| item.queue == queue);
        let of_message = |item: &&Item| coordinates.is_some() && item.coordinates == coordinates;
        if let Some(twin) = here().filter(|item| !item.is_finished()).find(of_message) {
            return Case::Duplicate(twin.number);
        }
        let of_source = || here().filter(|item| item.info.source_id.as_deref() == Some(&*new.source_id));
        // Of several, the newest; one that this request made is newer than all that have an id.
        let age = |item: &&Item| item.letter().map(|letter| (letter.id.ksuid() == UNKNOWN_ID, letter.id));
        if let Some(twin) = of_source().filter(of_message).max_by_key(age) {
            return Case::Duplicate(twin.number);
        }
        match of_source().find(|item| !item.is_finished()) {
            Some(twin) if twin.letter().is_some() => Case::Again(twin.number),
            // A plain item that somebody put into the dead queue.
            Some(twin) => Case::Duplicate(twin.number),
            None => Case::New,
        }
    }

    fn told(&self, item: Number, reason: CaptureReason) -> ExpectedCapture {
        let letter = self.item(item).letter();
        let (generation, status) = letter.map_or((0, Status::Pending), |letter| (letter.generation, letter.status));
        let (policy, max_retries) =
            letter.map_or((RetryPolicy::Never, 0), |letter| (letter.policy, letter.max_retries));
        ExpectedCapture { item, generation, status, policy, max_retries, reason }
    }

    /// A ledger entry and the newest error; while somebody retries the letter, the ledger entry only. A derived
    /// policy that changes by it is a new schedule.
    fn merged(&mut self, number: Number, new: &NewLetter, now: Time) -> ExpectedCapture {
        let most = self.bounds(number);
        let derived = new.category.derived_policy();
        let letter = self.item(number).letter().unwrap();
        let is_derived = letter.policy_source == PolicySource::Derived && letter.status != Status::Retrying;
        let order = (is_derived && letter.policy != derived).then(|| self.issue());
        if order.is_some() && self.item(number).is_over() {
            self.came_by("merged in line");
        }
        self.change(number, Event::Merged, |item| {
            item.keep_attempt(Some(&new.attempt));
            let Some(letter) = item.letter_mut().filter(|letter| letter.status != Status::Retrying) else { return };
            letter.category = new.category;
            letter.fingerprint = new.fingerprint;
            letter.last_failed_at = letter.last_failed_at.max(new.failed_at);
            if let Some(order) = order {
                letter.policy = derived;
                item.order = order;
                item.settle_in_place(&most, now);
            }
        });
        self.told(number, CaptureReason::Merged)
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
            self.came_by("captured with the delays of its queue");
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
            next_retry_at: None,
            first_failed_at: new.failed_at,
            last_failed_at: new.failed_at,
            ended_at: None,
            is_outcome_unknown: false,
            is_overflow: false,
            before: None,
            trigger: Trigger::Automatic,
            destination: Arc::clone(&new.destination),
            is_blocked: false,
        }));
        item.wait_for(waits_for);
        item.settle(&bounds, now);
        // What does not fit is kept, and scheduled when there is room; what nothing retries waits for a person anyway.
        if is_over && item.verdict(&bounds, now).1.is_some() {
            self.came_by("over the size");
            item.get_in_line();
        }
        item.keep(Document::Context(Box::new(new.context.clone())));
        item.keep_attempt(Some(&new.attempt));
        let due = item.due();
        if let Some(letter) = item.letter_mut() {
            letter.next_retry_at = due;
        }
        self.arrive(item, Event::Captured);
        self.told(number, CaptureReason::Enqueued)
    }
}
