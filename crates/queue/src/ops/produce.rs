//! Put items into a queue.
//!
//! A request is one unit: all of its items go to one partition, and one that cannot be taken refuses all. An
//! item with a message id that is already in the queue is not put in twice; the answer says which one is
//! there, so that a caller who did not hear the first answer can ask again.

use std::sync::Arc;

use redrive_core::{ItemId, Priority, QueueName, Span, Time};

use super::{SOON, check_count, check_source_id};
use crate::fact::{Attach, Fact, Facts, Tail};
use crate::item::{Item, Phase, Place};
use crate::queue::Why;
use crate::{Content, Moment, Refusal, State};

/// Items for a queue.
#[derive(Debug, Clone)]
pub struct Produce {
    pub queue: QueueName,
    pub items: Vec<NewItem>,
}

/// An item as its producer gives it.
#[derive(Debug, Clone, Default)]
pub struct NewItem {
    pub content: Arc<Content>,
    /// Not before this time; now, if it has passed or is less than 100 ms ahead.
    pub enqueue_at: Option<Time>,
    /// How long it lives; the queue's own time, if nothing is said.
    pub expire_after: Option<Span>,
    pub priority: Priority,
    /// The producer's own id for it, unique in the queue while the item lives.
    pub message_id: Option<Box<str>>,
}

impl NewItem {
    pub fn of_payload(payload: impl Into<bytes::Bytes>) -> Self {
        Self { content: Arc::new(Content::of_payload(payload)), ..Self::default() }
    }
}

/// Where the items went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Produced {
    pub partition: u32,
    /// One for each item, in order.
    pub items: Vec<ProducedItem>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProducedItem {
    New(ItemId),
    /// An item with the same message id is in the queue: this one, as it is called today.
    Duplicate(ItemId),
}

impl Produce {
    pub fn apply(self, state: &mut State, moment: Moment, facts: &mut Facts) -> Result<Produced, Refusal> {
        let (number, queue) = state.named(&self.queue)?;
        check_count("items", self.items.len())?;
        for item in &self.items {
            item.content.check()?;
            item.message_id.as_deref().map_or(Ok(()), check_source_id)?;
        }
        if state.items.next_frees().nth(self.items.len()).is_none() {
            return Err(Refusal::NoSlots);
        }
        let partition = queue.placement.first().unwrap_or(0);
        let lives = queue.settings.expire_timeout;
        let max_attempts = queue.settings.max_attempts;
        let produced = self.items.into_iter().map(|new| {
            let twin = new.message_id.as_deref().and_then(|id| state.slot_of_source(number, id));
            if let Some(twin) = twin.and_then(|slot| state.items.get(slot).map(|item| item.stamp.id(slot))) {
                return ProducedItem::Duplicate(twin);
            }
            // The count was checked above.
            let slot = state.items.next_frees().next().unwrap_or_default();
            let from = new.enqueue_at.filter(|at| *at >= moment.now.saturating_add(SOON));
            let item = Item {
                stamp: state.stamps.next(moment),
                created_at: moment.now,
                expires_at: from.unwrap_or(moment.now).saturating_add(new.expire_after.unwrap_or(lives)),
                at: from.unwrap_or(Time::MAX),
                source_id: new.message_id,
                extra: None,
                place: Place::NONE,
                queue: number,
                partition,
                attempts: 0,
                deliveries: 0,
                max_attempts,
                phase: if from.is_some() { Phase::Scheduled } else { Phase::Ready },
                priority: new.priority,
                is_condemned: false,
                is_filed: false,
            };
            let id = item.stamp.id(slot);
            let fact = Fact::Item { why: Why::Produced, slot, item, attach: Attach::Content };
            state.record_with(fact, Tail::Content(new.content), facts);
            ProducedItem::New(id)
        });
        Ok(Produced { partition, items: produced.collect() })
    }
}
