//! Lookups in the state.

use std::sync::Arc;

use redrive_core::{ItemId, Ksuid, LetterId, QueueName};
use redrive_model::{DocumentRef, Item, Letter, LetterSettings, Phase, Rejection, Stamp};

use super::State;
use crate::LocatedItem;
use crate::queue::Queue;

impl State {
    /// The internal number of a queue, valid until the queue is deleted.
    pub fn number_of(&self, name: &QueueName) -> Option<u32> {
        self.names.get(name).copied()
    }

    /// Whether the item in a slot still needs the document at a place. Cleared items need none.
    pub fn holds(&self, slot: u32, place: DocumentRef) -> bool {
        self.live(slot).is_some_and(|item| item.places().any(|held| held == place))
    }

    /// Whether this is the current id of an item that is not a letter.
    pub fn is_plain(&self, id: ItemId) -> bool {
        let (stamp, slot) = Stamp::split(id.ksuid());
        self.items.get(slot).is_some_and(|item| item.stamp == stamp && item.letter().is_none())
    }

    pub fn name_of(&self, queue: u32) -> Option<QueueName> {
        self.queues.get(&queue).map(|queue| queue.settings.name.clone())
    }

    /// The number of items that leases of this queue can get now.
    pub fn available(&self, queue: u32) -> u64 {
        let queue = self.queues.get(&queue).filter(|queue| !queue.settings.is_paused);
        queue.map_or(0, crate::queue::Queue::available)
    }

    /// The number of items in the partition of this item that can be leased now; most of them are leased before the
    /// newest.
    pub fn ready_beside(&self, slot: u32) -> u64 {
        let item = self.items.get(slot);
        let partition = item.and_then(|item| self.queues.get(&item.queue)?.partition(item.partition));
        partition.map_or(0, crate::queue::Partition::available)
    }

    /// The number of items and letters that were set aside because their records are damaged.
    pub fn damaged(&self) -> usize {
        let is_damaged = |slot: &&u32| self.live(**slot).is_some_and(|item| item.phase == Phase::Damaged);
        self.damaged.iter().filter(is_damaged).count()
    }

    /// The number of leased items and claimed letters.
    pub fn held(&self) -> u64 {
        self.queues.values().flat_map(|queue| &queue.partitions).map(|partition| partition.leased.len()).sum()
    }

    /// The slots of the items that leases of this partition will probably get next: up to `count` of each priority.
    pub fn upcoming(&self, name: &QueueName, partition: u32, count: usize) -> impl Iterator<Item = u32> {
        let queue = self.number_of(name).and_then(|number| self.queues.get(&number));
        let ready = queue.and_then(|queue| queue.partition(partition)).map(|partition| &partition.ready);
        ready.into_iter().flatten().flat_map(move |order| order.range_from(0).take(count)).map(|key| key.slot)
    }

    /// The place of the content of an item.
    pub fn place_of(&self, slot: u32) -> Option<DocumentRef> {
        self.items.get(slot).map(|item| item.place)
    }

    /// The number of letters, including finished ones.
    pub fn letters(&self) -> u64 {
        let by_status = self.queues.values().flat_map(|queue| &queue.by_status);
        by_status.map(|letters| letters.len() as u64).sum()
    }

    /// The effective letter settings of a queue.
    pub fn letter_settings_of(&self, name: &QueueName) -> Option<Arc<LetterSettings>> {
        let queue = self.number_of(name).and_then(|number| self.queues.get(&number));
        queue.map(|queue| Arc::clone(&queue.letter_settings))
    }

    /// An upper bound of the stored size of a queue's letter settings.
    pub fn letter_settings_bytes_max(&self, name: &QueueName) -> usize {
        let queue = self.number_of(name).and_then(|number| self.queues.get(&number));
        queue.map_or(0, |queue| queue.settings.letters.bytes_max())
    }

    /// The number of letters of a queue, including finished ones.
    pub fn letters_in(&self, name: &QueueName) -> usize {
        let queue = self.number_of(name).and_then(|number| self.queues.get(&number));
        queue.map_or(0, |queue| queue.by_status.iter().map(crate::sorted::Sorted::len).sum())
    }

