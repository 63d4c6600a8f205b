//! What a failure is to the letters that are there.
//!
//! A request is taken whole or not at all, so it is looked through before anything is done. What stands before a
//! letter in its own request counts as done then: it may have made the letter's twin, or put one out of its way.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{BuildHasherDefault, DefaultHasher};

use redrive_core::{LetterId, Status};

use super::NewLetter;
use crate::item::Item;
use crate::letter::Letter;
use crate::{OnDuplicate, Refusal, State};

/// What a failure is to the letters that are there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Case {
    New,
    /// Told before, and that letter is live or still kept.
    Duplicate {
        slot: u32,
    },
    /// Another failure of the same work, whose letter is live.
    Again {
        slot: u32,
        then: OnDuplicate,
    },
}

impl Case {
    /// `message` is the one of the source that the failure is of, as far as that is known.
    pub(super) fn of(
        state: &State,
        queue: u32,
        wanted: OnDuplicate,
        new: &NewLetter,
        message: Option<[u8; 16]>,
    ) -> Self {
        Self::beside(state, queue, wanted, new, message, &BTreeSet::new())
    }

    /// The same, where some letters have made way.
    fn beside(
        state: &State,
        queue: u32,
        wanted: OnDuplicate,
        new: &NewLetter,
        coordinates: Option<[u8; 16]>,
        gone: &BTreeSet<u32>,
    ) -> Self {
        let of_message = coordinates.and_then(|coordinates| state.slot_of_coordinates(queue, &coordinates));
        if let Some(slot) = of_message.filter(|slot| !gone.contains(slot)) {
            return Self::Duplicate { slot };
        }
        let of_source = || state.letters_of_source(queue, &new.source_id);
        // All are looked at for each question, since they come in no particular order.
        let is_told_before = |letter: &Letter| coordinates.is_some() && letter.coordinates.get() == coordinates;
        // Of several, the newest: a letter may have been put back beside one that came after it.
        let told_before = of_source().filter(|(_, letter)| is_told_before(letter));
        if let Some((slot, _)) = told_before.max_by_key(|(_, letter)| letter.id) {
            return Self::Duplicate { slot };
        }
        let mut live = of_source().filter(|(slot, letter)| letter.status.is_live() && !gone.contains(slot));
        if let Some((slot, letter)) = live.next() {
            // A letter that is being retried takes the record of a further failure, whatever the queue wants.
            let then = if letter.status == Status::Retrying { OnDuplicate::Merge } else { wanted };
            return Self::Again { slot, then };
        }
        // A plain item that somebody put into the dead queue holds its source id, too.
        let plain = state.slot_of_source(queue, &new.source_id).filter(|slot| !gone.contains(slot));
        plain.map_or(Self::New, |slot| Self::Duplicate { slot })
    }
}

/// The same in every process: nothing here depends on chance.
type Hashing = BuildHasherDefault<DefaultHasher>;

/// What the letters of a request will have done.
#[derive(Debug)]
pub(super) struct Preview<'r> {
    wanted: OnDuplicate,
    /// The letters that it makes and that stay live, by source id.
    made: HashMap<&'r str, &'r NewLetter, Hashing>,
    /// The messages of these.
    messages: HashSet<[u8; 16], Hashing>,
    /// The messages of those that make way for others of it, with their source ids.
    told: HashSet<(&'r str, [u8; 16]), Hashing>,
    /// The slots of letters that it archives.
    gone: BTreeSet<u32>,
    /// How many of those that it makes wait for a letter.
    waiting: BTreeMap<LetterId, usize>,
}

impl<'r> Preview<'r> {
    pub(super) fn new(wanted: OnDuplicate, letters: usize) -> Self {
        Self {
            wanted,
            made: HashMap::with_capacity_and_hasher(letters, Hashing::default()),
            messages: HashSet::with_capacity_and_hasher(letters, Hashing::default()),
            told: HashSet::default(),
            gone: BTreeSet::new(),
            waiting: BTreeMap::new(),
        }
    }

