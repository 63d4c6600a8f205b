//! Producing and importing items.

use std::sync::Arc;

use redrive_core::{ItemId, Priority, QueueName, Span, Time};
use redrive_model::{
    Content, Event, Import, ImportItem, ItemInfo, ItemState, NewItem, Produce, Rejection, SettleAction,
};

use super::item::{Item, Number, UNKNOWN_ID};
use super::{Expected, Model, ProducedAs, RememberedId};

/// A time less than this ahead counts as now.
pub(super) const SOON: Span = Span::from_millis(100);

impl Model {
    pub fn produce(&mut self, produce: &Produce, now: Time) -> Result<Expected, Rejection> {
        let queue = self.named(&produce.queue)?;
        let (number, partition) = (queue.number, queue.first());
        if produce.items.is_empty() {
            return Err(Rejection::Empty { what: "items" });
        }
        for id in produce.items.iter().filter_map(|item| item.message_id.as_deref()) {
            check_source_id(id)?;
        }
        if let Some(request) = &produce.request_id
            && let Some(answer) = self.answered(number, request, now)?
        {
            return Ok(Expected::AsBefore(answer));
        }
        let completed = match produce.completes.as_deref() {
            Some(held) => Some(self.held(self.named(&held.queue)?.number, None, held.id, "completed")?),
            None => None,
        };
        self.check_capacity(number, &produce.items, completed, now)?;
        let mut items = Vec::new();
        for new in &produce.items {
            if let Some(existing) = self.existing(number, new, now) {
                // The item that this request completes has its id until then.
                items.push(match existing {
                    ProducedAs::Twin(twin) if completed == Some(twin) => ProducedAs::Remembered(self.item(twin).id()),
                    existing => existing,
                });
                continue;
            }
            let item = self.produced(number, partition, new, now);
            items.push(ProducedAs::New(item.number));
            if let (Some(message_id), Some(kept)) = (&new.message_id, new.remember_for) {
                let until = now.saturating_add(kept);
                let message_id = message_id.clone();
                self.remembered.push(RememberedId { queue: number, message_id, until, item: item.number, id: None });
            }
            self.arrive(item, Event::Produced);
        }
        if let Some(completed) = completed {
            self.record_rule("completed with a produce");
            self.settle_one(completed, &SettleAction::Complete { attempt: None }, now);
        }
        self.remember(produce, (number, partition), &items, now);
        Ok(Expected::Produced { partition, items })
    }

    /// The item with the same message id: a live one, or one whose id is remembered.
    pub(super) fn existing(&mut self, queue: u32, new: &NewItem, now: Time) -> Option<ProducedAs> {
        let message_id = new.message_id.as_deref()?;
        if let Some(twin) = self.by_source(queue, message_id) {
            return Some(ProducedAs::Twin(twin.number));
        }
        new.remember_for?;
        let is_it = |known: &&RememberedId| known.is_of(queue, message_id) && known.until > now;
        let known = self.remembered.iter().rev().find(is_it)?;
        let id = known.id.unwrap();
        self.record_rule("remembered");
        Some(ProducedAs::Remembered(id))
    }

    /// All new items must fit into the queue.
    pub(super) fn check_capacity(
        &mut self,
        queue: u32,
        items: &[NewItem],
        completed: Option<Number>,
        now: Time,
    ) -> Result<(), Rejection> {
        let max_items = self.queue(queue).settings.max_items;
        if max_items == 0 {
            return Ok(());
        }
        let present = self.items.iter().filter(|item| item.queue == queue && !item.is_finished());
        let present = present.filter(|item| Some(item.number) != completed).count() as u64;
        let mut seen: Vec<&str> = Vec::new();
        let mut new = 0;
        for item in items {
            let twin = item.message_id.as_deref().filter(|id| seen.contains(id));
            if self.existing(queue, item, now).is_none() && twin.is_none() {
                new += 1;
                seen.extend(item.message_id.as_deref());
            }
        }
        if new > 0 && present + new > max_items { Err(Rejection::TooManyItems { max_items }) } else { Ok(()) }
    }

