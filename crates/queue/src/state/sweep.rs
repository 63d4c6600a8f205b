//! A description of the whole state, a piece at a time.
//!
//! Recovery must not read the whole history. But a snapshot of five million items, made at once, stops
//! everybody for seconds. So the state is described in the history itself, among the facts of ordinary
//! work: first that a description begins, then queues, keys and items piece by piece, then that it ends.
//! Whoever begins to read where it began, and ignores facts about what was not described yet, knows
//! everything when it has ended: an item's image says what it was at that point, and every fact behind the
//! image is about an item that is known.

use std::ops::Bound;

use super::State;
use crate::fact::{Fact, Facts, Image, QueueTotals, SweepEnd};
use crate::feed::Change;
use crate::item::Item;
use crate::keys::KeyChange;

/// How far a description has come. It lives with whoever drives it; one that is dropped is begun anew.
#[derive(Debug)]
pub struct Sweep {
    number: u64,
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    Queues { after: Option<u32> },
    Keys { after: Box<[u8]> },
    Items { from: u32 },
    Tombstones { after: u64 },
    Totals,
    Ended,
}

/// So many queues or keys are described at once.
const FEW: usize = 64;
/// So many bytes of keys, but for one that is longer by itself.
const KEYS_BYTES: usize = 256 * 1024;
/// No image is longer, with all the documents that an item can hold.
const IMAGE_BYTES: usize = 4 * 1024;
/// Slots that are looked at for each image that is wanted: a store that was emptied has many free ones.
const SLOTS_PER_IMAGE: usize = 8;

impl Sweep {
    /// Begins a description. No document may be pending.
    pub fn begin(state: &mut State, facts: &mut Facts) -> Self {
        let number = state.sweeps + 1;
        state.record(Fact::SweepBegan { number }, facts);
        let cursors: Vec<(String, u64)> =
            state.feed.cursors().iter().map(|(name, position)| (name.clone(), *position)).collect();
        for (name, position) in cursors {
            state.record(Fact::Cursor { name, position: Some(position) }, facts);
        }
        Self { number, stage: Stage::Queues { after: None } }
    }

    /// No less than the next step records, apart from what records take around their bodies.
    pub fn bytes_max(&self, state: &State, images: usize) -> usize {
        match &self.stage {
            Stage::Queues { .. } => FEW * 8 * 1024,
            Stage::Keys { after } => {
                let first = state.keys.changes_from(after).next();
                KEYS_BYTES + first.and_then(|change| change.value).map_or(0, |value| value.len()) + FEW * 16
            }
            Stage::Items { .. } => images * IMAGE_BYTES,
            Stage::Tombstones { .. } => FEW * 1024,
            Stage::Totals => {
                let partitions: usize = state.queues.values().map(|queue| queue.partitions.len()).sum();
                state.queues.len() * 1024 + partitions * 8 + 1024
            }
            Stage::Ended => 0,
        }
    }

    /// Describes about `images` more; `true` when all was described. No document may be pending.
    pub fn proceed(&mut self, state: &mut State, images: usize, facts: &mut Facts) -> bool {
        self.stage = match &self.stage {
            Stage::Queues { after } => describe_queues(state, *after, facts),
            Stage::Keys { after } => describe_keys(state, after, facts),
            Stage::Items { from } => describe_items(state, *from, images, facts),
            Stage::Tombstones { after } => describe_tombstones(state, *after, facts),
            Stage::Totals => self.describe_totals(state, facts),
            Stage::Ended => Stage::Ended,
        };
        matches!(self.stage, Stage::Ended)
    }

    /// All at once: totals are true only if nothing happens between them and the end.
    fn describe_totals(&self, state: &mut State, facts: &mut Facts) -> Stage {
        let numbers: Vec<u32> = state.queues.keys().copied().collect();
        for number in numbers {
            if let Some(totals) = totals(state, number) {
                state.record(Fact::QueueTotals(Box::new(totals)), facts);
            }
        }
        let end = end(state, self.number);
        state.record(Fact::SweepEnded(end), facts);
        Stage::Ended
    }
}

