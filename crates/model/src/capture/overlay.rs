//! What the earlier letters of a request will have done.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{BuildHasherDefault, DefaultHasher};

use redrive_core::{LetterId, Status};

use super::{Neighbours, NewLetterStep, Peer, Target};
use crate::transition::QueueRules;
use crate::{Coordinates, DEPENDENTS_MAX, Letter, NewLetter, Phase, Rejection, check_dependencies_count, each_once};

/// The same in every process: nothing here depends on chance.
type Hashing = BuildHasherDefault<DefaultHasher>;

#[derive(Debug)]
pub(super) struct Overlay<'r> {
    /// The letters that the request makes and that stay live, by source id.
    made: HashMap<&'r str, Made, Hashing>,
    /// The messages of these.
    messages: HashMap<Coordinates, usize, Hashing>,
    /// The messages of letters that it makes and supersedes itself, with their source ids.
    superseded: HashMap<(&'r str, Coordinates), usize, Hashing>,
    /// The slots of letters that it archives.
    archived: BTreeSet<u32>,
    /// How many of those that it makes wait for a letter.
    waiting: BTreeMap<LetterId, usize>,
}

#[derive(Debug, Clone, Copy)]
struct Made {
    index: usize,
    generation: u32,
    coordinates: Option<Coordinates>,
}

impl<'r> Overlay<'r> {
    pub(super) fn new(letters: usize) -> Self {
        Self {
            made: HashMap::with_capacity_and_hasher(letters, Hashing::default()),
            messages: HashMap::with_capacity_and_hasher(letters, Hashing::default()),
            superseded: HashMap::default(),
            archived: BTreeSet::new(),
            waiting: BTreeMap::new(),
        }
    }

    /// By how many the live letters grow.
    pub(super) fn growth(&self) -> u64 {
        self.made.len().saturating_sub(self.archived.len()) as u64
    }

    /// The letter that was made of the same message: by this request, live in the queue, or kept there under the same
    /// source id whatever its status.
    pub(super) fn same_message(
        &self,
        new: &NewLetter,
        coordinates: Option<Coordinates>,
        known: Option<&impl Neighbours>,
    ) -> Option<Target> {
        let coordinates = coordinates?;
        let made = self.messages.get(&coordinates);
        if let Some(index) = made.or_else(|| self.superseded.get(&(&*new.source_id, coordinates))) {
            return Some(Target::Made(*index));
        }
        let near = known?;
        let live = near.by_coordinates(&coordinates).filter(|peer| !self.archived.contains(&peer.slot));
        let is_same = |letter: &Letter| letter.coordinates.get() == Some(coordinates);
        // Of several, the newest: a letter may have been reinstated beside a later one. What is damaged is wanted again.
        let kept = || {
            let whole = near.by_source(&new.source_id).filter(|peer| peer.item.phase != Phase::Damaged);
            let letters = whole.filter_map(|peer| Some((peer.item.letter()?, peer)));
            letters.filter(|(letter, _)| is_same(letter)).max_by_key(|(letter, _)| letter.id).map(|(_, peer)| peer)
        };
        live.or_else(kept).map(|peer| Target::Slot(peer.slot))
    }

    /// The live letter of a source id that the queue holds and that this request has not superseded; else the plain item
    /// that holds it.
    pub(super) fn live_of_source<'n>(&self, source_id: &'n str, near: &'n impl Neighbours) -> Option<Peer<'n>> {
        let live = || {
            let peers = near.by_source(source_id).filter(|peer| peer.item.phase.is_live());
            peers.filter(|peer| !self.archived.contains(&peer.slot))
        };
        live().find(|peer| peer.item.letter().is_some()).or_else(|| live().next())
    }

    /// The live letter of a source id that this request makes.
    pub(super) fn made(&self, source_id: &str) -> Option<usize> {
        self.made.get(source_id).map(|made| made.index)
    }

    /// Adds a letter, in place of the live one of its work where there is one.
    pub(super) fn add<N: Neighbours>(
        &mut self,
        index: usize,
        new: &'r NewLetter,
        coordinates: Option<Coordinates>,
        supersedes: Option<Target>,
        rules: &QueueRules<'_>,
        near: &N,
    ) -> Result<NewLetterStep, Rejection> {
        let waits_for = self.dependencies(&new.context.depends_on, near)?;
        let source_id = &*new.source_id;
        let before = self.made.remove(source_id);
        match supersedes {
            Some(Target::Slot(slot)) => {
                self.archived.insert(slot);
            }
            Some(Target::Made(_)) | None => {}
        }
        if let Some((before, message)) = before.and_then(|made| Some((made, made.coordinates?))) {
            self.messages.remove(&message);
            self.superseded.insert((source_id, message), before.index);
        }
        let generation = match before {
            Some(before) => before.generation,
            None => {
                near.by_source(source_id).filter_map(|peer| Some(peer.item.letter()?.generation)).max().unwrap_or(0)
            }
        };
        let generation = generation.saturating_add(1);
        let live =
            near.live_letters().saturating_add(self.made.len() as u64).saturating_sub(self.archived.len() as u64);
        self.made.insert(source_id, Made { index, generation, coordinates });
        self.messages.extend(coordinates.map(|coordinates| (coordinates, index)));
        Ok(NewLetterStep { generation, supersedes, is_over: rules.is_over(live), waits_for })
    }

    /// The letters that a new one waits for: all of this queue, without the completed ones.
    fn dependencies(&mut self, depends_on: &[LetterId], near: &impl Neighbours) -> Result<Vec<LetterId>, Rejection> {
        check_dependencies_count(depends_on)?;
        for id in depends_on {
            near.letter(*id).ok_or(Rejection::NoSuchDependency(*id))?;
        }
        let waiting = |id: &LetterId| near.dependents(*id) + self.waiting.get(id).copied().unwrap_or(0);
        if let Some(id) = depends_on.iter().find(|id| waiting(id) >= DEPENDENTS_MAX) {
            return Err(Rejection::TooManyDependents { letter: *id, most: DEPENDENTS_MAX });
        }
        let is_completed = |id: &LetterId| {
            let letter = near.letter(*id).and_then(|peer| peer.item.letter());
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
