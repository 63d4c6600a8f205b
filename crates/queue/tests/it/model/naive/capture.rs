//! Failures that become letters.

use std::sync::Arc;

use redrive_core::{CaptureReason, LetterId, PolicySource, Status, Time, Trigger};
use redrive_queue::{Capture, ItemState, LetterInfo, NewLetter, OnDuplicate, OnFull, Origin, Refusal, Why};

use super::arrival::{check_source_id, finite};
use super::item::{Document, Item, Number, UNTOLD, coordinates_of};
use super::reply::Told;
use super::{Model, Reply};

/// What a failure is to the letters that are there.
enum Case {
    New { generation: u32 },
    Duplicate(Number),
    Again(Number),
}

impl Model {
    /// If one of the letters cannot be taken, none is.
    pub(crate) fn capture(&mut self, capture: &Capture, now: Time) -> Result<Reply, Refusal> {
        let number = self.named(&capture.queue)?.number;
        if capture.letters.is_empty() {
            return Err(Refusal::Empty { what: "letters" });
        }
        for letter in &capture.letters {
            check_source_id(&letter.source_id)?;
            if letter.max_retries > 100 {
                return Err(Refusal::TooManyRetries);
            }
        }
        self.check_room(number, &capture.letters)?;
        let mut told = Vec::new();
        for new in &capture.letters {
            told.push(match self.case_of(number, new) {
                Case::Duplicate(item) => self.told(item, CaptureReason::Duplicate),
                Case::Again(item) => self.merged(item, new, now),
                Case::New { generation } => self.captured(number, generation, new, now),
            });
        }
        Ok(Reply::Captured(told))
    }

    fn check_room(&self, number: u32, letters: &[NewLetter]) -> Result<(), Refusal> {
        let settings = &self.queue(number).settings.letters;
        let rejects = settings.on_duplicate == OnDuplicate::Reject;
        let mut new: Vec<&NewLetter> = Vec::new();
        let mut seen: Vec<Origin> = Vec::new();
        for letter in letters {
            match self.case_of(number, letter) {
                Case::Duplicate(_) => {}
                Case::Again(item) => self.check_again(item, letter, rejects)?,
                Case::New { .. } => {
                    let coordinates = coordinates_of(&letter.dossier.origin);
                    if coordinates.as_ref().is_some_and(|origin| seen.contains(origin)) {
                        continue;
                    }
                    seen.extend(coordinates);
                    match new.iter().find(|other| other.source_id == letter.source_id) {
                        None => new.push(letter),
                        Some(_) if rejects => return Err(Refusal::TwiceInRequest(letter.source_id.clone())),
                        Some(twin) if twin.content.payload != letter.content.payload => {
                            return Err(Refusal::OtherPayloadInRequest(letter.source_id.clone()));
                        }
                        Some(_) => {}
                    }
                }
            }
        }
        match settings.max_size.filter(|_| settings.on_full == OnFull::Reject) {
            Some(max_size) if self.live(number) + new.len() as u64 > max_size && !new.is_empty() => {
                Err(Refusal::QueueFull { max_size })
            }
            _ => Ok(()),
        }
    }

    /// A further failure of live work: a conflict where duplicates are refused, and where it is other work.
    fn check_again(&self, item: Number, new: &NewLetter, rejects: bool) -> Result<(), Refusal> {
        let item = self.item(item);
        let letter = item.letter_id().unwrap();
        if rejects {
            return Err(Refusal::DuplicateLetter { letter });
        }
        match &item.captured {
            Some(payload) if *payload != new.content.payload => Err(Refusal::OtherPayload { letter }),
            _ => Ok(()),
        }
    }

    /// How many letters of a queue wait for an outcome.
    fn live(&self, queue: u32) -> u64 {
        let letters = self.items.iter().filter(|item| item.queue == queue).filter_map(Item::letter);
        letters.filter(|letter| letter.status.is_live()).count() as u64
    }

