//! How a fact becomes so. The same in an operation and in recovery.

use super::State;
use crate::codec::Broken;
use crate::fact::{Attach, Fact, Image, Leased, QueueTotals, SweepEnd};
use crate::feed::Change;
use crate::item::{Doc, DocKind, Docs, Extra, Item, Phase, Place};
use crate::queue::{Ending, Queue, QueueSettings, Why, news, parting};
use crate::{Before, Turns};
use redrive_core::{Status, Time, Trigger};

const UNKNOWN: Broken = Broken("it speaks of something that is not there");

impl State {
    /// Makes a fact so. `place` is where its record stands, or will stand.
    pub(super) fn apply(&mut self, fact: Fact, place: Place) -> Result<(), Broken> {
        match fact {
            Fact::QueueSet { queue, settings } => self.set_queue(queue, *settings),
            Fact::QueueGone { queue, change } => return self.remove_queue(queue, change),
            Fact::Item { why, slot, item, attach } => return self.set_item(why, slot, item, attach, place),
            Fact::Leased(leased) => return self.lease(&leased),
            Fact::Extended { deadlines } => {
                for (slot, deadline) in deadlines {
                    self.known(slot)?;
                    self.change(slot, |item| item.at = deadline);
                    let queue = self.items.get(slot).map(|item| item.queue);
                    queue.into_iter().for_each(|queue| self.count(queue, Why::Extended));
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
            Fact::SweepBegan { number } => self.sweeps = number,
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
            Fact::QueueTotals(totals) => self.set_totals(*totals),
            Fact::CaptureRefused { queue } => self.count(queue, Why::CaptureRefused),
            Fact::SweepEnded(end) => return self.end_sweep(&end),
        }
        Ok(())
    }

    /// Whether there is an item in the slot. One that is missing is an error, unless recovery has not heard of
    /// everything yet.
    fn known(&self, slot: u32) -> Result<bool, Broken> {
        match self.items.get(slot) {
            Some(_) => Ok(true),
            None if self.is_partial => Ok(false),
            None => Err(UNKNOWN),
        }
    }

    fn set_queue(&mut self, number: u32, settings: QueueSettings) {
        self.next_queue = self.next_queue.max(number.saturating_add(1));
        self.names.insert(settings.name.clone(), number);
        match self.queues.get_mut(&number) {
            Some(queue) => queue.settings = settings,
            None => {
                self.queues.insert(number, Queue::new(settings));
            }
        }
    }

    fn remove_queue(&mut self, number: u32, change: u64) -> Result<(), Broken> {
        let Some(mut queue) = self.queues.remove(&number) else {
            return if self.is_partial { Ok(()) } else { Err(UNKNOWN) };
        };
        let name = queue.settings.name.clone();
        self.names.remove(&name);
        self.overflowing.remove(&number);
        self.bereft.remove(&number);
        let before = self.doomed.count();
        let mut past = std::mem::take(&mut queue.tally);
        self.doomed.add_queue(queue);
        past.count_end(Ending::Purged, self.doomed.count() - before);
        self.past.add(&past);
        if change != 0 {
            self.feed.put(change, 0, Change::QueueGone { queue: name });
        }
        Ok(())
    }

    /// This is what an item is now: one that came, or one that changed and may have moved to another queue.
    fn set_item(&mut self, why: Why, slot: u32, mut item: Item, attach: Attach, place: Place) -> Result<(), Broken> {
        self.stamps.seen(item.stamp);
        let is_arrival = matches!(why, Why::Produced | Why::Imported | Why::Captured | Why::Reinstated);
        if !is_arrival && !self.known(slot)? {
            return Ok(());
        }
        if self.is_partial && !self.queues.contains_key(&item.queue) {
            // It went to a queue that was not described yet, and is described behind it.
            if let Some((_, before)) = self.unlink(slot) {
                self.items.release(slot);
                before.letter().into_iter().for_each(|letter| self.weigh_dependents(letter.id));
                before.places().for_each(|place| self.free(place));
            }
            return Ok(());
        }
        if let Some(letter) = item.letter() {
            self.feed.put(letter.change, self.change_of(slot), Change::Letter { slot });
        }
        let queue = item.queue;
        let unlinked = self.take_out(slot).map(|before| (before.queue, before));
        let is_renamed = unlinked.as_ref().is_none_or(|(_, before)| !before.is_named_like(&item));
        if let Some((_, before)) = unlinked.as_ref().filter(|_| is_renamed) {
            self.forget_names(slot, before);
        }
        let was_so = unlinked.as_ref().is_some_and(|(_, before)| was_exhausted(before));
        // One that is put back was exhausted elsewhere.
        if is_exhausted(&item) && !was_so && why != Why::Reinstated {
            self.count(queue, Why::Exhausted);
        }
        let was_here = unlinked.as_ref().filter(|(before, _)| *before == queue && !is_arrival);
        let whys = news(why, was_here.and_then(|(_, before)| before.letter()), item.letter());
        self.count_letter(queue, whys, &item);
        self.place(unlinked.as_ref().map(|(_, before)| before), Some(&item));
        match unlinked {
            Some(before) if !is_arrival => {
                item.take_documents(before.1);
                if before.0 == queue {
                    self.count_at(queue, why, item.letter().and_then(|letter| letter.ended_at.get()));
                } else {
                    self.count(before.0, why);
                    self.count(queue, Why::MovedIn);
                }
            }
            Some(_) if !self.is_partial => return Err(Broken("an item came to a slot that is taken")),
            Some(_) => self.count(queue, why),
            None => {
                self.items.reserve(slot);
                self.count(queue, why);
            }
        }
        if why == Why::Claimed
            && item.letter().is_some_and(|letter| letter.trigger == Trigger::Automatic)
            && let Some(queue) = self.queues.get_mut(&queue)
        {
            queue.due_turns.served(item.priority);
        }
        if let Some(dropped) = item.attach(attach, place) {
            self.free(dropped);
        }
        if attach != Attach::Nothing {
            self.keep(place);
        }
        self.link(slot, item, is_renamed)
    }

    /// Counts what is new about a letter, at the time at which it became so.
    fn count_letter(&mut self, queue: u32, whys: [Option<Why>; 2], item: &Item) {
        let Some((queue, letter)) = self.queues.get_mut(&queue).zip(item.letter()) else { return };
        for why in whys.into_iter().flatten() {
            let at = if why == Why::LetterMade { item.created_at } else { letter.last_failed_at };
            queue.count(why, at);
        }
    }

    fn change_of(&self, slot: u32) -> u64 {
        self.items.get(slot).and_then(Item::letter).map_or(0, |letter| letter.change)
    }

    fn count(&mut self, queue: u32, why: Why) {
        self.count_at(queue, why, None);
    }

    fn count_at(&mut self, queue: u32, why: Why, at: Option<Time>) {
        if let Some(queue) = self.queues.get_mut(&queue) {
            queue.count(why, at.unwrap_or(Time::MIN));
        }
    }

    fn lease(&mut self, leased: &Leased) -> Result<(), Broken> {
        let mut change = leased.change;
        let (mut count, mut letters) = (0, 0);
        for slot in &leased.slots {
            if !self.known(*slot)? {
                continue;
            }
            count += 1;
            // Moved without telling the placement, which learns at the end what was assigned.
            let Some(mut item) = self.take_out(*slot) else { continue };
            item.phase = Phase::Leased;
            item.at = leased.deadline;
            item.attempts = item.attempts.saturating_add(1);
            item.deliveries = item.deliveries.saturating_add(1);
            if let Some(letter) = item.letter_mut() {
                letters += 1;
                let before = letter.change;
                letter.before = Some(Box::new(Before::of(letter, None)));
                letter.status = Status::Retrying;
                letter.trigger = Trigger::Manual;
                letter.revision += 1;
                letter.change = change;
                self.feed.put(change, before, Change::Letter { slot: *slot });
                change += u64::from(change != 0);
            }
            self.put_in(*slot, item);
        }
        if let Some(queue) = self.queues.get_mut(&leased.queue) {
            queue.tally.count(Why::Leased, count);
            queue.tally.count(Why::RetriedByHand, letters);
            queue.placement.taken(leased.partition, leased.assigned);
            if let Some(partition) = queue.partition_mut(leased.partition) {
                partition.turns = Turns::at(leased.turn);
            }
        }
        Ok(())
    }

    /// An item ceased to be; whether it was a letter.
    fn end(&mut self, slot: u32, ending: Ending, change: u64) -> Result<bool, Broken> {
        if !self.known(slot)? {
            return Ok(false);
        }
        let before = self.change_of(slot);
        let Some((number, item)) = self.unlink(slot) else { return Ok(false) };
        self.place(Some(&item), None);
        self.items.release(slot);
        for place in item.places() {
            self.free(place);
        }
        if let Some(letter) = item.letter() {
            self.weigh_dependents(letter.id);
        }
        let Some(queue) = self.queues.get_mut(&number) else { return Ok(false) };
        queue.tally.count_end(ending, 1);
        if matches!(ending, Ending::Expired | Ending::Dropped) {
            *self.lost.entry(number).or_default() += 1;
        }
        let Some(letter) = item.letter() else { return Ok(false) };
        for why in parting(ending).into_iter().flatten() {
            queue.tally.count(why, 1);
        }
        if matches!(ending, Ending::Completed | Ending::Forgotten | Ending::Expired) {
            self.forgotten.insert(number);
        }
        let gone = Change::LetterGone { queue: queue.settings.name.clone(), letter: letter.id };
        self.feed.put(change, before, gone);
        Ok(true)
    }

    /// Sets whole orders aside: ready, leased, scheduled.
    fn clear(&mut self, number: u32, [ready, leased, scheduled]: [bool; 3], up_to: u64) {
        let Some(queue) = self.queues.get_mut(&number) else { return };
        let before = self.doomed.count();
        for (partition, index) in queue.partitions.iter_mut().zip(0..) {
            if ready {
                queue.placement.taken(index, partition.available());
                partition.cleared.ready = up_to;
                let [high, medium, low] = std::mem::take(&mut partition.ready);
                let stranded = std::mem::take(&mut partition.stranded);
                for order in [high, medium, low, stranded] {
                    self.doomed.add(order);
                }
            }
            if leased {
                partition.cleared.leased = up_to;
                self.doomed.add(std::mem::take(&mut partition.leased));
            }
            if scheduled {
                partition.cleared.scheduled = up_to;
                self.doomed.add(std::mem::take(&mut partition.scheduled));
            }
        }
        queue.tally.count_end(Ending::Purged, self.doomed.count() - before);
    }

    /// Tells the placement what became of an item that could be leased, or can be now. One that still can be had at
    /// the same place is no news: the order of equals must not change by it.
    fn place(&mut self, before: Option<&Item>, after: Option<&Item>) {
        let ready = |item: &Item| (item.phase == Phase::Ready).then_some((item.queue, item.partition));
        let (before, after) = (before.and_then(ready), after.and_then(ready));
        if before == after {
            return;
        }
        let mut tell = |at: Option<(u32, u32)>, change: fn(&mut crate::Placement, u32, u64)| {
            if let Some((queue, partition)) = at
                && let Some(queue) = self.queues.get_mut(&queue)
            {
                change(&mut queue.placement, partition, 1);
            }
        };
        tell(before, crate::Placement::taken);
        tell(after, crate::Placement::added);
    }

    /// Puts an item into its slot and everywhere it is found; tells those who wait.
    fn link(&mut self, slot: u32, item: Item, is_renamed: bool) -> Result<(), Broken> {
        let queue = self.queues.get(&item.queue).ok_or(UNKNOWN)?;
        if queue.partition(item.partition).is_none() {
            return Err(UNKNOWN);
        }
        if matches!(item.phase, Phase::Ready | Phase::Due) {
            self.woken.insert(item.queue);
        }
        if is_renamed {
            self.remember_names(slot, &item);
        }
        self.put_in(slot, item);
        Ok(())
    }

    /// Takes an item out of its slot and of everywhere; gives its queue with it.
    fn unlink(&mut self, slot: u32) -> Option<(u32, Item)> {
        let item = self.take_out(slot)?;
        self.forget_names(slot, &item);
        Some((item.queue, item))
    }

    /// Into the slot, the orders and the timers.
    fn put_in(&mut self, slot: u32, mut item: Item) {
        if let Some(queue) = self.queues.get_mut(&item.queue) {
            queue.add(slot, &mut item);
            if item.waits_for_room() {
                self.overflowing.insert(item.queue);
            }
        }
        self.timers.set(item.timer(), slot);
        self.items.put(slot, item);
        self.weigh(slot);
    }

    /// Out of the slot, the orders and the timers.
    fn take_out(&mut self, slot: u32) -> Option<Item> {
        let item = self.items.lift(slot)?;
        self.timers.cancel(item.timer(), slot);
        self.no_more_bereft(slot, &item);
        if let Some(queue) = self.queues.get_mut(&item.queue) {
            queue.remove(slot, &item);
            if queue.overflow.is_empty() {
                self.overflowing.remove(&item.queue);
            }
        }
        Some(item)
    }

    /// Changes an item that stays where it is found, but for its times.
    fn change(&mut self, slot: u32, change: impl FnOnce(&mut Item)) {
        if let Some(mut item) = self.take_out(slot) {
            change(&mut item);
            self.put_in(slot, item);
        }
    }

    fn set_image(&mut self, image: Image) -> Result<(), Broken> {
        let Image { slot, mut item, place, docs } = image;
        if !self.is_partial {
            // Whoever knows the whole history knows this already.
            return if self.items.get(slot).is_some() { Ok(()) } else { Err(UNKNOWN) };
        }
        self.stamps.seen(item.stamp);
        if let Some(letter) = item.letter() {
            self.feed.put(letter.change, self.change_of(slot), Change::Letter { slot });
        }
        let unlinked = self.unlink(slot);
        self.place(unlinked.as_ref().map(|(_, before)| before), Some(&item));
        match unlinked {
            Some((_, before)) => before.places().for_each(|place| self.free(place)),
            None => self.items.reserve(slot),
        }
        item.place = place;
        item.set_docs(docs);
        let places: Vec<Place> = item.places().collect();
        for place in places {
            self.keep(place);
        }
        self.link(slot, item, true)
    }

    fn set_totals(&mut self, totals: QueueTotals) {
        if !self.is_partial {
            return;
        }
        let Some(queue) = self.queues.get_mut(&totals.queue) else { return };
        queue.tally = totals.tally;
        for (partition, number) in queue.partitions.iter().zip(0..) {
            queue.placement.set_available(number, partition.available());
        }
        queue.placement.reorder(&totals.placement);
        let mut turns = totals.turns.into_iter().map(Turns::at);
        for (partition, turns) in queue.partitions.iter_mut().zip(turns.by_ref()) {
            partition.turns = turns;
        }
        queue.due_turns = turns.next().unwrap_or_default();
    }

    fn end_sweep(&mut self, end: &SweepEnd) -> Result<(), Broken> {
        if !self.is_partial {
            return Ok(());
        }
        if end.number != self.sweeps {
            return Ok(());
        }
        self.stamps.seen(end.last_stamp);
        self.next_queue = end.next_queue.max(self.next_queue);
        self.past = end.past;
        self.feed.set_next(end.next_change);
        self.is_partial = false;
        let found = self.items.count() - self.doomed.count();
        if found == end.items { Ok(()) } else { Err(Broken("it says that there are other items than were found")) }
    }
}

/// Exhausted, or claimed or archived as such; or claimed as such and then archived.
fn was_exhausted(item: &Item) -> bool {
    let before = item.letter().and_then(|letter| letter.before.as_ref());
    is_exhausted(item)
        || before.is_some_and(|before| match before.status {
            Status::Exhausted => true,
            Status::Retrying => before.since.is_some(),
            Status::Pending | Status::Completed | Status::Archived => false,
        })
}

fn is_exhausted(item: &Item) -> bool {
    item.letter().is_some_and(|letter| letter.status == Status::Exhausted)
}

impl Item {
    /// Takes over the documents of the item that it was.
    fn take_documents(&mut self, before: Self) {
        self.place = before.place;
        self.is_filed = before.is_filed;
        let docs = before.extra.map(|extra| extra.docs).unwrap_or_default();
        if !docs.is_empty() {
            self.extra.get_or_insert_default().docs = docs;
        } else if let Some(extra) = &mut self.extra {
            extra.docs = Docs::default();
        }
    }

    /// Takes a document; gives those that are no longer kept for it.
    fn attach(&mut self, attach: Attach, place: Place) -> Option<Place> {
        match attach {
            Attach::Nothing => None,
            Attach::Content | Attach::Filed => {
                self.is_filed = attach == Attach::Filed;
                let before = std::mem::replace(&mut self.place, place);
                (before != Place::NONE).then_some(before)
            }
            Attach::Edited => {
                let before = std::mem::replace(&mut self.place, place);
                let extra = self.extra.get_or_insert_default();
                let is_first = extra.docs.iter().all(|doc| doc.kind != DocKind::Original);
                if is_first {
                    extra.docs.push(Doc { kind: DocKind::Original, place: before });
                }
                (!is_first).then_some(before)
            }
            Attach::Doc(kind) => {
                let extra = self.extra.get_or_insert_default();
                extra.docs.push(Doc { kind, place });
                extra.drop_one_too_many(kind, self.is_filed)
            }
        }
    }
}

impl Extra {
    /// Of too many documents of a kind, the second oldest goes. The oldest attempt may stand with the content.
    fn drop_one_too_many(&mut self, kind: DocKind, is_filed: bool) -> Option<Place> {
        let filed = usize::from(is_filed && kind == DocKind::Attempt);
        let count = self.docs.iter().filter(|doc| doc.kind == kind).count();
        if count + filed <= kind.most() {
            return None;
        }
        let goes = if kind == DocKind::Parts { 0 } else { 1 - filed };
        let goes = self.docs.iter().enumerate().filter(|(_, doc)| doc.kind == kind).nth(goes).map(|(at, _)| at)?;
        Some(self.docs.remove(goes).place)
    }
}
