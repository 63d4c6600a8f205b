//! Rebuilds a state from a history with missing records.
//!
//! The facts of an item are applied as far as they can be read. This never loses an existing item: a slot is reused
//! only after its item was removed, so a fact about a slot never removes an item that had not ended. Conversely, an
//! item whose end is among the missing records exists again and is delivered once more.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use redrive_core::{ItemId, LetterId, QueueName};
use redrive_model::{
    CorruptRecord, DocumentKind, DocumentList, DocumentRef, EndReason, Event, Item, ItemInfo, QueueSettings,
};

use super::State;
use super::checkpoint::totals;
use crate::Facts;
use crate::fact::{Attach, CheckpointEnd, Fact, ItemImage};

/// The number of serials to skip, so that those of lost records are not reused.
const SERIALS_SKIPPED: u64 = 1 << 32;

/// Rebuilds a state, record by record.
#[derive(Debug)]
pub struct Salvage {
    state: State,
    settings: KnownSettings,
    /// Items with facts, but without the record of their arrival.
    incomplete: BTreeMap<u32, LostItem>,
    /// Items whose first content is lost but whose edited content exists.
    only_edited: BTreeMap<u32, LostItem>,
    /// Whether all items of the checkpoint at the recovery point were found.
    is_described: bool,
    losses: Vec<Loss>,
}

/// The settings of queues that are found anywhere in a history, possibly after the items of the queue.
#[derive(Debug, Clone, Default)]
pub struct KnownSettings(BTreeMap<u32, QueueSettings>);

impl KnownSettings {
    /// Reads the settings from a record, if it contains any.
    pub fn add_record(&mut self, kind: u8, body: &[u8]) {
        if let Ok(Fact::QueueSet { queue, settings }) = Facts::fact_of(kind, body) {
            self.0.insert(queue, *settings);
        }
    }
}

/// An item that could not be salvaged, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LostItem {
    pub queue: Option<QueueName>,
    pub id: Option<ItemId>,
    pub letter: Option<LetterId>,
    pub source_id: Option<String>,
}

/// A difference between the salvaged state and the original.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Loss {
    /// A complete record that cannot be decoded.
    Record { kind: u8, why: String },
    /// The settings of a queue are lost; its items are in a queue with this name.
    Settings { queue: QueueName },
    /// The content of an item is lost, and with it the item.
    Item(LostItem),
    /// A document of a salvaged item is lost.
    Document { item: LostItem, kind: DocumentKind },
    /// The number of items that a clear removed. If records are missing, some of these items may have been leased at
    /// that time, and the clear did not remove them.
    Cleared { queue: QueueName, items: u64 },
    /// An item salvaged from before the recovery point: it may have been completed since.
    Uncertain(LostItem),
}

impl fmt::Display for LostItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.letter, &self.id) {
            (Some(letter), _) => write!(f, "letter {letter}")?,
            (None, Some(id)) => write!(f, "item {id}")?,
            (None, None) => f.write_str("an item with an unknown id")?,
        }
        if let Some(source_id) = &self.source_id {
            write!(f, " (source id '{source_id}')")?;
        }
        match &self.queue {
            Some(queue) => write!(f, " of queue '{queue}'"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Record { kind, why } => write!(f, "dropped: a record of kind {kind}: {why}"),
            Self::Settings { queue } => {
                write!(f, "repaired: the settings of a queue are lost; its items are in queue '{queue}'")
            }
            Self::Item(item) => write!(f, "lost: {item}: its content cannot be read"),
            Self::Document { item, kind } => write!(f, "repaired: {item}: a document ({kind:?}) is lost"),
            Self::Cleared { queue, items } => {
                write!(f, "uncertain: {items} items of queue '{queue}' were cleared; some may have been leased then")
            }
            Self::Uncertain(item) => {
                write!(
                    f,
                    "uncertain: {item} was salvaged from before the recovery point; it may have been completed since"
                )
            }
        }
    }
}

