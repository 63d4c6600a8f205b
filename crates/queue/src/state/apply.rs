//! Applies facts to the state, both in operations and in recovery.

use std::sync::Arc;

use redrive_core::{Time, Trigger};
use redrive_model::transition::{Counted, counted, counted_end};
use redrive_model::{
    CorruptRecord, DocumentEntry, DocumentRef, EndReason, Event, Item, Phase, PriorityRotation, QueueSettings,
    transition,
};

use super::State;
use super::letter_news::{LetterEventKind, LetterLogEvent};
use super::lookup::have_same_names;
use crate::fact::{Attach, CheckpointEnd, Fact, ItemImage, LeaseFact, QueueSnapshot};
use crate::feed::Change;
use crate::placement::Placement;
use crate::queue::Queue;

const UNKNOWN: CorruptRecord = CorruptRecord::new("it refers to an unknown item or queue");

impl State {
    /// Applies a fact. `place` is the place of its record, which may still be pending.
    pub(super) fn apply(&mut self, fact: Fact, place: DocumentRef) -> Result<(), CorruptRecord> {
        match fact {
            Fact::QueueSet { queue, settings } => self.set_queue(queue, *settings),
            Fact::QueueGone { queue, change } => return self.remove_queue(queue, change),
            Fact::Item { event, slot, item, attach } => return self.set_item(event, slot, item, attach, place),
            Fact::Document { slot, attach } => return self.add_document(slot, attach, place),
            Fact::Leased(leased) => return self.lease(&leased),
            Fact::Extended { deadlines } => {
                for (slot, deadline) in deadlines {
                    self.known(slot)?;
                    let Some(mut item) = self.take_out(slot) else { continue };
                    transition::extend(&mut item, deadline);
                    self.count(item.queue, Event::Extended);
                    self.put_in(slot, item);
                }
            }
            Fact::Gone { ending, slots, mut change } => {
                for slot in slots {
                    change += u64::from(self.end(slot, ending, change)? && change != 0);
                }
            }
            Fact::Cleared { queue, ready, leased, scheduled, up_to } => {
                self.clear(queue, [ready, leased, scheduled], up_to);
            }
            Fact::Reclaimed { slots } => {
                for slot in slots {
                    self.reclaim(slot);
                }
            }
            Fact::Keys { changes } => {
                for change in changes {
                    self.stamps.seen_serial(change.version);
                    self.keys.change(change);
                }
            }
            Fact::Cursor { name, position } => self.feed.set_cursor(name, position),
            Fact::Relocated { slot, old, is_filed: _ } => {
                self.known(slot)?;
                self.replace_place(slot, old, place);
            }
            Fact::Format(format) => self.format = format,
            Fact::CheckpointBegan { number, format } => {
                self.checkpoints = number;
                self.format = format;
            }
            Fact::Images { images } => {
                for image in images {
                    self.set_image(image)?;
                }
            }
            Fact::Tombstones { entries } => {
                for (number, change) in entries {
                    self.feed.put(number, 0, change);
                }
            }
            Fact::QueueSnapshot(snapshot) => self.set_snapshot(*snapshot),
            Fact::CaptureRejected { queue } => self.count(queue, Event::CaptureRejected),
            Fact::Answered { answers, oldest } => {
                for (number, answer) in answers {
                    self.stamps.seen_serial(number);
                    self.answers.put(number, answer);
                }
                self.answers.forget_before(oldest);
            }
            Fact::CheckpointEnded(end) => return self.end_checkpoint(&end),
        }
        Ok(())
    }

    /// Whether there is an item in the slot. A missing item is an error, unless recovery has not read the whole
    /// checkpoint yet.
    fn known(&self, slot: u32) -> Result<bool, CorruptRecord> {
        match self.items.get(slot) {
            Some(_) => Ok(true),
            None if self.is_partial => Ok(false),
            None => Err(UNKNOWN),
        }
    }

    pub(super) fn set_queue(&mut self, number: u32, settings: QueueSettings) {
        self.next_queue = self.next_queue.max(number.saturating_add(1));
        self.names.insert(settings.name.clone(), number);
        self.settings_changes += 1;
        match self.queues.get_mut(&number) {
            // A checkpoint repeats unchanged settings.
            Some(queue) if queue.settings == settings => {}
            Some(queue) => {
                queue.letter_settings = Arc::new(settings.letters.over(&self.letter_settings));
                queue.settings = settings;
                queue.revision = self.settings_changes;
            }
            None => {
                let queue = Queue::new(settings, &self.letter_settings);
                self.queues.insert(number, Queue { revision: self.settings_changes, ..queue });
            }
        }
    }

