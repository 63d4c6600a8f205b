//! Put letters back as they were, with everything that was kept about them.
//!
//! A letter is known by its id, wherever its copy was: it keeps the id, so what others say about it stays true. Only its
//! fence is new, since whoever held it held it somewhere else.

use std::cmp::Ordering;
use std::sync::Arc;

use bytes::Bytes;
use redrive_core::{LetterId, QueueName, Status, Time};

use super::depend::check_dependencies_count;
use super::{Annotate, NewLetter, check_count, check_source_id};
use crate::fact::{Attach, Fact, Facts, Tail};
use crate::item::{DocKind, Extra, Item, Phase, Place};
use crate::letter::{Destination, Letter, Parts, retries};
use crate::queue::{Ending, QueueSettings, Why};
use crate::stamp::Stamp;
use crate::state::{attempt_document, document, own_slot};
use crate::{Attempt, Content, Dossier, ItemInfo, ItemState, LetterInfo, Moment, Refusal, State, Treatment};

/// Letters for a queue, each of which was one before.
#[derive(Debug, Clone)]
pub struct Reinstate {
    pub queue: QueueName,
    pub letters: Vec<WholeLetter>,
    pub older: Older,
}

/// What becomes of an older revision of a letter that is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Older {
    /// It stays, and its newer one is refused.
    Stays,
    /// It makes way for the newer one.
    GoesAway,
}

/// A letter with everything that is kept about it. Ids of the item and places of documents mean nothing here.
#[derive(Debug, Clone)]
pub struct WholeLetter {
    pub info: ItemInfo,
    pub content: Arc<Content>,
    pub dossier: Option<Dossier>,
    /// The first and the newest, oldest first.
    pub attempts: Vec<Attempt>,
    /// The content before it was edited.
    pub original: Option<Arc<Content>>,
    pub notes: Vec<Bytes>,
    pub parts: Option<Vec<String>>,
}

/// What became of one letter that was to be put back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reinstated {
    New,
    /// In place of its older revision.
    Newer,
    /// It was there, the same or newer.
    There,
}

impl WholeLetter {
    /// Whether a queue takes it, whatever else is in it.
    pub fn check(&self) -> Result<(), Refusal> {
        let letter = self.info.letter.as_ref().ok_or(Refusal::NoFailure(self.info.id))?;
        self.info.source_id.as_deref().map_or(Ok(()), check_source_id)?;
        self.content.check()?;
        self.original.as_ref().map_or(Ok(()), |original| original.check())?;
        if letter.max_retries > QueueSettings::MAX_RETRIES_MAX {
            return Err(Refusal::TooManyRetries);
        }
        if letter.destination.len() > NewLetter::DESTINATION_BYTES_MAX {
            return Err(Refusal::BadDestination { most: NewLetter::DESTINATION_BYTES_MAX });
        }
        check_dependencies_count(self.dossier.as_ref().map_or(&[], |dossier| &dossier.depends_on))?;
        check_most("attempts", self.attempts.len(), DocKind::Attempt)?;
        check_most("notes", self.notes.len(), DocKind::Note)?;
        if self.notes.iter().any(|note| note.len() > Annotate::NOTE_BYTES_MAX) {
            return Err(Refusal::ValueTooLong { most: Annotate::NOTE_BYTES_MAX });
        }
        Ok(())
    }

    /// Everything that is kept about it, its content first.
    fn documents(self) -> impl Iterator<Item = (Attach, Tail)> {
        let contents = match self.original {
            Some(original) => {
                vec![(Attach::Content, Tail::Content(original)), (Attach::Edited, Tail::Content(self.content))]
            }
            None => vec![(Attach::Content, Tail::Content(self.content))],
        };
        let dossier = self.dossier.map(|dossier| document(DocKind::Dossier, dossier.document()));
        let attempts = self.attempts.into_iter().map(|attempt| attempt_document(Some(&attempt)));
        let notes = self.notes.into_iter().map(|note| document(DocKind::Note, note));
        let parts = self.parts.map(|parts| document(DocKind::Parts, Parts::document(&parts)));
        contents.into_iter().chain(dossier).chain(attempts).chain(notes).chain(parts)
    }

