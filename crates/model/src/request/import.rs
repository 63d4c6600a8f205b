//! Put items into a queue as they were somewhere else.
//!
//! Everything but the id and the time of creation is kept. An item whose source id is in the queue already is
//! passed over, so that an import that was interrupted can be repeated.

use std::sync::Arc;

use redrive_core::{Priority, QueueName, Time};

use crate::{Content, Rejection, check_source_id};

/// Items for one partition of a queue.
#[derive(Debug, Clone)]
pub struct Import {
    pub queue: QueueName,
    pub partition: u32,
    pub items: Vec<ImportItem>,
}

/// An item as it was somewhere else.
#[derive(Debug, Clone, Default)]
pub struct ImportItem {
    pub content: Arc<Content>,
    pub source_id: Option<Box<str>>,
    pub is_leased: bool,
    /// Until when it is leased; the queue's own time from now on, if nothing is said. Of an item that is not leased it is
    /// only shown.
    pub lease_deadline: Option<Time>,
    /// The queue's own time from now on, if nothing is said.
    pub expires_at: Option<Time>,
    /// From when on it is offered.
    pub enqueue_at: Option<Time>,
    pub attempts: u32,
    pub max_attempts: u32,
    pub priority: Priority,
}

impl ImportItem {
    /// Whether a queue takes it, whatever else is in it.
    pub fn check(&self) -> Result<(), Rejection> {
        self.content.check()?;
        self.source_id.as_deref().map_or(Ok(()), check_source_id)
    }
}

impl Import {
    /// So many are put in at once.
    pub const ITEMS_MAX: usize = super::ITEMS_MAX;
}
