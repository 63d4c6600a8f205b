//! Producing and importing items.

use std::sync::Arc;

use redrive_core::{ItemId, Priority, Span, Time};
use redrive_model::{Content, Event, Import, ImportItem, ItemInfo, ItemState, NewItem, Produce, Rejection};

use super::item::{Item, UNKNOWN_ID};
use super::{Expected, Model};

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
        let mut items = Vec::new();
        for new in &produce.items {
            let twin = new.message_id.as_deref().and_then(|id| self.by_source(number, id));
            if let Some(twin) = twin {
                items.push((twin.number, false));
                continue;
            }
            let item = self.produced(number, partition, new, now);
            items.push((item.number, true));
            self.arrive(item, Event::Produced);
        }
        self.remember(produce, (number, partition), &items, now);
        Ok(Expected::Produced { partition, items })
    }

    fn produced(&mut self, queue: u32, partition: u32, new: &NewItem, now: Time) -> Item {
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
