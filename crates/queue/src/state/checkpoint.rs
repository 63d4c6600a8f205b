//! A description of the whole state, a piece at a time.
//!
//! Recovery must not read the whole history. But a snapshot of five million items, made at once, stops
//! everybody for seconds. So the state is described in the history itself, among the facts of ordinary
//! work: first that a description begins, then queues, keys and items piece by piece, then that it ends.
//! Whoever begins to read where it began, and ignores facts about what was not described yet, knows
//! everything when it has ended: an item's image says what it was at that point, and every fact behind the
//! image is about an item that is known.

use std::ops::Bound;

use redrive_model::{Item, KeyChange, QueueSettings};

use super::State;
use crate::Facts;
use crate::fact::{CheckpointEnd, Fact, QueueSnapshot};
use crate::feed::Change;
use crate::sorted::Sorted;

/// How far a description has come. It lives with whoever drives it; one that is dropped is begun anew.
#[derive(Debug)]
pub struct Checkpoint {
    number: u64,
    stage: Stage,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Stage {
    Queues {
        after: Option<u32>,
    },
    Keys {
        after: Box<[u8]>,
    },
    Answers {
        after: u64,
    },
    Items {
        from: u32,
    },
    /// From here on all items are known to whoever reads along, so that every fact has its full effect.
    Tombstones {
        after: u64,
    },
    Totals {
        after: Option<u32>,
    },
    Ended,
}

/// So many slots, entries or queues are looked at for one piece: most of them may be empty.
const LOOKS_MAX: usize = 4096;

impl Checkpoint {
    /// Begins a description. No document may be pending.
    pub fn begin(state: &mut State, facts: &mut Facts) -> Self {
        let number = state.checkpoints + 1;
        state.record(Fact::CheckpointBegan { number, format: state.format }, facts);
        let cursors: Vec<(String, u64)> =
            state.feed.cursors().iter().map(|(name, position)| (name.clone(), *position)).collect();
        for (name, position) in cursors {
            state.record(Fact::Cursor { name, position: Some(position) }, facts);
        }
        Self { number, stage: Stage::Queues { after: None } }
    }

    /// No less than [`begin`](Self::begin) records.
    pub fn begin_bytes_max(state: &State) -> usize {
        64 + state.feed.cursors().keys().map(|name| name.len() + 64).sum::<usize>()
    }

    /// No less than a piece of about `budget` bytes takes: one thing is described whole, however large it is.
    pub fn bytes_max(&self, state: &State, budget: usize) -> usize {
        let one = match &self.stage {
            Stage::Queues { after } => next_queue(state, *after)
                .map_or(0, |number| state.queues.get(&number).map_or(0, |queue| settings_bytes(&queue.settings))),
            Stage::Keys { after } => state.keys.changes_from(after).next().map_or(0, |change| key_bytes(&change)),
            Stage::Answers { after } => state.answers.after(*after).next().map_or(0, |(_, answer)| answer.bytes()),
            Stage::Items { .. } => IMAGE_BYTES_MAX,
            Stage::Tombstones { .. } => TOMBSTONE_BYTES,
            Stage::Totals { .. } => TOTALS_BYTES + 16 * QueueSettings::PARTITIONS_MAX as usize,
            Stage::Ended => 0,
        };
        budget + one + 256
    }

    /// What a description of everything takes, about.
    pub fn bytes_of_all(state: &State) -> usize {
        let settings: usize = state.queues.values().map(|queue| settings_bytes(&queue.settings)).sum();
        let beside = state.keys.bytes_described() + state.answers.bytes_described();
        settings + beside + items_bytes(state, 0) + rest_bytes(state)
    }

    /// What the rest of this description takes, about.
    pub fn bytes_left(&self, state: &State) -> usize {
        match &self.stage {
            Stage::Queues { .. } | Stage::Keys { .. } | Stage::Answers { .. } => Self::bytes_of_all(state),
            Stage::Items { from } => items_bytes(state, *from) + rest_bytes(state),
            Stage::Tombstones { .. } | Stage::Totals { .. } => rest_bytes(state),
            Stage::Ended => 0,
        }
    }

