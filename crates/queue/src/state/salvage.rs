//! A state out of a history that has holes.
//!
//! What was recorded of an item is applied as far as it is there. Nothing that exists is lost by it: a slot is given to
//! another item only after the one before is gone, so a fact about a slot never removes an item that nobody ended. The other
//! way round, an item whose end is among what is lost is there again: it is offered once more.

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

/// Numbers that were given to what is lost are not given again.
const SERIALS_SKIPPED: u64 = 1 << 32;

/// Rebuilds a state, record by record.
#[derive(Debug)]
pub struct Salvage {
    state: State,
    settings: KnownSettings,
    /// Items of which something is recorded, but not what they were made with.
    headless: BTreeMap<u32, LostItem>,
    /// Items whose first content is lost, and of which an edited one is there.
    only_edited: BTreeMap<u32, LostItem>,
    /// Whether all items were found that the description at the recovery point has.
    is_described: bool,
    losses: Vec<Loss>,
}

/// The settings of queues that a history tells anywhere: some of them later than what is in the queue.
#[derive(Debug, Clone, Default)]
pub struct KnownSettings(BTreeMap<u32, QueueSettings>);

impl KnownSettings {
    pub fn hear(&mut self, kind: u8, body: &[u8]) {
        if let Ok(Fact::QueueSet { queue, settings }) = Facts::fact_of(kind, body) {
            self.0.insert(queue, *settings);
        }
    }
}

/// An item that could not be saved, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LostItem {
    pub queue: Option<QueueName>,
    pub id: Option<ItemId>,
    pub letter: Option<LetterId>,
    pub source_id: Option<String>,
}

/// Something that is not in the saved state as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Loss {
    /// A record that is whole and cannot be understood.
    Record { kind: u8, why: String },
    /// The settings of a queue are lost; its items are in a queue of this name.
    Settings { queue: QueueName },
    /// What an item was made with is lost, and so is the item.
    Item(LostItem),
    /// A document of an item that was saved.
    Document { item: LostItem, kind: DocumentKind },
    /// So many items were cleared away. Where records are lost, some of them may have been held by somebody at that time, and
    /// then they would not have been.
    Cleared { queue: QueueName, items: u64 },
    /// An item that was saved from before the recovery point: it may have been completed since.
    Uncertain(LostItem),
}

