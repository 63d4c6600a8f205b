//! The model itself: vectors, and a look at everything for every question.

use std::collections::BTreeMap;

use redrive_core::{ItemId, LetterId, QueueName, Status, Time, Trigger};
use redrive_queue::{Ending, Refusal, Why};

use super::item::{Item, Number};
use super::{Feed, Keys, Queue};

#[derive(Debug, Clone, Default)]
pub(crate) struct Model {
    pub(crate) queues: Vec<Queue>,
    pub(crate) items: Vec<Item>,
    pub(crate) feed: Feed,
    pub(crate) keys: Keys,
    pub(crate) arrived: u64,
    pub(crate) ended: u64,
    /// How often a rule was come by that no tally tells of.
    pub(crate) rules: BTreeMap<&'static str, u64>,
    /// The newest id that the machine told.
    pub(crate) newest: Option<ItemId>,
    /// Letters that are gone, of which somebody may have a copy.
    pub(crate) former: Vec<Item>,
    pub(super) next_queue: u32,
    pub(super) next_number: Number,
    /// When the step happens that is under way.
    pub(crate) now: Option<Time>,
    orders: u64,
}

impl Model {
    /// The place of a new id in the order of all ids.
    pub(super) fn issue(&mut self) -> u64 {
        self.orders += 1;
        self.orders
    }

    pub(super) fn came_by(&mut self, rule: &'static str) {
        *self.rules.entry(rule).or_default() += 1;
    }

    pub(crate) fn named(&self, name: &QueueName) -> Result<&Queue, Refusal> {
        let named = self.queues.iter().find(|queue| queue.settings.name == *name);
        named.ok_or_else(|| Refusal::NoSuchQueue(name.clone()))
    }

    /// A queue that has this partition.
    pub(super) fn with_partition(&self, name: &QueueName, partition: Option<u32>) -> Result<&Queue, Refusal> {
        let queue = self.named(name)?;
        match partition {
            Some(partition) if partition >= queue.settings.partitions => {
                Err(Refusal::NoSuchPartition(i64::from(partition)))
            }
            _ => Ok(queue),
        }
    }

    pub(crate) fn queue(&self, number: u32) -> &Queue {
        self.queues.iter().find(|queue| queue.number == number).unwrap()
    }

    pub(super) fn queue_mut(&mut self, number: u32) -> &mut Queue {
        self.queues.iter_mut().find(|queue| queue.number == number).unwrap()
    }

    pub(crate) fn item(&self, number: Number) -> &Item {
        self.items.iter().find(|item| item.number == number).unwrap()
    }

    /// The item of a queue that has this id today; completed and archived letters have none.
    pub(super) fn by_id(&self, queue: u32, id: ItemId) -> Option<&Item> {
        let is_it = |item: &&Item| item.queue == queue && item.told == item.order && item.id() == id;
        self.items.iter().find(is_it).filter(|item| !item.is_finished())
    }

    pub(crate) fn by_letter(&self, queue: u32, id: LetterId) -> Result<&Item, Refusal> {
        let found = self.items.iter().find(|item| item.queue == queue && item.letter_id() == Some(id));
        found.ok_or(Refusal::NoSuchLetter(id))
    }

    /// The live item that holds a source id.
    pub(super) fn by_source(&self, queue: u32, source_id: &str) -> Option<&Item> {
        let mut items = self.items.iter();
        items.find(|item| {
            item.queue == queue && !item.is_finished() && item.info.source_id.as_deref() == Some(source_id)
        })
    }

    /// An item that its caller must hold.
    pub(super) fn held(
        &self,
        queue: u32,
        partition: Option<u32>,
        id: ItemId,
        verb: &'static str,
    ) -> Result<Number, Refusal> {
        let item = self.by_id(queue, id).ok_or(Refusal::NoSuchItem(id))?;
        let is_here = partition.is_none_or(|partition| item.info.partition == partition);
        if !is_here || item.is_scheduled() {
            return Err(Refusal::NoSuchItem(id));
        }
        if item.is_leased() { Ok(item.number) } else { Err(Refusal::NotLeased { id, verb }) }
    }