    fn remove_queue(&mut self, number: u32, change: u64) -> Result<(), CorruptRecord> {
        let Some(mut queue) = self.queues.remove(&number) else {
            return if self.is_partial { Ok(()) } else { Err(UNKNOWN) };
        };
        let name = queue.settings.name.clone();
        self.names.remove(&name);
        self.overflowing.remove(&number);
        self.lost_dependents.remove(&number);
        let before = self.pending_reclaim.count();
        let mut past = std::mem::take(&mut queue.counts);
        self.pending_reclaim.add_queue(queue);
        past.count_end(EndReason::Purged, self.pending_reclaim.count() - before);
        self.past.add(&past);
        if change != 0 {
            self.feed.put(change, 0, Change::QueueGone { queue: name });
        }
        Ok(())
    }

    /// Sets the state of an item that arrived, or that changed and may have moved to another queue.
    fn set_item(
        &mut self,
        event: Event,
        slot: u32,
        mut item: Item,
        attach: Attach,
        place: DocumentRef,
    ) -> Result<(), CorruptRecord> {
        self.stamps.seen(item.stamp);
        let is_arrival = matches!(event, Event::Produced | Event::Imported | Event::Captured | Event::Reinstated);
        if !is_arrival && !self.known(slot)? {
            return Ok(());
        }
        if self.is_partial && !self.queues.contains_key(&item.queue) {
            // The item moved to a queue that the checkpoint has not reached yet; its image follows.
            if let Some(before) = self.unlink(slot) {
                self.items.release(slot);
                before.letter().into_iter().for_each(|letter| self.refresh_dependents(letter.id));
                before.places().for_each(|place| self.free(place));
            }
            return Ok(());
        }
        if let Some(letter) = item.letter() {
            self.feed.put(letter.change, self.change_of(slot), Change::Letter { slot });
        }
        let before = self.take_out(slot);
        let is_renamed = before.as_ref().is_none_or(|before| !have_same_names(before, &item));
        if let Some(before) = before.as_ref().filter(|_| is_renamed) {
            self.unindex_names(slot, before);
        }
        for Counted { queue, event: counted, at } in counted(event, before.as_ref().filter(|_| !is_arrival), &item) {
            if let Some(queue) = self.queues.get_mut(&queue) {
                queue.count(counted, at);
            }
            if let (Some(turn), Some(letter)) = (LetterEventKind::of(counted, event), item.letter())
                && let Some(queue) = self.queues.get_mut(&item.queue)
            {
                // The letter is not in its group yet.
                let begins_group = turn == LetterEventKind::Captured && !queue.groups.contains_key(&letter.fingerprint);
                queue.new_groups += u64::from(begins_group);
                let queue = queue.settings.name.clone();
                self.letter_news.push(LetterLogEvent { queue, letter: letter.id, category: letter.category, turn });
            }
        }
        self.update_placement(before.as_ref(), Some(&item));
        match before {
            Some(before) if !is_arrival => item.take_documents(before),
            Some(_) if !self.is_partial => return Err(CorruptRecord::new("a new item has an occupied slot")),
            Some(_) => {}
            None => self.items.reserve(slot),
        }
        if event == Event::Claimed
            && item.letter().is_some_and(|letter| letter.trigger == Trigger::Automatic)
            && let Some(queue) = self.queues.get_mut(&item.queue)
        {
            queue.due_rotation.served(item.priority);
        }
        if let Some(dropped) = attach_to(&mut item, attach, place) {
            self.free(dropped);
        }
        if attach != Attach::Nothing {
            self.keep(place);
        }
        self.link(slot, item, is_renamed)
    }

    /// Adds a further document to an item.
    fn add_document(&mut self, slot: u32, attach: Attach, place: DocumentRef) -> Result<(), CorruptRecord> {
        if !self.known(slot)? {
            return Ok(());
        }
        let dropped = self.items.get_mut(slot).and_then(|item| attach_to(item, attach, place));
        dropped.into_iter().for_each(|dropped| self.free(dropped));
        self.keep(place);
        Ok(())
    }

    fn change_of(&self, slot: u32) -> u64 {
        self.items.get(slot).and_then(Item::letter).map_or(0, |letter| letter.change)
    }

    fn count(&mut self, queue: u32, event: Event) {
        if let Some(queue) = self.queues.get_mut(&queue) {
            queue.count(event, Time::MIN);
        }
    }

