//! The model: vectors that are searched for every operation.

use std::collections::BTreeMap;

use redrive_core::{ItemId, LetterId, QueueName, Status, Time, Trigger};
use redrive_model::{EndReason, Event, Rejection};

use super::item::{Item, Number};
use super::{Feed, Keys, Queue, RememberedId, RememberedRequest, TieOrder};

#[derive(Debug, Clone, Default)]
pub struct Model {
    pub queues: Vec<Queue>,
    pub items: Vec<Item>,
    pub feed: Feed,
    pub keys: Keys,
    /// Requests with a request id, the newest last.
    pub answers: Vec<RememberedRequest>,
    /// Message ids that are remembered, the newest last.
    pub remembered: Vec<RememberedId>,
    /// The latest time so far.
    pub(super) latest: Option<Time>,
    pub arrived: u64,
    pub ended: u64,
    /// How the last of them ended.
    pub last_ending: Option<EndReason>,
    /// The dead queue whose letter took the failure of an item in the current settlement.
    pub(super) taken_to: Option<QueueName>,
    /// How often rules were applied that no counter covers, for coverage checks.
    pub rules: BTreeMap<&'static str, u64>,
    /// The newest id that the store showed.
    pub newest: Option<ItemId>,
    /// Removed letters, of which external copies may exist.
    pub former: Vec<Item>,
    pub(super) next_queue: u32,
    pub(super) next_number: Number,
    /// The time of the current step.
    pub now: Option<Time>,
    pub(super) ties: TieOrder,
    orders: u64,
}

impl Model {
    /// An empty model with this tie order.
    pub fn new(ties: TieOrder) -> Self {
        Self { ties, ..Self::default() }
    }

    /// The position of a new id in the order of all ids.
    pub(super) fn issue(&mut self) -> u64 {
        self.orders += 1;
        self.orders
    }

    /// The position of the newest id.
    pub(super) const fn newest_order(&self) -> u64 {
        self.orders
    }

    pub(super) fn record_rule(&mut self, rule: &'static str) {
        *self.rules.entry(rule).or_default() += 1;
    }

    pub fn named(&self, name: &QueueName) -> Result<&Queue, Rejection> {
        let named = self.queues.iter().find(|queue| queue.settings.name == *name);
        named.ok_or_else(|| Rejection::NoSuchQueue(name.clone()))
    }

    /// A queue by name, which must have this partition.
    pub(super) fn with_partition(&self, name: &QueueName, partition: Option<u32>) -> Result<&Queue, Rejection> {
        let queue = self.named(name)?;
        match partition {
            Some(partition) if partition >= queue.settings.partitions => {
                Err(Rejection::NoSuchPartition(i64::from(partition)))
            }
            _ => Ok(queue),
        }
    }

    pub fn queue(&self, number: u32) -> &Queue {
        self.queues.iter().find(|queue| queue.number == number).unwrap()
    }

    pub(super) fn queue_mut(&mut self, number: u32) -> &mut Queue {
        self.queues.iter_mut().find(|queue| queue.number == number).unwrap()
    }

    pub fn item(&self, number: Number) -> &Item {
        self.items.iter().find(|item| item.number == number).unwrap()
    }

    /// The item of a queue with this current id. Completed and archived letters have none.
    pub(super) fn by_id(&self, queue: u32, id: ItemId) -> Option<&Item> {
        let is_it = |item: &&Item| item.queue == queue && item.known_order == item.order && item.id() == id;
        self.items.iter().find(is_it).filter(|item| !item.is_finished())
    }

    pub fn by_letter(&self, queue: u32, id: LetterId) -> Result<&Item, Rejection> {
        let found = self.items.iter().find(|item| item.queue == queue && item.letter_id() == Some(id));
        found.ok_or(Rejection::NoSuchLetter(id))
    }

    /// The live item with this source id.
    pub(super) fn by_source(&self, queue: u32, source_id: &str) -> Option<&Item> {
        let mut items = self.items.iter();
        items.find(|item| {
            item.queue == queue && !item.is_finished() && item.info.source_id.as_deref() == Some(source_id)
        })
    }

    /// A leased item by its id; an error if it is not leased under this id.
    pub(super) fn held(
        &self,
        queue: u32,
        partition: Option<u32>,
        id: ItemId,
        verb: &'static str,
    ) -> Result<Number, Rejection> {
        let item = self.by_id(queue, id).ok_or(Rejection::NoSuchItem(id))?;
        let is_here = partition.is_none_or(|partition| item.info.partition == partition);
        if !is_here || item.is_scheduled() {
            return Err(Rejection::NoSuchItem(id));
        }
        if item.is_leased() { Ok(item.number) } else { Err(Rejection::NotLeased { id, verb }) }
    }