    /// The item in a slot, with the places of its documents.
    pub(crate) fn located(&self, slot: u32) -> Option<LocatedItem> {
        self.items.get(slot).map(|item| LocatedItem::of(slot, item))
    }

    pub(crate) fn queue_number(&self, name: &QueueName) -> Result<u32, Rejection> {
        self.names.get(name).copied().ok_or_else(|| Rejection::NoSuchQueue(name.clone()))
    }

    pub(crate) fn named(&self, name: &QueueName) -> Result<(u32, &Queue), Rejection> {
        let number = self.queue_number(name)?;
        self.queues.get(&number).map(|queue| (number, queue)).ok_or_else(|| Rejection::NoSuchQueue(name.clone()))
    }

    /// The item in a slot, unless it was cleared or its queue was deleted.
    pub(crate) fn live(&self, slot: u32) -> Option<&Item> {
        let item = self.items.get(slot)?;
        let partition = self.queues.get(&item.queue)?.partition(item.partition)?;
        (!partition.is_cleared(item)).then_some(item)
    }

    /// The slot of an item of this queue, by its current id. Completed and archived letters are not found.
    pub(crate) fn slot_of(&self, queue: u32, id: ItemId) -> Option<u32> {
        let (stamp, slot) = Stamp::split(id.ksuid());
        let item = self.live(slot)?;
        (item.stamp == stamp && item.queue == queue && item.phase != Phase::Finished).then_some(slot)
    }

    /// The slot of a leased item, in this partition if one is given.
    pub(crate) fn leased(
        &self,
        queue: u32,
        partition: Option<u32>,
        id: ItemId,
        verb: &'static str,
    ) -> Result<u32, Rejection> {
        let slot = self.slot_of(queue, id).ok_or(Rejection::NoSuchItem(id))?;
        let item = self.items.get(slot).ok_or(Rejection::NoSuchItem(id))?;
        let is_here = partition.is_none_or(|partition| item.partition == partition);
        match item.phase {
            Phase::Leased if is_here => Ok(slot),
            Phase::Ready | Phase::Stranded if is_here => Err(Rejection::NotLeased { id, verb }),
            _ => Err(Rejection::NoSuchItem(id)),
        }
    }

    /// The number of a queue. Checks that it has the partition, if one is given.
    pub(crate) fn named_with_partition(&self, name: &QueueName, partition: Option<u32>) -> Result<u32, Rejection> {
        let (number, queue) = self.named(name)?;
        match partition {
            Some(partition) if partition >= queue.settings.partitions => {
                Err(Rejection::NoSuchPartition(i64::from(partition)))
            }
            _ => Ok(number),
        }
    }

    /// The slot of a letter of this queue, by its letter id.
    pub(crate) fn slot_of_letter(&self, queue: u32, id: LetterId) -> Option<(u32, &Letter)> {
        let (slot, item) = self.letter_anywhere(id)?;
        item.letter().filter(|_| item.queue == queue).map(|letter| (slot, letter))
    }

    /// A letter of any queue: in the slot of its id, or in another slot if that was occupied when it was reinstated.
    pub(crate) fn letter_anywhere(&self, id: LetterId) -> Option<(u32, &Item)> {
        let has_id = |slot: &u32| self.live(*slot).and_then(Item::letter).is_some_and(|letter| letter.id == id);
        let own = Some(own_slot(id)).filter(has_id);
        let slot = own.or_else(|| self.displaced_letters.get(&id).copied().filter(has_id))?;
        Some((slot, self.live(slot)?))
    }

    /// The slot of the live item with a source id.
    pub(crate) fn slot_of_source(&self, queue: u32, source_id: &str) -> Option<u32> {
        self.items_of_source(queue, source_id).find(|(_, item)| item.phase.is_live()).map(|(slot, _)| slot)
    }

