//! Handing letters back to a queue, and their further failures there.

use std::slice;
use std::sync::Arc;

use redrive_core::{Category, Outcome, Status, Time, Trigger};
use redrive_model::{Attempt, DeathReason, Event, HandBackLetter, HandBackLetters, HandBackResult, Rejection};

use super::arrival::check_source_id;
use super::capture::Failed;
use super::death::text_of;
use super::item::{Document, Item, Number, fault_of};
use super::{Expected, Model, NotHandedBack, ProducedAs};

impl Model {
    /// Hands back the letters one after the other, each depending on its state at that moment.
    pub fn hand_back(&mut self, request: &HandBackLetters, now: Time) -> Result<Expected, Rejection> {
        let queue = self.named(&request.queue)?.number;
        if request.letters.is_empty() {
            return Err(Rejection::Empty { what: "letters" });
        }
        for id in request.letters.iter().filter_map(|letter| letter.item.message_id.as_deref()) {
            check_source_id(id)?;
        }
        let mut results = Vec::new();
        for letter in &request.letters {
            results.push(self.hand_back_one(queue, letter, request.actor.as_ref(), now));
        }
        Ok(Expected::HandedBack(results))
    }

    fn hand_back_one(
        &mut self,
        queue: u32,
        wanted: &HandBackLetter,
        actor: Option<&Arc<str>>,
        now: Time,
    ) -> Result<Number, NotHandedBack> {
        let because = |result| Err(NotHandedBack::Because(result));
        let Ok(item) = self.by_letter(queue, wanted.letter.id) else { return because(HandBackResult::Gone) };
        let (number, letter) = (item.number, item.letter().unwrap());
        let waits = matches!(letter.status, Status::Pending | Status::Exhausted);
        if !waits || letter.revision != wanted.letter.revision {
            self.record_rule("not handed back, and changed");
            return because(HandBackResult::Changed);
        }
        let Ok(to) = self.named(&wanted.to) else { return because(HandBackResult::NoQueue) };
        let (to, partition, is_paused) = (to.number, to.first(), to.settings.is_paused);
        if is_paused {
            self.record_rule("not handed back, and paused");
            return because(HandBackResult::QueuePaused);
        }
        match self.existing(to, &wanted.item, now) {
            Some(ProducedAs::Twin(twin) | ProducedAs::New(twin)) => {
                self.record_rule("not handed back, and there");
                let twin = self.item(twin);
                // A later letter of the request may be the twin, and get another id.
                let is_known = twin.known_order == twin.order;
                return if is_known {
                    because(HandBackResult::Duplicate(twin.id()))
                } else {
                    Err(NotHandedBack::Twin(twin.number))
                };
            }
            Some(ProducedAs::Remembered(id)) => return because(HandBackResult::Duplicate(id)),
            None => {}
        }
        if self.check_capacity(to, slice::from_ref(&wanted.item), None, now).is_err() {
            self.record_rule("not handed back, and full");
            return because(HandBackResult::QueueFull);
        }
        let record = Attempt {
            started_at: Some(now),
            ended_at: Some(now),
            actor: actor.cloned(),
            handed_back_to: Some(wanted.to.as_str().into()),
            ..Attempt::new(Trigger::Manual, Outcome::Success)
        };
        let order = self.issue();
        self.note(number, |item| {
            item.keeps_first |= item.info.deliveries > 0;
            item.order = order;
            item.info.attempts += 1;
            item.info.deliveries += 1;
            item.letter_mut().unwrap().trigger = Trigger::Manual;
        });
        self.complete_letter(number, Some(&record), now);
        let mut item = self.produced(to, partition, &wanted.item, now);
        item.handed_back = Some((queue, wanted.letter.id));
        let number = item.number;
        self.arrive(item, Event::Produced);
        Ok(number)
    }

    /// The letter of an item that was handed back, if it is completed, or was before it was archived, and nothing else
    /// is live under its source id or its coordinates.
    pub(super) fn letter_of_handed_back(&mut self, number: Number) -> Option<Number> {
        let (queue, letter) = self.item(number).handed_back?;
        let found = self.by_letter(queue, letter).ok().map(|item| (item.number, self.can_fail_again(item)));
        match found {
            None => self.record_rule("handed back, and its letter is gone"),
            Some((_, false)) => self.record_rule("handed back, and its letter is not free"),
            Some((number, true)) => return Some(number),
        }
        None
    }

    fn can_fail_again(&self, item: &Item) -> bool {
        let letter = item.letter().unwrap();
        let is_done = letter.status == Status::Completed || letter.archived_from() == Some(Status::Completed);
        let is_other = |other: &&Item| other.queue == item.queue && !other.is_finished();
        is_done
            && !self.items.iter().filter(is_other).any(|other| {
                let same_source = item.info.source_id.is_some() && other.info.source_id == item.info.source_id;
                same_source || (item.coordinates.is_some() && other.coordinates == item.coordinates)
            })
    }

    /// The death of an item that was handed back is a further failure of its letter. The hand-back has counted one of its
    /// attempts.
    pub(super) fn fail_after_hand_back(&mut self, number: Number, letter: Number, reason: DeathReason, now: Time) {
        self.record_rule("handed back, and failed again");
        self.taken_to = Some(self.queue(self.item(letter).queue).settings.name.clone());
        let item = self.item(number).clone();
        let category = item.failed.map_or(Category::Permanent, |failed| failed.category);
        let mut documents = item.fresh;
        if !documents.iter().any(|document| matches!(document, Document::Attempt(_))) {
            documents.push(Document::Attempt(Box::new(Attempt {
                ended_at: Some(now),
                error: text_of(reason).to_owned(),
                category: Some(category),
                ..Attempt::new(Trigger::Automatic, Outcome::Failure)
            })));
        }
        let failed = Failed {
            category,
            fingerprint: item.failed.map_or_else(|| fault_of(text_of(reason)), |failed| failed.fingerprint),
            at: item.failed.map_or(now, |failed| failed.last_at),
            replays: self.item(letter).letter().unwrap().replays + 1,
            others: item.info.attempts.saturating_sub(1),
            documents,
        };
        self.failed_again(letter, failed, now);
    }
}