    /// Describes a piece of about `budget` bytes; `true` when all was described. No document may be pending.
    pub fn proceed(&mut self, state: &mut State, budget: usize, facts: &mut Facts) -> bool {
        let mut piece = Piece { left: budget, looks: LOOKS_MAX };
        self.stage = match self.stage.clone() {
            Stage::Queues { after } => piece.queues(state, after, facts),
            Stage::Keys { after } => piece.keys(state, &after, facts),
            Stage::Answers { after } => piece.answers(state, after, facts),
            Stage::Items { from } => piece.items(state, from, facts),
            Stage::Tombstones { after } => piece.tombstones(state, after, facts),
            Stage::Totals { after } => match piece.totals(state, after, facts) {
                Some(after) => Stage::Totals { after: Some(after) },
                None => {
                    let end = Box::new(end(state, self.number));
                    state.record(Fact::CheckpointEnded(end), facts);
                    Stage::Ended
                }
            },
            Stage::Ended => Stage::Ended,
        };
        self.stage == Stage::Ended
    }
}

/// An image takes no more: texts are limited, and so is the number of documents.
const IMAGE_BYTES_MAX: usize = 6 * 1024;
const TOMBSTONE_BYTES: usize = 600;
const TOTALS_BYTES: usize = 1024;
/// A text in JSON may take so much more.
const JSON: usize = 6;

/// What these usually take, with what the log puts around them.
const IMAGE_BYTES: usize = 72;
const LETTER_BYTES: usize = 320;
/// What another document than the content adds to an image.
const DOCUMENT_BYTES: usize = 18;
const ENTRY_BYTES: usize = 64;

/// What images of the items from a slot on take, about.
fn items_bytes(state: &State, from: u32) -> usize {
    let count = usize::try_from(state.items.count()).unwrap_or(usize::MAX);
    let items = count.min(state.items.slots(from).len());
    let letters: usize = state.queues.values().flat_map(|queue| &queue.by_status).map(Sorted::len).sum();
    let documents = usize::try_from(state.documents).unwrap_or(usize::MAX).saturating_sub(count);
    let more = documents.saturating_mul(DOCUMENT_BYTES) + state.sources.bytes();
    // Nobody knows whose they are: everybody has a share.
    let share = more.checked_div(count).map_or(0, |each| (each + 1).saturating_mul(items));
    items.saturating_mul(IMAGE_BYTES) + letters.min(items).saturating_mul(LETTER_BYTES) + share.min(more)
}

/// What comes behind the items, about.
fn rest_bytes(state: &State) -> usize {
    let totals = state.queues.len().saturating_mul(TOTALS_BYTES / 2);
    state.feed.len().saturating_mul(ENTRY_BYTES) + totals + 256
}

/// What may still be described in this step.
#[derive(Debug)]
struct Piece {
    left: usize,
    looks: usize,
}

impl Piece {
    /// Whether something of this size is still described; the first always is.
    fn takes(&mut self, bytes: usize) -> bool {
        let is_taken = self.looks == LOOKS_MAX || (self.left > 0 && self.looks > 0);
        self.left = self.left.saturating_sub(bytes);
        self.looks = self.looks.saturating_sub(1);
        is_taken
    }

    fn queues(&mut self, state: &mut State, mut after: Option<u32>, facts: &mut Facts) -> Stage {
        while let Some(queue) = next_queue(state, after) {
            let Some(settings) = state.queues.get(&queue).map(|queue| queue.settings.clone()) else { break };
            if !self.takes(settings_bytes(&settings)) {
                return Stage::Queues { after };
            }
            state.record(Fact::QueueSet { queue, settings: Box::new(settings) }, facts);
            after = Some(queue);
        }
        Stage::Keys { after: Box::default() }
    }

    fn keys(&mut self, state: &mut State, after: &[u8], facts: &mut Facts) -> Stage {
        let changes: Vec<KeyChange> =
            state.keys.changes_from(after).take_while(|change| self.takes(key_bytes(change))).collect();
        match changes.last().map(|change| change.key.clone()) {
            Some(after) => {
                state.record(Fact::Keys { changes }, facts);
                Stage::Keys { after }
            }
            None => Stage::Answers { after: 0 },
        }
    }