    /// All items with a source id: letters with any status, and a plain item.
    pub(crate) fn items_of_source<'s>(
        &'s self,
        queue: u32,
        source_id: &'s str,
    ) -> impl Iterator<Item = (u32, &'s Item)> {
        self.sources.candidates(queue, source_id.as_bytes()).filter_map(move |slot| {
            let item = self.live(slot)?;
            let has_source_id = item.queue == queue && item.source_id.as_deref() == Some(source_id);
            has_source_id.then_some((slot, item))
        })
    }

    /// All letters with a source id, including finished ones.
    pub(crate) fn letters_of_source<'s>(
        &'s self,
        queue: u32,
        source_id: &'s str,
    ) -> impl Iterator<Item = (u32, &'s Letter)> {
        self.items_of_source(queue, source_id).filter_map(|(slot, item)| Some((slot, item.letter()?)))
    }

    /// The slot of the live letter with these coordinates.
    pub(crate) fn slot_of_coordinates(&self, queue: u32, coordinates: &[u8; 16]) -> Option<u32> {
        self.coordinates.candidates(queue, coordinates).find(|slot| {
            self.live(*slot).is_some_and(|item| {
                let found = item.letter().is_some_and(|letter| letter.coordinates.get().as_ref() == Some(coordinates));
                item.queue == queue && item.phase.is_live() && found
            })
        })
    }

    pub(super) fn index_names(&mut self, slot: u32, item: &Item) {
        if let Some(source_id) = &item.source_id {
            self.sources.insert(item.queue, source_id.as_bytes(), slot);
        }
        if let Some(coordinates) = item.letter().and_then(|letter| letter.coordinates.get()) {
            self.coordinates.insert(item.queue, &coordinates, slot);
        }
        if let Some(waiting) = item.letter().map(|letter| letter.id) {
            for id in item.waits_for() {
                self.dependents.entry(*id).or_default().insert(waiting, slot);
            }
        }
        if let Some(displaced) = displaced(slot, item) {
            self.displaced_letters.insert(displaced, slot);
        }
    }

    pub(super) fn unindex_names(&mut self, slot: u32, item: &Item) {
        if let Some(source_id) = &item.source_id {
            self.sources.remove(item.queue, source_id.as_bytes(), slot);
        }
        if let Some(coordinates) = item.letter().and_then(|letter| letter.coordinates.get()) {
            self.coordinates.remove(item.queue, &coordinates, slot);
        }
        if let Some(waiting) = item.letter().map(|letter| letter.id) {
            self.unindex_dependencies(waiting, slot, item.waits_for());
        }
        // The slot of a cleared letter is reclaimed later; the letter may have been reinstated in another slot by then.
        if let Some(displaced) =
            displaced(slot, item).filter(|displaced| self.displaced_letters.get(displaced) == Some(&slot))
        {
            self.displaced_letters.remove(&displaced);
        }
    }

    fn unindex_dependencies(&mut self, waiting: LetterId, slot: u32, waits_for: &[LetterId]) {
        for id in waits_for {
            let Some(dependents) = self.dependents.get_mut(id) else { continue };
            // The slot of a cleared letter is reclaimed later; the letter may have been reinstated in another slot by
            // then.
            if dependents.get(&waiting) == Some(&slot) {
                dependents.remove(&waiting);
            }
            if dependents.is_empty() {
                self.dependents.remove(id);
            }
        }
    }

    /// The serial number at which a list from this id begins.
    pub(crate) fn serial_of(pivot: Option<Ksuid>) -> u64 {
        pivot.map_or(0, |pivot| Stamp::split(pivot).0.serial)
    }
}

/// Whether two states of the item in a slot have the same entries in the indexes of names.
pub(super) fn have_same_names(item: &Item, other: &Item) -> bool {
    let of_letter = |item: &Item| item.letter().map(|letter| (letter.id, letter.coordinates));
    item.queue == other.queue
        && item.source_id == other.source_id
        && of_letter(item) == of_letter(other)
        && item.waits_for() == other.waits_for()
}

/// The slot in the id of a letter.
pub(crate) fn own_slot(letter: LetterId) -> u32 {
    Stamp::split(letter.ksuid()).1
}

/// The id of a letter that is not in the slot of its id.
fn displaced(slot: u32, item: &Item) -> Option<LetterId> {
    item.letter().map(|letter| letter.id).filter(|letter| own_slot(*letter) != slot)
}
