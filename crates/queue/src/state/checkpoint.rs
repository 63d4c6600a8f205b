//! Writes a checkpoint of the whole state, a piece at a time.
//!
//! Recovery must not read the whole history. But a snapshot of five million items in one step would block all requests
//! for seconds. So the checkpoint is part of the history, among the facts of ordinary operations: first its beginning,
//! then queues, keys and items piece by piece, then its end. A recovery that starts at the beginning and ignores facts
//! about items that are not in the checkpoint yet knows the whole state at the end: the image of an item is its state
//! at that point, and every fact after the image refers to a known item.

use std::ops::Bound;

use redrive_model::{Item, KeyChange, QueueSettings};

use super::State;
use crate::Facts;
use crate::fact::{CheckpointEnd, Fact, QueueSnapshot};
use crate::feed::Change;
use crate::sorted::Sorted;

/// The progress of a checkpoint. The store owns it; after a restart, a new checkpoint begins.
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
    /// From here on, a recovery knows all items, so that every fact has its full effect.
    Tombstones {
        after: u64,
    },
    Totals {
        after: Option<u32>,
    },
    Ended,
}

/// The maximum number of slots, entries or queues visited for one piece: most of them may be empty.
const VISITS_MAX: usize = 4096;

impl Checkpoint {
    /// Begins a checkpoint. No document may be pending.
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

    /// An upper bound of the size that [`begin`](Self::begin) records.
    pub fn begin_bytes_max(state: &State) -> usize {
        64 + state.feed.cursors().keys().map(|name| name.len() + 64).sum::<usize>()
    }

    /// An upper bound of the size of a piece of about `budget` bytes: an entry is never split, whatever its size.
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

    /// The approximate size of a whole checkpoint.
    pub fn bytes_of_all(state: &State) -> usize {
        let settings: usize = state.queues.values().map(|queue| settings_bytes(&queue.settings)).sum();
        let others = state.keys.checkpoint_bytes() + state.answers.checkpoint_bytes();
        settings + others + items_bytes(state, 0) + rest_bytes(state)
    }

    /// The approximate size of the rest of this checkpoint.
    pub fn bytes_left(&self, state: &State) -> usize {
        match &self.stage {
            Stage::Queues { .. } | Stage::Keys { .. } | Stage::Answers { .. } => Self::bytes_of_all(state),
            Stage::Items { from } => items_bytes(state, *from) + rest_bytes(state),
            Stage::Tombstones { .. } | Stage::Totals { .. } => rest_bytes(state),
            Stage::Ended => 0,
        }
    }

    /// Writes a piece of about `budget` bytes. Returns `true` if the checkpoint is complete. No document may be
    /// pending.
    pub fn proceed(&mut self, state: &mut State, budget: usize, facts: &mut Facts) -> bool {
        let mut piece = Piece { left: budget, visits: VISITS_MAX };
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

/// The maximum size of an image: texts and the number of documents are limited.
const IMAGE_BYTES_MAX: usize = 6 * 1024;
const TOMBSTONE_BYTES: usize = 600;
const TOTALS_BYTES: usize = 1024;
/// The maximum expansion of a text in JSON.
const JSON: usize = 6;

/// Typical sizes, including the overhead of the log.
const IMAGE_BYTES: usize = 72;
const LETTER_BYTES: usize = 320;
/// The size of a document other than the content in an image.
const DOCUMENT_BYTES: usize = 18;
const ENTRY_BYTES: usize = 64;

/// The approximate size of the images of the items from a slot on.
fn items_bytes(state: &State, from: u32) -> usize {
    let count = usize::try_from(state.items.count()).unwrap_or(usize::MAX);
    let items = count.min(state.items.slots(from).len());
    let letters: usize = state.queues.values().flat_map(|queue| &queue.by_status).map(Sorted::len).sum();
    let documents = usize::try_from(state.documents).unwrap_or(usize::MAX).saturating_sub(count);
    let more = documents.saturating_mul(DOCUMENT_BYTES) + state.sources.bytes();
    // The distribution over the items is unknown, so each item gets an equal share.
    let share = more.checked_div(count).map_or(0, |each| (each + 1).saturating_mul(items));
    items.saturating_mul(IMAGE_BYTES) + letters.min(items).saturating_mul(LETTER_BYTES) + share.min(more)
}

/// The approximate size of everything after the items.
fn rest_bytes(state: &State) -> usize {
    let totals = state.queues.len().saturating_mul(TOTALS_BYTES / 2);
    state.feed.len().saturating_mul(ENTRY_BYTES) + totals + 256
}

/// The remaining budget of one piece.
#[derive(Debug)]
struct Piece {
    left: usize,
    visits: usize,
}

impl Piece {
    /// Whether the piece has space for an entry of this size; the first entry always fits.
    fn takes(&mut self, bytes: usize) -> bool {
        let is_taken = self.visits == VISITS_MAX || (self.left > 0 && self.visits > 0);
        self.left = self.left.saturating_sub(bytes);
        self.visits = self.visits.saturating_sub(1);
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
            // Answers of a deleted queue are never looked up again.
            let is_needed = state.queues.contains_key(&answer.queue);
            if !self.takes(if is_needed { answer.bytes() } else { 0 }) {
                break;
            }
            last = number;
            answers.extend(is_needed.then(|| (number, answer.clone())));
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
        // The images are recorded without applying them: the live state already has the items.
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

    /// Returns the last queue written; `None` if none was left.
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
    let rotations = queue.partitions.iter().map(|partition| partition.rotation).chain([queue.due_rotation]);
    Some(QueueSnapshot {
        queue: number,
        counts: queue.counts,
        placement: queue.placement.partitions().collect(),
        rotations: rotations.map(redrive_model::PriorityRotation::position).collect(),
    })
}

fn end(state: &State, number: u64) -> CheckpointEnd {
    CheckpointEnd {
        number,
        last_stamp: state.stamps.last(),
        next_queue: state.next_queue,
        past: state.past,
        next_change: state.feed.next(),
        items: state.present(),
    }
}