    fn answers(&mut self, state: &mut State, after: u64, facts: &mut Facts) -> Stage {
        let mut answers = Vec::new();
        let mut last = after;
        for (number, answer) in state.answers.after(after) {
            // Nobody asks for those of a queue that is gone.
            let is_wanted = state.queues.contains_key(&answer.queue);
            if !self.takes(if is_wanted { answer.bytes() } else { 0 }) {
                break;
            }
            last = number;
            answers.extend(is_wanted.then(|| (number, answer.clone())));
        }
        if !answers.is_empty() {
            let oldest = state.answers.oldest();
            state.record(Fact::Answered { answers, oldest }, facts);
        }
        if last == after { Stage::Items { from: 0 } } else { Stage::Answers { after: last } }
    }

    fn items(&mut self, state: &State, from: u32, facts: &mut Facts) -> Stage {
        let mut images: Vec<(u32, &Item)> = Vec::new();
        let mut next = from;
        for slot in state.items.slots(from) {
            let item = state.live(slot);
            if !self.takes(item.map_or(0, image_bytes)) {
                break;
            }
            next = slot + 1;
            images.extend(item.map(|item| (slot, item)));
        }
        // Nothing becomes so by it: who is here knows what they are.
        if !images.is_empty() {
            facts.push_images(&images);
        }
        if next == from { Stage::Tombstones { after: 0 } } else { Stage::Items { from: next } }
    }

    fn tombstones(&mut self, state: &mut State, after: u64, facts: &mut Facts) -> Stage {
        let mut entries = Vec::new();
        let mut last = after;
        for (number, change) in state.feed.after(after) {
            let is_tombstone = !matches!(change, Change::Letter { .. });
            if !self.takes(if is_tombstone { TOMBSTONE_BYTES } else { 0 }) {
                break;
            }
            last = number;
            entries.extend(is_tombstone.then(|| (number, change.clone())));
        }
        if !entries.is_empty() {
            state.record(Fact::Tombstones { entries }, facts);
        }
        if last == after { Stage::Totals { after: None } } else { Stage::Tombstones { after: last } }
    }

    /// How far it came; `None` when nothing was left.
    fn totals(&mut self, state: &mut State, mut after: Option<u32>, facts: &mut Facts) -> Option<u32> {
        let before = after;
        while let Some(number) = next_queue(state, after) {
            let Some(totals) = totals(state, number) else { break };
            if !self.takes(TOTALS_BYTES + totals.placement.len() * 8) {
                break;
            }
            state.record(Fact::QueueSnapshot(Box::new(totals)), facts);
            after = Some(number);
        }
        if after == before { None } else { after }
    }
}

fn next_queue(state: &State, after: Option<u32>) -> Option<u32> {
    let after = after.map_or(Bound::Unbounded, Bound::Excluded);
    state.queues.range((after, Bound::Unbounded)).next().map(|(number, _)| *number)
}

fn settings_bytes(settings: &QueueSettings) -> usize {
    let names = settings.name.as_str().len() + settings.dead_queue.as_ref().map_or(0, |name| name.as_str().len());
    let namespace = settings.namespace.as_ref().map_or(0, |name| name.as_str().len());
    1024 + JSON * (names + namespace + settings.reference.len()) + settings.letters.bytes_max()
}

fn key_bytes(change: &KeyChange) -> usize {
    change.key.len() + change.value.as_ref().map_or(0, bytes::Bytes::len) + 32
}

fn image_bytes(item: &Item) -> usize {
    let letter = item.letter().map_or(0, |letter| 160 + letter.destination.len());
    128 + letter + item.source_id.as_ref().map_or(0, |id| id.len()) + item.docs().count() * DOCUMENT_BYTES
}

pub(super) fn totals(state: &State, number: u32) -> Option<QueueSnapshot> {
    let queue = state.queues.get(&number)?;
    let turns = queue.partitions.iter().map(|partition| partition.turns).chain([queue.due_turns]);
    Some(QueueSnapshot {
        queue: number,
        tally: queue.tally,
        placement: queue.placement.partitions().collect(),
        turns: turns.map(redrive_model::PriorityRotation::position).collect(),
    })
}

fn end(state: &State, number: u64) -> CheckpointEnd {
    CheckpointEnd {
        number,
        last_stamp: state.stamps.last(),
        next_queue: state.next_queue,
        past: state.past,
        next_change: state.feed.next(),
        items: state.items.count() - state.pending_reclaim.count(),
    }
}