    /// By how many the live letters grow.
    pub(super) fn growth(&self) -> u64 {
        self.made.len().saturating_sub(self.gone.len()) as u64
    }

    /// Adds the next letter of the request; refuses one that would have to be refused in the middle. `is_unheard_of` says
    /// that no letter of the state has its source id or its message. Whether it is the first of its source id, and nothing
    /// that stands before it changes that.
    pub(super) fn add(
        &mut self,
        state: &State,
        queue: u32,
        new: &'r NewLetter,
        coordinates: Option<[u8; 16]>,
        is_unheard_of: bool,
    ) -> Result<bool, Refusal> {
        let is_told = |message| self.messages.contains(&message) || self.told.contains(&(&*new.source_id, message));
        if coordinates.is_some_and(is_told) {
            return Ok(false);
        }
        let is_first = is_unheard_of && !self.made.contains_key(&*new.source_id);
        let of_state = || Case::beside(state, queue, self.wanted, new, coordinates, &self.gone);
        match if is_unheard_of { Case::New } else { of_state() } {
            Case::Duplicate { .. } => {}
            Case::Again { slot, then } => self.add_again(state, slot, then, new, coordinates)?,
            Case::New => self.add_new(state, queue, new, coordinates)?,
        }
        Ok(is_first)
    }

    /// A further failure of work whose letter was live before the request.
    fn add_again(
        &mut self,
        state: &State,
        slot: u32,
        then: OnDuplicate,
        new: &'r NewLetter,
        message: Option<[u8; 16]>,
    ) -> Result<(), Refusal> {
        let Some(letter) = state.items.get(slot).and_then(Item::letter) else { return Ok(()) };
        match (then, letter.digest.get()) {
            (OnDuplicate::NewGeneration, _) => {
                let queue = state.items.get(slot).map_or(0, |item| item.queue);
                self.add_dependencies(state, queue, &new.dossier.depends_on)?;
                self.gone.insert(slot);
                self.make(new, message);
                Ok(())
            }
            (OnDuplicate::Reject, _) => Err(Refusal::DuplicateLetter { letter: letter.id }),
            (OnDuplicate::Merge, Some(digest)) if digest != new.content.digest() => {
                Err(Refusal::OtherPayload { letter: letter.id })
            }
            (OnDuplicate::Merge, _) => Ok(()),
        }
    }

    /// A failure of work that had no live letter before the request.
    fn add_new(
        &mut self,
        state: &State,
        queue: u32,
        new: &'r NewLetter,
        message: Option<[u8; 16]>,
    ) -> Result<(), Refusal> {
        match (self.made.get(&*new.source_id), self.wanted) {
            (None, _) | (Some(_), OnDuplicate::NewGeneration) => {
                self.add_dependencies(state, queue, &new.dossier.depends_on)?;
                self.make(new, message);
                Ok(())
            }
            (Some(_), OnDuplicate::Reject) => Err(Refusal::TwiceInRequest(new.source_id.clone())),
            (Some(twin), OnDuplicate::Merge) if twin.content.payload != new.content.payload => {
                Err(Refusal::OtherPayloadInRequest(new.source_id.clone()))
            }
            (Some(_), OnDuplicate::Merge) => Ok(()),
        }
    }

    fn add_dependencies(&mut self, state: &State, queue: u32, depends_on: &[LetterId]) -> Result<(), Refusal> {
        state.check_dependencies(queue, depends_on, &self.waiting)?;
        for id in state.unfinished(queue, depends_on) {
            *self.waiting.entry(id).or_default() += 1;
        }
        Ok(())
    }

    fn make(&mut self, new: &'r NewLetter, message: Option<[u8; 16]>) {
        let before = self.made.insert(&new.source_id, new);
        if let Some(message) = before.and_then(|before| before.dossier.origin.coordinates()) {
            self.messages.remove(&message);
            self.told.insert((&new.source_id, message));
        }
        self.messages.extend(message);
    }
}