    /// The letter as this store will know it, without its fence.
    fn item(&self, number: u32, settings: &QueueSettings, store: &Treatment, moment: Moment) -> Option<Item> {
        let info = self.info.letter.as_deref()?;
        let (phase, at) = phase(&self.info, info, &settings.letters.over(store), moment.now);
        let letter = Letter {
            id: info.id,
            generation: info.generation,
            revision: info.revision,
            status: info.status,
            category: info.category,
            policy: info.policy,
            policy_source: info.policy_source,
            fingerprint: info.fingerprint,
            retries: info.retries,
            max_retries: retries(info.max_retries),
            // Else the sum of what failed and what was tried would not come out.
            total_attempts: info.total_attempts.max(info.retries.saturating_add(1)),
            first_failed_at: info.first_failed_at,
            last_failed_at: info.last_failed_at,
            ended_at: info.ended_at.into(),
            is_outcome_unknown: info.is_outcome_unknown,
            is_overflow: info.is_overflow,
            before: info.before.map(Box::new),
            trigger: info.trigger,
            destination: Destination::new(Arc::clone(&info.destination)),
            coordinates: self.dossier.as_ref().and_then(|dossier| dossier.origin.coordinates()).into(),
            digest: self.digest().into(),
            change: 0,
        };
        let mut item = Item {
            stamp: Stamp::default(),
            created_at: self.info.created_at,
            expires_at: self.info.expires_at.unwrap_or(Time::MAX),
            at,
            source_id: self.info.source_id.clone(),
            extra: Some(Box::new(Extra { letter: Some(letter), ..Extra::default() })),
            place: Place::NONE,
            queue: number,
            partition: if self.info.partition < settings.partitions { self.info.partition } else { 0 },
            attempts: self.info.attempts,
            deliveries: self.info.deliveries,
            max_attempts: self.info.max_attempts,
            phase,
            priority: self.info.priority,
            is_condemned: self.info.is_condemned,
            is_filed: false,
        };
        item.wait_for(self.waited_for());
        if item.is_blocked() && item.phase == Phase::Due {
            (item.phase, item.at) = (Phase::Ready, Time::MAX);
        }
        Some(item)
    }

    /// Of the payload that was captured; none for an item that a queue gave up, whose payload nobody asked about.
    fn digest(&self) -> Option<[u8; 16]> {
        let is_moved = self.dossier.as_ref().is_some_and(|dossier| dossier.death.is_some());
        (!is_moved).then(|| self.original.as_ref().unwrap_or(&self.content).digest())
    }
}

fn check_most(what: &'static str, count: usize, kind: DocKind) -> Result<(), Refusal> {
    let most = kind.most();
    if count > most { Err(Refusal::TooMany { what, count, most }) } else { Ok(()) }
}

/// Where a letter waits for what its status says; what does not go together is a letter that waits for a person.
fn phase(info: &ItemInfo, letter: &LetterInfo, treatment: &Treatment, now: Time) -> (Phase, Time) {
    let ended_at = letter.ended_at.unwrap_or(now);
    match (letter.status, info.state) {
        (Status::Retrying, state) => (Phase::Leased, state.lease_deadline().unwrap_or(now)),
        (Status::Completed, _) => (Phase::Finished, ended_at.saturating_add(treatment.completed_retention)),
        (Status::Archived, _) => {
            let retention = treatment.archive_retention;
            (Phase::Finished, retention.map_or(Time::MAX, |retention| ended_at.saturating_add(retention)))
        }
        (Status::Pending, ItemState::Due { at }) => (Phase::Due, at),
        (Status::Pending | Status::Exhausted, ItemState::Scheduled { at }) => (Phase::Scheduled, at),
        (Status::Pending | Status::Exhausted, _) => (Phase::Ready, Time::MAX),
    }
}

impl Reinstate {
    /// So many are put back at once.
    pub const LETTERS_MAX: usize = super::ITEMS_MAX;

    /// What became of each letter, in their order: one that is refused keeps nobody else out. A letter that somebody
    /// held comes back without them, and that attempt counts as lost. The size of the queue binds none of them.
    pub fn apply(
        self,
        state: &mut State,
        moment: Moment,
        facts: &mut Facts,
    ) -> Result<Vec<Result<Reinstated, Refusal>>, Refusal> {
        let (number, queue) = state.named(&self.queue)?;
        let settings = queue.settings.clone();
        check_count("letters", self.letters.len())?;
        self.letters.iter().try_for_each(WholeLetter::check)?;
        if state.items.next_frees().nth(self.letters.len()).is_none() {
            return Err(Refusal::NoSlots);
        }
        let older = self.older;
        let letters = self.letters.into_iter();
        Ok(letters.map(|letter| state.reinstate(number, &settings, letter, older, moment, facts)).collect())
    }
}

/// What a letter that is put back finds.
enum Found {
    Nothing,
    /// Itself, the same or newer.
    Itself,
    /// An older revision of itself, in this slot, which makes way.
    Older(u32),
}