    /// One message is one letter; one source id is one live letter, and a further one once that is finished.
    fn case_of(&self, queue: u32, new: &NewLetter) -> Case {
        let coordinates = coordinates_of(&new.dossier.origin);
        let here = || self.items.iter().filter(move |item| item.queue == queue);
        let of_message = |item: &&Item| coordinates.is_some() && item.coordinates == coordinates;
        if let Some(twin) = here().filter(|item| !item.is_finished()).find(of_message) {
            return Case::Duplicate(twin.number);
        }
        let of_source = || here().filter(|item| item.info.source_id.as_deref() == Some(&*new.source_id));
        if let Some(twin) = of_source().find(of_message) {
            return Case::Duplicate(twin.number);
        }
        match of_source().find(|item| !item.is_finished()) {
            Some(twin) if twin.letter().is_some() => return Case::Again(twin.number),
            // A plain item that somebody put into the dead queue.
            Some(twin) => return Case::Duplicate(twin.number),
            None => {}
        }
        let generations = of_source().filter_map(Item::letter).map(|letter| letter.generation);
        Case::New { generation: generations.max().unwrap_or(0) + 1 }
    }

    fn told(&self, item: Number, reason: CaptureReason) -> Told {
        let (generation, status) =
            self.item(item).letter().map_or((0, Status::Pending), |letter| (letter.generation, letter.status));
        Told { item, generation, status, reason }
    }

    /// A ledger entry and the newest error; while somebody retries the letter, the ledger entry only. A derived
    /// policy that changes by it is a new schedule.
    fn merged(&mut self, number: Number, new: &NewLetter, now: Time) -> Told {
        let most = self.max_attempts(number);
        let derived = new.category.derived_policy();
        let letter = self.item(number).letter().unwrap();
        let is_derived = letter.policy_source == PolicySource::Derived && letter.status != Status::Retrying;
        let order = (is_derived && letter.policy != derived).then(|| self.issue());
        self.change(number, Why::Merged, |item| {
            item.keep_attempt(Some(&new.attempt));
            let Some(letter) = item.letter_mut().filter(|letter| letter.status != Status::Retrying) else { return };
            letter.category = new.category;
            letter.fingerprint = new.fingerprint;
            letter.last_failed_at = letter.last_failed_at.max(new.failed_at);
            if let Some(order) = order {
                letter.policy = derived;
                item.order = order;
                item.settle(most, now);
            }
        });
        self.told(number, CaptureReason::Merged)
    }

    fn captured(&mut self, queue: u32, generation: u32, new: &NewLetter, now: Time) -> Told {
        let settings = self.queue(queue).settings.clone();
        let partition = self.queue(queue).first();
        let is_over = settings.letters.max_size.is_some_and(|most| self.live(queue) >= most);
        let mut item = self.blank(queue, partition, &new.content, now);
        let number = item.number;
        item.info.source_id = Some(new.source_id.clone());
        item.info.priority = new.priority;
        item.info.max_attempts = settings.max_attempts;
        item.info.expires_at =
            if settings.letters.is_expiring { finite(now.saturating_add(settings.expire_timeout)) } else { None };
        item.coordinates = coordinates_of(&new.dossier.origin);
        item.captured = Some(new.content.payload.clone());
        item.info.letter = Some(Box::new(LetterInfo {
            id: LetterId::new(UNTOLD),
            generation,
            revision: 1,
            status: Status::Pending,
            category: new.category,
            policy: new.policy,
            policy_source: new.policy_source,
            fingerprint: new.fingerprint,
            retries: 0,
            max_retries: new.max_retries,
            total_attempts: 1,
            next_retry_at: None,
            first_failed_at: new.failed_at,
            last_failed_at: new.failed_at,
            ended_at: None,
            is_outcome_unknown: false,
            before: None,
            trigger: Trigger::Automatic,
            destination: Arc::clone(&new.destination),
        }));
        item.settle(0, now);
        // What does not fit is kept, and waits for a person.
        if is_over {
            item.info.state = ItemState::Ready;
        }
        self.arrive(item, Why::Captured);
        self.change(number, Why::Annotated, |item| item.keep(Document::Dossier(Box::new(new.dossier.clone()))));
        self.change(number, Why::Annotated, |item| item.keep_attempt(Some(&new.attempt)));
        self.told(number, CaptureReason::Enqueued)
    }
}
