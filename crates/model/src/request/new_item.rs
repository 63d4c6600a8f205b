//! An item before it is in a queue.

use std::sync::Arc;

use redrive_core::{Priority, Span, Time};

use crate::Content;

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
