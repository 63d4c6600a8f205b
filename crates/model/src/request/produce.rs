//! Put items into a queue.
//!
//! A request is one unit: all of its items go to one partition, and one that cannot be taken refuses all. An
//! item with a message id that is already in the queue is not put in twice; the answer says which one is
//! there, so that a caller who did not hear the first answer can ask again.

use std::sync::Arc;

use redrive_core::{ItemId, Priority, QueueName, Span, Time};

use crate::{Content, Rejection, check_count, check_source_id};

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

impl Produce {
    /// Whether any queue can take the items.
    pub fn check(&self) -> Result<(), Rejection> {
        check_count("items", self.items.len())?;
        self.items.iter().try_for_each(|item| {
            item.content.check()?;
            item.message_id.as_deref().map_or(Ok(()), check_source_id)
        })
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
