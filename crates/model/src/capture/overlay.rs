//! The effects of the earlier letters in the same request.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{BuildHasherDefault, DefaultHasher};

use redrive_core::{LetterId, Status};

use super::{NewLetterStep, Peer, QueueIndex, Target};
use crate::transition::QueueRules;
use crate::{
    CaptureBatch, Coordinates, DEPENDENTS_MAX, Letter, NewLetter, Phase, Rejection, check_dependencies_count, each_once,
};

/// A hasher without random keys: planning is deterministic.
type DeterministicState = BuildHasherDefault<DefaultHasher>;

#[derive(Debug)]
pub(super) struct Overlay<'r> {
    /// The letters that the request creates and that stay live, by source id.
    made: HashMap<&'r str, Made, DeterministicState>,
    /// The coordinates of these letters.
    messages: HashMap<Coordinates, usize, DeterministicState>,
    /// The coordinates of letters that the request creates and supersedes, with their source ids.
    superseded: HashMap<(&'r str, Coordinates), usize, DeterministicState>,
    /// The slots of letters that the request archives.
    archived: BTreeSet<u32>,
    /// The slots of completed letters that the request opens again.
    reopened: BTreeMap<u32, Peer<'r>>,
    /// The replays of the letters for which the request has further failures.
    replays: BTreeMap<Target, u32>,
    /// The number of created letters that depend on each letter.
    waiting: BTreeMap<LetterId, usize>,
}

#[derive(Debug, Clone, Copy)]
struct Made {
    index: usize,
    generation: u32,
    coordinates: Option<Coordinates>,
}

/// A letter that a failure may belong to.
#[derive(Debug, Clone, Copy)]
pub(super) enum FoundLetter<'n> {
    /// In the queue.
    Held(Peer<'n>),
    /// Created by the request, for the failure with this index.
    Made(usize),
}

impl FoundLetter<'_> {
    pub(super) const fn target(&self) -> Target {
        match self {
            Self::Held(peer) => Target::Slot(peer.slot),
            Self::Made(index) => Target::Made(*index),
        }
    }
}

impl<'r> Overlay<'r> {
    pub(super) fn new(letters: usize) -> Self {
        Self {
            made: HashMap::with_capacity_and_hasher(letters, DeterministicState::default()),
            messages: HashMap::with_capacity_and_hasher(letters, DeterministicState::default()),
            superseded: HashMap::default(),
            archived: BTreeSet::new(),
            reopened: BTreeMap::new(),
            replays: BTreeMap::new(),
            waiting: BTreeMap::new(),
        }
    }

    /// By how much the number of live letters grows.
    pub(super) fn growth(&self) -> u64 {
        (self.made.len() + self.reopened.len()).saturating_sub(self.archived.len()) as u64
    }