impl LostItem {
    const UNKNOWN: Self = Self { queue: None, id: None, letter: None, source_id: None };

    fn of(state: &State, slot: u32, item: &Item) -> Self {
        let info = ItemInfo::of(slot, item);
        Self {
            queue: state.name_of(item.queue),
            id: Some(info.id),
            letter: item.letter().map(|letter| letter.id),
            source_id: item.source_id.as_deref().map(ToOwned::to_owned),
        }
    }
}

impl Salvage {
    pub fn new(settings: KnownSettings) -> Self {
        Self {
            state: State::recovering(),
            settings,
            incomplete: BTreeMap::new(),
            only_edited: BTreeMap::new(),
            is_described: false,
            losses: Vec::new(),
        }
    }

    /// Applies a record.
    ///
    /// # Errors
    ///
    /// If another version wrote it.
    pub fn take(&mut self, kind: u8, body: &[u8], place: DocumentRef) -> Result<(), CorruptRecord> {
        match Facts::fact_of(kind, body) {
            Ok(fact) => self.apply(kind, fact, place),
            Err(error) if error.is_of_other_format() => return Err(error),
            Err(error) => self.losses.push(Loss::Record { kind, why: error.to_string() }),
        }
        Ok(())
    }

    /// Applies a record from before the recovery point, except for keys and cursors: a key that was revoked since would
    /// be valid again.
    ///
    /// # Errors
    ///
    /// If another version wrote it.
    pub fn take_earlier(&mut self, kind: u8, body: &[u8], place: DocumentRef) -> Result<(), CorruptRecord> {
        match Facts::fact_of(kind, body) {
            Ok(Fact::Keys { .. } | Fact::Cursor { .. }) => Ok(()),
            _ => self.take(kind, body, place),
        }
    }

    fn apply(&mut self, kind: u8, mut fact: Fact, place: DocumentRef) {
        match &mut fact {
            Fact::QueueSet { queue, settings } => self.remove_previous_queue(*queue, &settings.name),
            Fact::QueueGone { queue, .. } => {
                let name = self.state.name_of(*queue);
                self.incomplete.retain(|_, lost| name.is_none() || lost.queue != name);
            }
            Fact::Item { event, slot, item, attach } => {
                self.ensure_queue(item);
                if !is_arrival(*event) && self.state.items.get(*slot).is_none() {
                    let known = LostItem::of(&self.state, *slot, item);
                    if *attach != Attach::Edited {
                        self.incomplete.insert(*slot, known);
                        return;
                    }
                    // The edited content exists, although the first one is lost.
                    (*event, *attach) = (Event::Imported, Attach::Content);
                    self.only_edited.insert(*slot, known);
                    self.incomplete.remove(slot);
                } else if is_arrival(*event) {
                    self.mark_found(*slot);
                }
            }
            Fact::Document { slot, .. } | Fact::Relocated { slot, .. } => self.mark_missing(&[*slot]),
            Fact::Leased(leased) => self.mark_missing(&leased.slots),
            Fact::Extended { deadlines } => {
                let slots: Vec<u32> = deadlines.iter().map(|(slot, _)| *slot).collect();
                self.mark_missing(&slots);
            }
            Fact::Gone { slots, .. } | Fact::Reclaimed { slots } => {
                slots.iter().for_each(|slot| self.mark_found(*slot));
            }
            Fact::Images { images } => {
                for image in images {
                    self.ensure_queue(&mut image.item);
                    self.mark_found(image.slot);
                }
            }
            // The effects of an answered request may be lost, so a repeated request is applied again.
            Fact::Answered { .. } => return,
            Fact::CheckpointEnded(end) => return self.end_checkpoint(end),
            _ => {}
        }
        let cleared = match &fact {
            Fact::Cleared { queue, .. } => self.state.name_of(*queue),
            _ => None,
        };
        let before = self.state.pending_reclaim.count();
        if let Err(error) = self.state.apply(fact, place) {
            self.losses.push(Loss::Record { kind, why: error.to_string() });
        }
        let items = self.state.pending_reclaim.count().saturating_sub(before);
        self.losses.extend(cleared.filter(|_| items > 0).map(|queue| Loss::Cleared { queue, items }));
        self.state.freed.clear();
        self.state.woken.clear();
        self.state.lost.clear();
        self.state.forgotten.clear();
        self.state.letter_news.clear();
    }