    fn lease(&mut self, leased: &LeaseFact) -> Result<(), CorruptRecord> {
        let mut change = leased.change;
        let (mut count, mut letters) = (0, 0);
        for slot in &leased.slots {
            if !self.known(*slot)? {
                continue;
            }
            count += 1;
            // The placement is updated once at the end, with the assigned number.
            let Some(mut item) = self.take_out(*slot) else { continue };
            transition::lease(&mut item, leased.deadline, leased.at, leased.received_at);
            if let Some(letter) = item.letter_mut() {
                letters += 1;
                let before = std::mem::replace(&mut letter.change, change);
                self.feed.put(change, before, Change::Letter { slot: *slot });
                change += u64::from(change != 0);
            }
            self.put_in(*slot, item);
        }
        if let Some(queue) = self.queues.get_mut(&leased.queue) {
            queue.counts.count(Event::Leased, count);
            queue.counts.count(Event::RetriedByHand, letters);
            queue.placement.taken(leased.partition, leased.assigned);
            if let Some(partition) = queue.partition_mut(leased.partition) {
                partition.rotation = PriorityRotation::at(leased.turn);
            }
        }
        Ok(())
    }

    /// Removes an item. Returns whether it was a letter.
    pub(super) fn end(&mut self, slot: u32, ending: EndReason, change: u64) -> Result<bool, CorruptRecord> {
        if !self.known(slot)? {
            return Ok(false);
        }
        let before = self.change_of(slot);
        let Some(item) = self.unlink(slot) else { return Ok(false) };
        self.update_placement(Some(&item), None);
        self.items.release(slot);
        for place in item.places() {
            self.free(place);
        }
        if let Some(letter) = item.letter() {
            self.refresh_dependents(letter.id);
        }
        let Some(queue) = self.queues.get_mut(&item.queue) else { return Ok(false) };
        queue.counts.count_end(ending, 1);
        if matches!(ending, EndReason::Expired | EndReason::Dropped) {
            *self.lost.entry(item.queue).or_default() += 1;
        }
        let Some(letter) = item.letter() else { return Ok(false) };
        for event in counted_end(ending).into_iter().flatten() {
            queue.counts.count(event, 1);
        }
        if matches!(ending, EndReason::Completed | EndReason::Forgotten | EndReason::Expired) {
            self.forgotten.insert(item.queue);
        }
        let gone = Change::LetterGone { queue: queue.settings.name.clone(), letter: letter.id };
        self.feed.put(change, before, gone);
        Ok(true)
    }

    /// Detaches whole orders: ready, leased, scheduled.
    fn clear(&mut self, number: u32, [ready, leased, scheduled]: [bool; 3], up_to: u64) {
        let Some(queue) = self.queues.get_mut(&number) else { return };
        let before = self.pending_reclaim.count();
        for (partition, index) in queue.partitions.iter_mut().zip(0..) {
            if ready {
                queue.placement.taken(index, partition.available());
                partition.cleared.ready = up_to;
                let [high, medium, low] = std::mem::take(&mut partition.ready);
                let stranded = std::mem::take(&mut partition.stranded);
                let damaged = std::mem::take(&mut partition.damaged);
                for order in [high, medium, low, stranded, damaged] {
                    self.pending_reclaim.add(order);
                }
            }
            if leased {
                partition.cleared.leased = up_to;
                self.pending_reclaim.add(std::mem::take(&mut partition.leased));
            }
            if scheduled {
                partition.cleared.scheduled = up_to;
                self.pending_reclaim.add(std::mem::take(&mut partition.scheduled));
            }
        }
        queue.counts.count_end(EndReason::Purged, self.pending_reclaim.count() - before);
    }

    /// Updates the placement after a change of an item that was or is ready. An item that stays ready in the same
    /// partition changes nothing: otherwise the order of ties would change.
    fn update_placement(&mut self, before: Option<&Item>, after: Option<&Item>) {
        let ready = |item: &Item| (item.phase == Phase::Ready).then_some((item.queue, item.partition));
        let (before, after) = (before.and_then(ready), after.and_then(ready));
        if before == after {
            return;
        }
        let mut update = |at: Option<(u32, u32)>, change: fn(&mut Placement, u32, u64)| {
            if let Some((queue, partition)) = at
                && let Some(queue) = self.queues.get_mut(&queue)
            {
                change(&mut queue.placement, partition, 1);
            }
        };
        update(before, Placement::taken);
        update(after, Placement::added);
    }