    pub(super) fn arrive(&mut self, item: Item, why: Why) {
        let number = item.number;
        self.arrived += 1;
        let queue = self.queue_mut(item.queue);
        queue.count(why);
        if item.letter().is_some() {
            queue.count(Why::LetterMade);
        }
        // One that is put back was exhausted elsewhere.
        let is_exhausted = item.letter().is_some_and(|letter| letter.status == Status::Exhausted);
        if is_exhausted && why != Why::Reinstated {
            queue.count(Why::Exhausted);
        }
        if item.is_ready() {
            queue.added(item.info.partition, 1);
        }
        if item.letter().is_some() {
            self.feed.changed(item.number);
        }
        self.items.push(item);
        self.rest(number, why);
    }

    /// The one way in which an item that is there changes: the list of partitions, the tallies and the feed hear
    /// of it. A letter has a new revision afterwards.
    pub(super) fn change(&mut self, number: Number, why: Why, change: impl FnOnce(&mut Item)) {
        let item = self.items.iter_mut().find(|item| item.number == number).unwrap();
        let before = item.clone();
        change(item);
        item.keeps_first |= item.order != before.order && before.info.deliveries > 0;
        let is_moved = item.order != before.order;
        let due = item.due();
        if let Some(letter) = item.letter_mut() {
            letter.revision += 1;
            letter.next_retry_at = due;
        }
        if is_moved {
            self.rest(number, why);
        }
        let after = self.item(number).clone();
        let place = |item: &Item| (item.queue, item.info.partition, item.is_ready());
        if place(&before) != place(&after) {
            if before.is_ready() {
                self.queue_mut(before.queue).taken(before.info.partition, 1);
            }
            if after.is_ready() {
                self.queue_mut(after.queue).added(after.info.partition, 1);
            }
        }
        let is_exhausted = |item: &Item| item.letter().is_some_and(|letter| letter.status == Status::Exhausted);
        // One that was claimed or archived as exhausted comes back to it; it does not become so. Nor does one that was
        // claimed as such and then archived.
        let was_so = before.letter().and_then(|letter| letter.before).is_some_and(|before| match before.status {
            Status::Retrying => before.since.is_some(),
            status => status == Status::Exhausted,
        });
        if is_exhausted(&after) && !is_exhausted(&before) && !was_so {
            self.queue_mut(after.queue).count(Why::Exhausted);
        }
        self.queue_mut(before.queue).count(why);
        self.count_letter(why, &before, &after);
        if before.queue != after.queue {
            self.queue_mut(after.queue).count(Why::MovedIn);
        }
        if after.letter().is_some() {
            self.feed.changed(number);
        }
    }

    /// What is told of letters in numbers.
    fn count_letter(&mut self, why: Why, before: &Item, after: &Item) {
        let queue = self.queue_mut(after.queue);
        let Some(letter) = after.letter() else { return };
        let Some(was) = before.letter() else { return queue.count(Why::LetterMade) };
        let is_asked_for = letter.trigger != Trigger::Automatic;
        match why {
            Why::Claimed if is_asked_for => queue.count(Why::RetriedByHand),
            Why::LetterCompleted if is_asked_for => queue.count(Why::SucceededByHand),
            Why::Deferred => queue.count(Why::LetterDeferred),
            _ => {}
        }
        let is_lost = matches!(why, Why::LeaseExpired | Why::Restored);
        for _ in was.retries..letter.retries {
            queue.count(if is_lost { Why::AttemptLost } else { Why::RetryCharged });
            if is_asked_for && !is_lost {
                queue.count(Why::ChargedByHand);
            }
        }
    }

    /// An item ceases to be.
    pub(super) fn end(&mut self, number: Number, ending: Ending) {
        let at = self.items.iter().position(|item| item.number == number).unwrap();
        let item = self.items.remove(at);
        self.ended += 1;
        let queue = self.queue_mut(item.queue);
        queue.count_end(ending);
        if item.is_ready() {
            queue.taken(item.info.partition, 1);
        }
        if item.letter().is_some() {
            let is_removed = ending == Ending::Purged;
            queue.count(if is_removed { Why::LetterCleared } else { Why::LetterForgotten });
            match ending {
                Ending::Completed => queue.count(Why::CompletedForgotten),
                Ending::Expired => queue.count(Why::LetterExpired),
                _ => {}
            }
        }
        let name = queue.settings.name.clone();
        if let Some(letter) = item.letter_id() {
            self.feed.gone(number, name, letter);
            self.former.push(item);
        }
    }
}