    /// Records that the contents of a slot are known: a complete item, or none.
    fn mark_found(&mut self, slot: u32) {
        self.incomplete.remove(&slot);
        self.only_edited.remove(&slot);
    }

    /// Removes the previous queue with the name of a new queue, in case the record of its deletion is missing.
    fn remove_previous_queue(&mut self, queue: u32, name: &QueueName) {
        let before = self.state.number_of(name).filter(|before| *before != queue);
        if let Some(queue) = before {
            // The queue exists: its name was found.
            let _removed = self.state.apply(Fact::QueueGone { queue, change: 0 }, DocumentRef::NONE);
        }
    }

    /// Creates the queue of an item if it is missing.
    fn ensure_queue(&mut self, item: &mut Item) {
        if !self.state.queues.contains_key(&item.queue) {
            let known = self.settings.0.get(&item.queue).cloned();
            let Some(settings) = known.or_else(|| self.placeholder(item.queue)) else { return };
            self.remove_previous_queue(item.queue, &settings.name);
            self.state.set_queue(item.queue, settings);
        }
        let queue = self.state.queues.get(&item.queue);
        if queue.is_some_and(|queue| queue.partition(item.partition).is_none()) {
            item.partition = 0;
        }
    }

    /// Settings of a queue for items whose queue is unknown.
    fn placeholder(&mut self, number: u32) -> Option<QueueSettings> {
        let settings = QueueSettings::new(QueueName::new(&format!("salvaged-{number}")).ok()?);
        self.losses.push(Loss::Settings { queue: settings.name.clone() });
        self.settings.0.insert(number, settings.clone());
        Some(settings)
    }

    /// Records that a fact refers to these slots. Unknown items are missing until a record with their state is found.
    fn mark_missing(&mut self, slots: &[u32]) {
        for slot in slots.iter().filter(|slot| self.state.items.get(**slot).is_none()) {
            self.incomplete.entry(*slot).or_insert(LostItem::UNKNOWN);
        }
    }

    /// Applies the end of a checkpoint. A different number of items is recorded, not an error.
    fn end_checkpoint(&mut self, end: &CheckpointEnd) {
        let state = &mut self.state;
        state.stamps.seen(end.last_stamp);
        state.next_queue = end.next_queue.max(state.next_queue);
        state.past = end.past;
        state.feed.set_next(end.next_change.max(state.feed.next()));
        self.is_described =
            end.number == state.checkpoints && state.present() == end.items && self.incomplete.is_empty();
    }

    /// Whether every item of the checkpoint at the recovery point was found.
    pub const fn is_described(&self) -> bool {
        self.is_described
    }

    /// The slots of all items, with the places of their documents.
    pub fn items(&self) -> impl Iterator<Item = (u32, Vec<DocumentRef>)> {
        let live = self.state.items.slots(0).filter_map(|slot| self.state.live(slot).map(|item| (slot, item)));
        live.map(|(slot, item)| {
            let mut places: Vec<DocumentRef> = item.places().collect();
            places.dedup();
            (slot, places)
        })
    }

    /// Whether a record contains the original content of the item in a slot, which was relocated since.
    pub fn is_content_of(&self, slot: u32, kind: u8, body: &[u8]) -> bool {
        let Ok(Fact::Item { slot: of, item: then, attach, .. }) = Facts::fact_of(kind, body) else { return false };
        let is_whole = matches!(attach, Attach::Content | Attach::Filed);
        let is_same =
            |now: &Item| now.created_at == then.created_at && now.source_id == then.source_id && !now.is_edited();
        of == slot && is_whole && self.state.live(slot).is_some_and(is_same)
    }