fn next_queues(state: &State, after: Option<u32>) -> Vec<u32> {
    let after = after.map_or(Bound::Unbounded, Bound::Excluded);
    state.queues.range((after, Bound::Unbounded)).map(|(number, _)| *number).take(FEW).collect()
}

fn describe_queues(state: &mut State, after: Option<u32>, facts: &mut Facts) -> Stage {
    let numbers = next_queues(state, after);
    for queue in &numbers {
        if let Some(settings) = state.queues.get(queue).map(|queue| queue.settings.clone()) {
            state.record(Fact::QueueSet { queue: *queue, settings: Box::new(settings) }, facts);
        }
    }
    match numbers.last() {
        Some(last) => Stage::Queues { after: Some(*last) },
        None => Stage::Keys { after: Box::default() },
    }
}

fn describe_keys(state: &mut State, after: &[u8], facts: &mut Facts) -> Stage {
    let mut bytes = 0;
    let fits = |change: &KeyChange| {
        let is_first = bytes == 0;
        bytes += change.key.len() + change.value.as_ref().map_or(0, bytes::Bytes::len);
        is_first || bytes <= KEYS_BYTES
    };
    let changes: Vec<_> = state.keys.changes_from(after).take(FEW).take_while(fits).collect();
    match changes.last().map(|change| change.key.clone()) {
        Some(after) => {
            state.record(Fact::Keys { changes }, facts);
            Stage::Keys { after }
        }
        None => Stage::Items { from: 0 },
    }
}

fn describe_items(state: &mut State, from: u32, most: usize, facts: &mut Facts) -> Stage {
    let mut images = Vec::new();
    let mut next = from;
    for slot in state.items.slots(from).take(most.saturating_mul(SLOTS_PER_IMAGE)) {
        if images.len() >= most {
            break;
        }
        next = slot + 1;
        if let Some(item) = state.live(slot) {
            images.push(image(slot, item));
        }
    }
    if !images.is_empty() {
        state.record(Fact::Images { images }, facts);
    }
    if next == from { Stage::Tombstones { after: 0 } } else { Stage::Items { from: next } }
}

fn describe_tombstones(state: &mut State, after: u64, facts: &mut Facts) -> Stage {
    let is_tombstone = |(_, change): &(u64, &Change)| !matches!(change, Change::Letter { .. });
    let looked_at: Vec<(u64, &Change)> = state.feed.after(after).take(FEW).collect();
    let Some((last, _)) = looked_at.last() else { return Stage::Totals };
    let after = *last;
    let tombstones = looked_at.into_iter().filter(is_tombstone);
    let entries: Vec<(u64, Change)> = tombstones.map(|(number, change)| (number, change.clone())).collect();
    if !entries.is_empty() {
        state.record(Fact::Tombstones { entries }, facts);
    }
    Stage::Tombstones { after }
}

fn image(slot: u32, item: &Item) -> Image {
    Image { slot, item: item.clone(), place: item.place, docs: item.docs().to_vec() }
}

fn totals(state: &State, number: u32) -> Option<QueueTotals> {
    let queue = state.queues.get(&number)?;
    let turns = queue.partitions.iter().map(|partition| partition.turns).chain([queue.due_turns]);
    Some(QueueTotals {
        queue: number,
        tally: queue.tally,
        placement: queue.placement.partitions().collect(),
        turns: turns.map(crate::Turns::position).collect(),
    })
}

fn end(state: &State, number: u64) -> SweepEnd {
    SweepEnd {
        number,
        last_stamp: state.stamps.last(),
        next_queue: state.next_queue,
        past: state.past,
        next_change: state.feed.next(),
        items: state.items.count() - state.doomed.count(),
    }
}