impl fmt::Display for LostItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.letter, &self.id) {
            (Some(letter), _) => write!(f, "letter {letter}")?,
            (None, Some(id)) => write!(f, "item {id}")?,
            (None, None) => f.write_str("an item whose id is not known")?,
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
                write!(f, "uncertain: {items} items of queue '{queue}' were cleared away; some may have been held then")
            }
            Self::Uncertain(item) => {
                write!(
                    f,
                    "uncertain: {item} was saved from before the recovery point; it may have been completed since"
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
            headless: BTreeMap::new(),
            only_edited: BTreeMap::new(),
            is_described: false,
            losses: Vec::new(),
        }
    }

    /// Takes a record into account. An error where another version wrote it.
    pub fn take(&mut self, kind: u8, body: &[u8], place: DocumentRef) -> Result<(), CorruptRecord> {
        match Facts::fact_of(kind, body) {
            Ok(fact) => self.apply(kind, fact, place),
            Err(error) if error.is_of_other_format() => return Err(error),
            Err(error) => self.losses.push(Loss::Record { kind, why: error.to_string() }),
        }
        Ok(())
    }

    /// The same for one from before the recovery point. Who may do what is not guessed from there: a key that was revoked
    /// since would be good again.
    pub fn take_earlier(&mut self, kind: u8, body: &[u8], place: DocumentRef) -> Result<(), CorruptRecord> {
        match Facts::fact_of(kind, body) {
            Ok(Fact::Keys { .. } | Fact::Cursor { .. }) => Ok(()),
            _ => self.take(kind, body, place),
        }
    }

    fn apply(&mut self, kind: u8, mut fact: Fact, place: DocumentRef) {
        match &mut fact {
            Fact::QueueSet { queue, settings } => self.make_way(*queue, &settings.name),
            Fact::QueueGone { queue, .. } => {
                let name = self.state.name_of(*queue);
                self.headless.retain(|_, lost| name.is_none() || lost.queue != name);
            }
            Fact::Item { event, slot, item, attach } => {
                self.house(item);
                if !is_arrival(*event) && self.state.items.get(*slot).is_none() {
                    let known = LostItem::of(&self.state, *slot, item);
                    if *attach != Attach::Edited {
                        self.headless.insert(*slot, known);
                        return;
                    }
                    // Its content is there, although not the one that it came with.
                    (*event, *attach) = (Event::Imported, Attach::Content);
                    self.only_edited.insert(*slot, known);
                    self.headless.remove(slot);
                } else if is_arrival(*event) {
                    self.found(*slot);
                }
            }
            Fact::Document { slot, .. } | Fact::Relocated { slot, .. } => self.miss(&[*slot]),
            Fact::Leased(leased) => self.miss(&leased.slots),
            Fact::Extended { deadlines } => {
                let slots: Vec<u32> = deadlines.iter().map(|(slot, _)| *slot).collect();
                self.miss(&slots);
            }
            Fact::Gone { slots, .. } | Fact::Reclaimed { slots } => {
                slots.iter().for_each(|slot| self.found(*slot));
            }
            Fact::Images { images } => {
                for image in images {
                    self.house(&mut image.item);
                    self.found(image.slot);
                }
            }
            // What was answered may be lost: a request that is sent again is done again.
            Fact::Answered { .. } => return,
            Fact::CheckpointEnded(end) => return self.end_description(end),
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

    /// What is in a slot is known: all of it, or that there is nothing.
    fn found(&mut self, slot: u32) {
        self.headless.remove(&slot);
        self.only_edited.remove(&slot);
    }

    /// A queue that was made again under a name: the one that had it before is gone, whatever became of that record.
    fn make_way(&mut self, queue: u32, name: &QueueName) {
        let before = self.state.number_of(name).filter(|before| *before != queue);
        if let Some(queue) = before {
            // It is there: its name says so.
            let _removed = self.state.apply(Fact::QueueGone { queue, change: 0 }, DocumentRef::NONE);
        }
    }

    /// Makes sure that the queue of an item is there.
    fn house(&mut self, item: &mut Item) {
        if !self.state.queues.contains_key(&item.queue) {
            let known = self.settings.0.get(&item.queue).cloned();
            let Some(settings) = known.or_else(|| self.placeholder(item.queue)) else { return };
            self.make_way(item.queue, &settings.name);
            self.state.set_queue(item.queue, settings);
        }
        let queue = self.state.queues.get(&item.queue);
        if queue.is_some_and(|queue| queue.partition(item.partition).is_none()) {
            item.partition = 0;
        }
    }

    /// A queue for items of which nobody knows whose they are.
    fn placeholder(&mut self, number: u32) -> Option<QueueSettings> {
        let settings = QueueSettings::new(QueueName::new(&format!("salvaged-{number}")).ok()?);
        self.losses.push(Loss::Settings { queue: settings.name.clone() });
        self.settings.0.insert(number, settings.clone());
        Some(settings)
    }

    /// Something is said of items; those that are not known are missing, until somebody says what they are.
    fn miss(&mut self, slots: &[u32]) {
        for slot in slots.iter().filter(|slot| self.state.items.get(**slot).is_none()) {
            self.headless.entry(*slot).or_insert(LostItem::UNKNOWN);
        }
    }

    /// The description of the state has ended. What else it says holds; that nothing is missing is only noted.
    fn end_description(&mut self, end: &CheckpointEnd) {
        let state = &mut self.state;
        state.stamps.seen(end.last_stamp);
        state.next_queue = end.next_queue.max(state.next_queue);
        state.past = end.past;
        state.feed.set_next(end.next_change.max(state.feed.next()));
        let found = state.items.count() - state.pending_reclaim.count();
        self.is_described = end.number == state.checkpoints && found == end.items && self.headless.is_empty();
    }

    /// Whether every item was found that there was at the recovery point.
    pub const fn is_described(&self) -> bool {
        self.is_described
    }

    /// The slots of all items, with where the documents of each are.
    pub fn items(&self) -> impl Iterator<Item = (u32, Vec<DocumentRef>)> {
        let live = self.state.items.slots(0).filter_map(|slot| self.state.live(slot).map(|item| (slot, item)));
        live.map(|(slot, item)| {
            let mut places: Vec<DocumentRef> = item.places().collect();
            places.dedup();
            (slot, places)
        })
    }

    /// Whether a record holds the content of the item in a slot: what it came with, where that was written again since.
    pub fn is_content_of(&self, slot: u32, kind: u8, body: &[u8]) -> bool {
        let Ok(Fact::Item { slot: of, item: then, attach, .. }) = Facts::fact_of(kind, body) else { return false };
        let is_whole = matches!(attach, Attach::Content | Attach::Filed);
        let is_same =
            |now: &Item| now.created_at == then.created_at && now.source_id == then.source_id && !now.is_edited();
        of == slot && is_whole && self.state.live(slot).is_some_and(is_same)
    }

    /// The documents of an item are elsewhere now: each with where it was. What is missing is lost; without its content, the
    /// item is.
    pub fn move_documents(&mut self, slot: u32, moved: &[(DocumentRef, DocumentRef)]) {
        let Some(item) = self.state.live(slot) else { return };
        let now = |place: DocumentRef| moved.iter().find(|(old, _)| *old == place).map(|(_, new)| *new);
        let known = LostItem::of(&self.state, slot, item);
        let Some(place) = now(item.place) else {
            self.losses.push(Loss::Item(known));
            let change = self.state.feed.numbers(1);
            // It is there: it was just looked at.
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

    /// Notes which items another salvage of the same history, from its recovery point on, does not have.
    pub fn compare(&mut self, certain: &BTreeSet<u32>) {
        let slots: Vec<u32> = self.items().map(|(slot, _)| slot).filter(|slot| !certain.contains(slot)).collect();
        for slot in slots {
            if let Some(item) = self.state.live(slot) {
                self.losses.push(Loss::Uncertain(LostItem::of(&self.state, slot, item)));
            }
        }
    }

    /// The state, and what is not in it as it was.
    pub fn finish(self) -> (State, Vec<Loss>) {
        let Self { state: found, headless, only_edited, mut losses, .. } = self;
        losses.extend(headless.into_values().map(Loss::Item));
        let without_original = |item| Loss::Document { item, kind: DocumentKind::Original };
        losses.extend(only_edited.into_values().map(without_original));
        // What follows from the items is made anew: the facts that are missing have left traces everywhere.
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
        // What is lost, or there again, is no longer what was counted.
        let sum = state.conservation();
        let (arrived, known) = (sum.arrived, sum.present + sum.ended);
        state.past.count_end(EndReason::Dropped, arrived.saturating_sub(known));
        state.past.count(Event::Imported, known.saturating_sub(arrived));
        (state, losses)
    }
}

/// An image's documents stand beside its item.
fn clear_documents(item: &mut Item) {
    if let Some(extra) = &mut item.extra {
        extra.docs = DocumentList::default();
    }
}

const fn is_arrival(event: Event) -> bool {
    matches!(event, Event::Produced | Event::Imported | Event::Captured | Event::Reinstated)
}