    /// The letter with the same coordinates: created by this request, live in the queue, or in the queue under the same
    /// source id with any status.
    pub(super) fn same_message(
        &self,
        new: &'r NewLetter,
        coordinates: Option<Coordinates>,
        known: Option<&'r impl QueueIndex>,
    ) -> Option<FoundLetter<'r>> {
        let (coordinates, source_id) = (coordinates?, &*new.source_id);
        let made = self.messages.get(&coordinates);
        if let Some(index) = made.or_else(|| self.superseded.get(&(source_id, coordinates))) {
            return Some(FoundLetter::Made(*index));
        }
        let items = known?;
        let is_same = |letter: &Letter| letter.coordinates.get() == Some(coordinates);
        let reopened = || self.reopened.values().find(|peer| peer.item.letter().is_some_and(is_same)).copied();
        let live = items.by_coordinates(&coordinates).or_else(reopened);
        let live = live.filter(|peer| !self.archived.contains(&peer.slot));
        // The newest, if there are several: a letter may have been reinstated beside a later one. A damaged letter does
        // not count: capturing it again replaces it.
        let kept = || {
            let whole = items.by_source(source_id).filter(|peer| peer.item.phase != Phase::Damaged);
            let letters = whole.filter_map(|peer| Some((peer.item.letter()?, peer)));
            letters.filter(|(letter, _)| is_same(letter)).max_by_key(|(letter, _)| letter.id).map(|(_, peer)| peer)
        };
        live.or_else(kept).map(FoundLetter::Held)
    }

    /// The live letter of a source id in the queue that this request has not superseded; else the plain item that holds
    /// the source id.
    pub(super) fn live_of_source(&self, source_id: &'r str, items: &'r impl QueueIndex) -> Option<Peer<'r>> {
        let live = || items.by_source(source_id).filter(|peer| self.is_live(peer));
        live().find(|peer| peer.item.letter().is_some()).or_else(|| live().next())
    }

    fn is_live(&self, peer: &Peer<'_>) -> bool {
        let was_live = peer.item.phase.is_live() || self.reopened.contains_key(&peer.slot);
        was_live && !self.archived.contains(&peer.slot)
    }

    /// The replays of the newest failure of a letter, including those of this request.
    pub(super) fn replays_of(&self, found: FoundLetter<'_>, letters: &CaptureBatch) -> u32 {
        self.replays.get(&found.target()).copied().unwrap_or_else(|| match found {
            FoundLetter::Held(peer) => peer.item.letter().map_or(0, |letter| letter.replays),
            FoundLetter::Made(index) => letters[index].context.origin.replays,
        })
    }

    /// Adds a further failure of a letter after it was handed back. If the letter is done, it is open again. Returns
    /// whether it can have one: not if another live letter has its source id.
    pub(super) fn fail_again(
        &mut self,
        found: FoundLetter<'r>,
        new: &'r NewLetter,
        items: &'r impl QueueIndex,
    ) -> bool {
        if let FoundLetter::Held(peer) = found
            && !self.is_live(&peer)
        {
            let source_id = &*new.source_id;
            if self.live_of_source(source_id, items).is_some() || self.made.contains_key(source_id) {
                return false;
            }
            // One that this request archives was not done.
            if !self.archived.contains(&peer.slot) && peer.item.letter().is_some_and(Letter::is_done) {
                self.reopened.insert(peer.slot, peer);
            }
        }
        self.replays.insert(found.target(), new.context.origin.replays);
        true
    }

    /// The live letter of a source id that this request creates.
    pub(super) fn made(&self, source_id: &str) -> Option<usize> {
        self.made.get(source_id).map(|made| made.index)
    }

    /// Adds a new letter. It supersedes `supersedes`, the live letter of the same work.
    pub(super) fn add<N: QueueIndex>(
        &mut self,
        index: usize,
        new: &'r NewLetter,
        coordinates: Option<Coordinates>,
        supersedes: Option<Target>,
        rules: &QueueRules<'_>,
        items: &N,
    ) -> Result<NewLetterStep, Rejection> {
        let waits_for = self.dependencies(&new.context.depends_on, items)?;
        let source_id = &*new.source_id;
        let before = self.made.remove(source_id);
        if let Some(Target::Slot(slot)) = supersedes {
            self.archived.insert(slot);
        }
        if let Some((before, message)) = before.and_then(|made| Some((made, made.coordinates?))) {
            self.messages.remove(&message);
            self.superseded.insert((source_id, message), before.index);
        }
        let generations = || items.by_source(source_id).filter_map(|peer| Some(peer.item.letter()?.generation));
        let generation = before.map_or_else(|| generations().max().unwrap_or(0), |before| before.generation);
        let generation = generation.saturating_add(1);
        let live = items
            .live_letters()
            .saturating_add((self.made.len() + self.reopened.len()) as u64)
            .saturating_sub(self.archived.len() as u64);
        self.made.insert(source_id, Made { index, generation, coordinates });
        self.messages.extend(coordinates.map(|coordinates| (coordinates, index)));
        Ok(NewLetterStep { generation, supersedes, is_over: rules.is_over(live), waits_for })
    }

    /// The letters that a new letter waits for: its dependencies, which must be in this queue, without the completed
    /// ones.
    fn dependencies(&mut self, depends_on: &[LetterId], items: &impl QueueIndex) -> Result<Vec<LetterId>, Rejection> {
        check_dependencies_count(depends_on)?;
        for id in depends_on {
            items.letter(*id).ok_or(Rejection::NoSuchDependency(*id))?;
        }
        let waiting = |id: &LetterId| items.dependents(*id) + self.waiting.get(id).copied().unwrap_or(0);
        if let Some(id) = depends_on.iter().find(|id| waiting(id) >= DEPENDENTS_MAX) {
            return Err(Rejection::TooManyDependents { letter: *id, most: DEPENDENTS_MAX });
        }
        let is_completed = |id: &LetterId| {
            let done = items.letter(*id).filter(|peer| !self.reopened.contains_key(&peer.slot));
            let letter = done.and_then(|peer| peer.item.letter());
            letter.is_some_and(|letter| letter.status == Status::Completed)
        };
        let mut waits_for = each_once(depends_on);
        waits_for.retain(|id| !is_completed(id));
        for id in &waits_for {
            *self.waiting.entry(*id).or_default() += 1;
        }
        Ok(waits_for)
    }
}