impl State {
    fn reinstate(
        &mut self,
        number: u32,
        settings: &QueueSettings,
        whole: WholeLetter,
        older: Older,
        moment: Moment,
        facts: &mut Facts,
    ) -> Result<Reinstated, Refusal> {
        let no_failure = Refusal::NoFailure(whole.info.id);
        let mut item = whole.item(number, settings, &self.treatment, moment).ok_or(no_failure.clone())?;
        let (id, status) = item.letter().map(|letter| (letter.id, letter.status)).ok_or(no_failure)?;
        let (before, became) = match self.found(id, &item, older)? {
            Found::Itself => return Ok(Reinstated::There),
            Found::Older(slot) => (Some(slot), Reinstated::Newer),
            Found::Nothing => (None, Reinstated::New),
        };
        self.check_unheld(&item, before)?;
        self.check_order(&item)?;
        if let Some(before) = before {
            // Nobody is told that it is gone: what they hear next of it is its newer revision.
            self.record(Fact::Gone { ending: Ending::Duplicate, slots: vec![before], change: 0 }, facts);
        }
        let own = own_slot(id);
        let free = if self.items.is_near_and_free(own) { Some(own) } else { self.items.next_frees().next() };
        let slot = free.ok_or(Refusal::NoSlots)?;
        item.stamp = self.stamps.next(moment);
        if item.phase == Phase::Ready {
            item.at = self.archived_at(&item, moment);
        }
        item.rare_mut().first = Some(item.stamp);
        let change = self.feed.numbers(1);
        if let Some(letter) = item.letter_mut() {
            letter.change = change;
        }
        let mut why = Why::Reinstated;
        for (attach, tail) in whole.documents() {
            self.record_with(Fact::Item { why, slot, item: item.clone(), attach }, tail, facts);
            why = Why::Annotated;
        }
        if status == Status::Retrying {
            self.lose_letter(slot, moment, facts);
        }
        self.look_around(slot, moment, facts);
        self.unblock(slot, moment, facts);
        Ok(became)
    }

    fn found(&self, id: LetterId, item: &Item, older: Older) -> Result<Found, Refusal> {
        let Some((slot, there)) = self.letter_anywhere(id) else { return Ok(Found::Nothing) };
        let (Some(letter), Some(new)) = (there.letter(), item.letter()) else { return Ok(Found::Nothing) };
        if let Some(queue) = self.name_of(there.queue).filter(|_| there.queue != item.queue) {
            return Err(Refusal::LetterElsewhere { letter: id, queue });
        }
        match (letter.revision.cmp(&new.revision), older) {
            (Ordering::Greater, _) => Ok(Found::Itself),
            (Ordering::Equal, _) if is_same((there, letter), (item, new)) => Ok(Found::Itself),
            (Ordering::Equal, _) => Err(Refusal::OtherLetter { letter: id }),
            (Ordering::Less, Older::GoesAway) => Ok(Found::Older(slot)),
            (Ordering::Less, Older::Stays) => Err(Refusal::OlderLetter { letter: id, revision: letter.revision }),
        }
    }

    /// Whether nobody but its older self holds the source id or the message of a letter that will be live.
    fn check_unheld(&self, item: &Item, before: Option<u32>) -> Result<(), Refusal> {
        let Some(letter) = item.letter().filter(|letter| letter.status.is_live()) else { return Ok(()) };
        let of_source = item.source_id.as_deref().and_then(|id| self.slot_of_source(item.queue, id));
        let of_message = letter.coordinates.get().and_then(|message| self.slot_of_coordinates(item.queue, &message));
        let holder = [of_source, of_message].into_iter().flatten().find(|slot| Some(*slot) != before);
        match holder.and_then(|slot| self.items.get(slot).map(|item| item.stamp.id(slot))) {
            Some(by) => Err(Refusal::SourceHeld { source_id: item.source_id.clone().unwrap_or_default(), by }),
            None => Ok(()),
        }
    }
}

/// Whether two letters of one revision are one, as far as is known without reading what they carry.
fn is_same((one, letter): (&Item, &Letter), (other, twin): (&Item, &Letter)) -> bool {
    let is_same_payload = letter.digest.get().zip(twin.digest.get()).is_none_or(|(one, other)| one == other);
    let is_same_item = one.source_id == other.source_id && one.priority == other.priority;
    is_same_payload && is_same_item && LetterInfo::of(one, letter) == LetterInfo::of(other, twin)
}
