//! An item to produce.

use std::sync::Arc;

use redrive_core::{Priority, Span, Time};

use crate::Content;

/// An item as its producer submits it.
#[derive(Debug, Clone, Default)]
pub struct NewItem {
    pub content: Arc<Content>,
    /// Schedules the item for this time. A time in the past or less than 100 ms ahead means now.
    pub enqueue_at: Option<Time>,
    /// The lifetime of the item; if unset, the queue's `expire_timeout`.
    pub expire_after: Option<Span>,
    pub priority: Priority,
    /// An id chosen by the producer, unique in the queue while the item exists.
    pub message_id: Option<Box<str>>,
    /// How long the message id is remembered, counted from now. A produce that also sets this is answered with the first
    /// item during that time, even if the item is gone. Without a message id it has no effect.
    pub remember_for: Option<Span>,
}

impl NewItem {
    pub fn of_payload(payload: impl Into<bytes::Bytes>) -> Self {
        Self { content: Arc::new(Content::of_payload(payload)), ..Self::default() }
    }
}