    /// Sets the new places of an item's documents, given as pairs of old and new place. A document without a pair is
    /// lost; without its content, the item is lost.
    pub fn move_documents(&mut self, slot: u32, moved: &[(DocumentRef, DocumentRef)]) {
        let Some(item) = self.state.live(slot) else { return };
        let now = |place: DocumentRef| moved.iter().find(|(old, _)| *old == place).map(|(_, new)| *new);
        let known = LostItem::of(&self.state, slot, item);
        let Some(place) = now(item.place) else {
            self.losses.push(Loss::Item(known));
            let change = self.state.feed.numbers(1);
            // The item exists: it was read above.
            let _ended = self.state.end(slot, EndReason::Dropped, change);
            return;
        };
        let mut docs = Vec::new();
        for mut doc in item.docs() {
            match now(doc.place) {
                Some(place) => {
                    doc.place = place;
                    docs.push(doc);
                }
                None => self.losses.push(Loss::Document { item: known.clone(), kind: doc.kind }),
            }
        }
        let mut item = item.clone();
        clear_documents(&mut item);
        if let Err(error) = self.state.set_image(ItemImage { slot, item, place, docs }) {
            self.losses.push(Loss::Record { kind: 0, why: error.to_string() });
        }
    }

    /// Reports the items that are not in `certain`: the slots of a salvage of the same history from its recovery point
    /// on.
    pub fn compare(&mut self, certain: &BTreeSet<u32>) {
        let slots: Vec<u32> = self.items().map(|(slot, _)| slot).filter(|slot| !certain.contains(slot)).collect();
        for slot in slots {
            if let Some(item) = self.state.live(slot) {
                self.losses.push(Loss::Uncertain(LostItem::of(&self.state, slot, item)));
            }
        }
    }

    /// Returns the salvaged state and its losses.
    pub fn finish(self) -> (State, Vec<Loss>) {
        let Self { state: found, incomplete, only_edited, mut losses, .. } = self;
        losses.extend(incomplete.into_values().map(Loss::Item));
        let without_original = |item| Loss::Document { item, kind: DocumentKind::Original };
        losses.extend(only_edited.into_values().map(without_original));
        // All indexes are rebuilt from the items: missing facts may have left them inconsistent.
        let mut state = State::recovering();
        for (number, queue) in &found.queues {
            state.set_queue(*number, queue.settings.clone());
        }
        for (slot, item) in found.live_items() {
            let (docs, mut item) = (item.docs().collect(), item.clone());
            clear_documents(&mut item);
            if let Err(error) = state.set_image(ItemImage { slot, place: item.place, item, docs }) {
                losses.push(Loss::Record { kind: 0, why: error.to_string() });
            }
        }
        for number in found.queues.keys() {
            totals(&found, *number).into_iter().for_each(|totals| state.set_snapshot(totals));
        }
        state.stamps = found.stamps;
        state.stamps.seen_serial(found.stamps.last().serial.saturating_add(SERIALS_SKIPPED));
        state.next_queue = state.next_queue.max(found.next_queue);
        (state.keys, state.feed, state.past) = (found.keys, found.feed, found.past);
        (state.checkpoints, state.format) = (found.checkpoints, found.format);
        state.is_partial = false;
        // Lost and reappeared items no longer match the counters, so the sums are corrected.
        let sum = state.conservation();
        let (arrived, known) = (sum.arrived, sum.present + sum.ended);
        state.past.count_end(EndReason::Dropped, arrived.saturating_sub(known));
        state.past.count(Event::Imported, known.saturating_sub(arrived));
        (state, losses)
    }
}

/// Clears the documents of an item, since an image lists them separately.
fn clear_documents(item: &mut Item) {
    if let Some(extra) = &mut item.extra {
        extra.docs = DocumentList::default();
    }
}

const fn is_arrival(event: Event) -> bool {
    matches!(event, Event::Produced | Event::Imported | Event::Captured | Event::Reinstated)
}