    pub(super) fn arrive(&mut self, item: Item, why: Event) {
        let number = item.number;
        self.arrived += 1;
        let queue = self.queue_mut(item.queue);
        queue.count(why);
        if item.letter().is_some() {
            queue.count(Event::LetterMade);
        }
        // A reinstated letter was exhausted in another store.
        let is_exhausted = item.letter().is_some_and(|letter| letter.status == Status::Exhausted);
        if is_exhausted && why != Event::Reinstated {
            queue.count(Event::Exhausted);
        }
        if item.is_ready() {
            queue.added(item.info.partition, 1);
        }
        if item.letter().is_some() {
            self.feed.changed(item.number);
        }
        self.items.push(item);
        self.schedule_auto_archive(number, why);
    }

    /// Changes an item without counting it or creating a revision, because another change follows at once.
    pub(super) fn note(&mut self, number: Number, note: impl FnOnce(&mut Item)) {
        note(self.items.iter_mut().find(|item| item.number == number).unwrap());
    }

    /// Changes an existing item, and updates the list of partitions, the counters and the feed. A letter gets a new
    /// revision.
    pub(super) fn change(&mut self, number: Number, why: Event, now: Time, change: impl FnOnce(&mut Item)) {
        let item = self.items.iter_mut().find(|item| item.number == number).unwrap();
        let before = item.clone();
        change(item);
        item.keeps_first |= item.order != before.order && before.info.deliveries > 0;
        let is_moved = item.order != before.order;
        let due = item.due();
        if let Some(letter) = item.letter_mut() {
            letter.revision += 1;
            letter.updated_at = now;
            letter.next_retry_at = due;
        }
        if is_moved {
            self.schedule_auto_archive(number, why);
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
        // A letter that was already exhausted when it was claimed or archived does not become exhausted again; nor does
        // one that was claimed as exhausted and then archived.
        let was_so = before.letter().and_then(|letter| letter.before).is_some_and(|before| match before.status {
            Status::Retrying => before.since.is_some(),
            status => status == Status::Exhausted,
        });
        if is_exhausted(&after) && !is_exhausted(&before) && !was_so {
            self.queue_mut(after.queue).count(Event::Exhausted);
        }
        self.queue_mut(before.queue).count(why);
        self.count_letter(why, &before, &after);
        if before.queue != after.queue {
            self.queue_mut(after.queue).count(Event::MovedIn);
        }
        if after.letter().is_some() {
            self.feed.changed(number);
        }
    }

    /// Counts the events of letters.
    fn count_letter(&mut self, why: Event, before: &Item, after: &Item) {
        let queue = self.queue_mut(after.queue);
        let Some(letter) = after.letter() else { return };
        let Some(was) = before.letter() else { return queue.count(Event::LetterMade) };
        let is_asked_for = letter.trigger != Trigger::Automatic;
        match why {
            Event::Claimed if is_asked_for => queue.count(Event::RetriedByHand),
            Event::LetterCompleted if is_asked_for => {
                // Handed back: nobody had claimed it.
                if was.status != Status::Retrying {
                    queue.count(Event::RetriedByHand);
                }
                queue.count(Event::SucceededByHand);
            }
            Event::Deferred => queue.count(Event::LetterDeferred),
            _ => {}
        }
        let is_lost = matches!(why, Event::LeaseExpired | Event::Restored);
        for _ in was.retries..letter.retries {
            queue.count(if is_lost { Event::AttemptLost } else { Event::RetryCharged });
            if is_asked_for && !is_lost {
                queue.count(Event::ChargedByHand);
            }
        }
    }

    /// Removes an item.
    pub(super) fn end(&mut self, number: Number, ending: EndReason) {
        let at = self.items.iter().position(|item| item.number == number).unwrap();
        let item = self.items.remove(at);
        self.ended += 1;
        self.last_ending = Some(ending);
        let queue = self.queue_mut(item.queue);
        queue.count_end(ending);
        if item.is_ready() {
            queue.taken(item.info.partition, 1);
        }
        if item.letter().is_some() {
            let is_removed = ending == EndReason::Purged;
            queue.count(if is_removed { Event::LetterCleared } else { Event::LetterForgotten });
            match ending {
                EndReason::Completed => queue.count(Event::CompletedForgotten),
                EndReason::Expired => queue.count(Event::LetterExpired),
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