    /// Whether the contract defines if this message id is remembered: a store may forget one whose time has ended, and a
    /// clock may step back after that.
    pub fn is_memory_certain(&self, queue: &QueueName, message_id: &str, now: Time) -> bool {
        let Ok(queue) = self.named(queue) else { return true };
        let mut known = self.remembered.iter().filter(|known| known.is_of(queue.number, message_id));
        known.all(|known| known.until <= now || self.latest < Some(known.until))
    }

    pub(super) fn produced(&mut self, queue: u32, partition: u32, new: &NewItem, now: Time) -> Item {
        let settings = self.queue(queue).settings.clone();
        let later = new.enqueue_at.filter(|at| *at >= now.saturating_add(SOON));
        // The expiry counts from the time at which the item becomes ready.
        let lives = new.expire_after.unwrap_or(settings.expire_timeout);
        let mut item = self.blank(queue, partition, &new.content, now);
        item.info.expires_at = finite(later.unwrap_or(now).saturating_add(lives));
        item.info.state = later.map_or(ItemState::Ready, |at| ItemState::Scheduled { at });
        item.info.source_id.clone_from(&new.message_id);
        item.info.priority = new.priority;
        item.info.max_attempts = settings.max_attempts;
        item
    }

    pub fn import(&mut self, import: &Import, now: Time) -> Result<Expected, Rejection> {
        let number = self.with_partition(&import.queue, Some(import.partition))?.number;
        if import.items.is_empty() {
            return Err(Rejection::Empty { what: "items" });
        }
        for id in import.items.iter().filter_map(|item| item.source_id.as_deref()) {
            check_source_id(id)?;
        }
        let mut items = Vec::new();
        for import_item in &import.items {
            let source_id = import_item.source_id.as_deref();
            if source_id.is_some_and(|id| self.by_source(number, id).is_some()) {
                items.push(None);
                continue;
            }
            let item = self.imported(number, import.partition, import_item, now);
            items.push(Some(item.number));
            self.arrive(item, Event::Imported);
        }
        Ok(Expected::Items(items))
    }

    fn imported(&mut self, queue: u32, partition: u32, import: &ImportItem, now: Time) -> Item {
        let settings = &self.queue(queue).settings;
        let (lives, held) = (settings.expire_timeout, settings.lease_timeout);
        let later = import.enqueue_at.filter(|at| *at > now);
        let mut item = self.blank(queue, partition, &import.content, now);
        let expires_at = import.expires_at.unwrap_or_else(|| later.unwrap_or(now).saturating_add(lives));
        item.info.expires_at = finite(expires_at);
        item.info.state = match (import.is_leased, later) {
            (true, _) => {
                ItemState::Leased { deadline: import.lease_deadline.unwrap_or_else(|| now.saturating_add(held)) }
            }
            (false, Some(at)) => ItemState::Scheduled { at },
            (false, None) => ItemState::Ready,
        };
        item.info.imported_lease_deadline = import.lease_deadline.filter(|_| !import.is_leased).and_then(finite);
        item.info.source_id.clone_from(&import.source_id);
        item.info.attempts = import.attempts;
        item.info.deliveries = import.attempts;
        item.info.max_attempts = import.max_attempts;
        item.info.priority = import.priority;
        item
    }

    /// A new item with a new id and default properties.
    pub(super) fn blank(&mut self, queue: u32, partition: u32, content: &Arc<Content>, now: Time) -> Item {
        self.next_number += 1;
        let info = ItemInfo {
            id: ItemId::new(UNKNOWN_ID),
            first_id: ItemId::new(UNKNOWN_ID),
            partition,
            source_id: None,
            state: ItemState::Ready,
            priority: Priority::Medium,
            attempts: 0,
            deliveries: 0,
            max_attempts: 0,
            created_at: now,
            first_received_at: None,
            expires_at: None,
            imported_lease_deadline: None,
            is_hand_over_only: false,
            letter: None,
            is_edited: false,
        };
        Item { number: self.next_number, order: self.issue(), content: Arc::clone(content), ..Item::seen(queue, info) }
    }
}

/// The maximum time means never.
pub(super) fn finite(time: Time) -> Option<Time> {
    (time < Time::MAX).then_some(time)
}

pub(super) fn check_source_id(id: &str) -> Result<(), Rejection> {
    if id.is_empty() || id.len() > 512 { Err(Rejection::BadSourceId { most: 512 }) } else { Ok(()) }
}
