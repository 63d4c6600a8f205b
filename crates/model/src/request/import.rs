//! Import items from another store.
//!
//! Everything except the id and the time of creation is kept. An item whose source id is already in the queue is
//! skipped, so that an interrupted import can be repeated.

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

/// An item of another store.
#[derive(Debug, Clone, Default)]
pub struct ImportItem {
    pub content: Arc<Content>,
    pub source_id: Option<Box<str>>,
    pub is_leased: bool,
    /// The deadline of the lease; by default, now plus the queue's `lease_timeout`. For an item that is not leased, it
    /// is displayed only.
    pub lease_deadline: Option<Time>,
    /// By default, the later of now and `enqueue_at`, plus the queue's `expire_timeout`.
    pub expires_at: Option<Time>,
    /// The item is scheduled until this time.
    pub enqueue_at: Option<Time>,
    pub attempts: u32,
    pub max_attempts: u32,
    pub priority: Priority,
}

impl ImportItem {
    /// Checks the limits that do not depend on the contents of the queue.
    pub fn check(&self) -> Result<(), Rejection> {
        self.content.check()?;
        self.source_id.as_deref().map_or(Ok(()), check_source_id)
    }
}

impl Import {
    /// The maximum number of items in one request.
    pub const ITEMS_MAX: usize = super::ITEMS_MAX;
}