    /// Puts an item into its slot and all indexes, and marks its queue for waiting leases.
    fn link(&mut self, slot: u32, item: Item, is_renamed: bool) -> Result<(), CorruptRecord> {
        let queue = self.queues.get(&item.queue).ok_or(UNKNOWN)?;
        if queue.partition(item.partition).is_none() {
            return Err(UNKNOWN);
        }
        if matches!(item.phase, Phase::Ready | Phase::Due) {
            self.woken.insert(item.queue);
        }
        if is_renamed {
            self.index_names(slot, &item);
        }
        self.put_in(slot, item);
        Ok(())
    }

    /// Takes an item out of its slot and all indexes.
    fn unlink(&mut self, slot: u32) -> Option<Item> {
        let item = self.take_out(slot)?;
        self.unindex_names(slot, &item);
        Some(item)
    }

    /// Puts an item into its slot, the orders and the timers.
    fn put_in(&mut self, slot: u32, mut item: Item) {
        if let Some(queue) = self.queues.get_mut(&item.queue) {
            queue.add(slot, &mut item);
            if item.waits_for_room() {
                self.overflowing.insert(item.queue);
            }
        }
        if item.phase == Phase::Damaged {
            self.damaged.insert(slot);
        }
        self.timers.set(item.timer(), slot);
        self.items.put(slot, item);
        self.refresh_lost(slot);
    }

    /// Takes an item out of its slot, the orders and the timers.
    fn take_out(&mut self, slot: u32) -> Option<Item> {
        let item = self.items.take(slot)?;
        self.damaged.remove(&slot);
        self.timers.cancel(item.timer(), slot);
        self.remove_lost_dependencies(slot, &item);
        if let Some(queue) = self.queues.get_mut(&item.queue) {
            queue.remove(slot, &item);
            if queue.overflow.is_empty() {
                self.overflowing.remove(&item.queue);
            }
        }
        Some(item)
    }

    pub(super) fn set_image(&mut self, image: ItemImage) -> Result<(), CorruptRecord> {
        let ItemImage { slot, mut item, place, docs } = image;
        if !self.is_partial {
            // After the whole history, the item is already known.
            return if self.items.get(slot).is_some() { Ok(()) } else { Err(UNKNOWN) };
        }
        self.stamps.seen(item.stamp);
        if let Some(letter) = item.letter() {
            self.feed.put(letter.change, self.change_of(slot), Change::Letter { slot });
        }
        let unlinked = self.unlink(slot);
        self.update_placement(unlinked.as_ref(), Some(&item));
        match unlinked {
            Some(before) => before.places().for_each(|place| self.free(place)),
            None => self.items.reserve(slot),
        }
        item.place = place;
        item.set_docs(docs);
        for place in item.places() {
            self.keep(place);
        }
        self.link(slot, item, true)
    }

    pub(super) fn set_snapshot(&mut self, totals: QueueSnapshot) {
        if !self.is_partial {
            return;
        }
        let Some(queue) = self.queues.get_mut(&totals.queue) else { return };
        queue.counts = totals.counts;
        for (partition, number) in queue.partitions.iter().zip(0..) {
            queue.placement.set_available(number, partition.available());
        }
        queue.placement.reorder(&totals.placement);
        let mut rotations = totals.rotations.into_iter().map(PriorityRotation::at);
        for (partition, rotation) in queue.partitions.iter_mut().zip(rotations.by_ref()) {
            partition.rotation = rotation;
        }
        queue.due_rotation = rotations.next().unwrap_or_default();
    }

    fn end_checkpoint(&mut self, end: &CheckpointEnd) -> Result<(), CorruptRecord> {
        if !self.is_partial || end.number != self.checkpoints {
            return Ok(());
        }
        self.stamps.seen(end.last_stamp);
        self.next_queue = end.next_queue.max(self.next_queue);
        self.past = end.past;
        self.feed.set_next(end.next_change);
        self.is_partial = false;
        match self.present() == end.items {
            true => Ok(()),
            false => Err(CorruptRecord::new("the number of items differs from that of the checkpoint")),
        }
    }
}

/// Adds a document to an item. Returns the place of the document that is dropped for it.
fn attach_to(item: &mut Item, attach: Attach, place: DocumentRef) -> Option<DocumentRef> {
    match attach {
        Attach::Nothing => None,
        Attach::Content | Attach::Filed => {
            item.is_filed = attach == Attach::Filed;
            let before = std::mem::replace(&mut item.place, place);
            (before != DocumentRef::NONE).then_some(before)
        }
        Attach::Edited => item.set_edited(place),
        Attach::Other(kind) => item.add_document(DocumentEntry { kind, place }),
    }
}
