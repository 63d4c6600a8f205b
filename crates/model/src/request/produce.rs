//! Produce items into a queue.
//!
//! A request is atomic: all of its items go to one partition, and one invalid item rejects the whole request. An item
//! whose message id is already in the queue, or is remembered there, is not added again; the reply contains the id of the
//! existing item, so that a caller that did not receive the first reply can repeat the request.

use redrive_core::{ItemId, QueueName};

use crate::{HeldItem, NewItem, Rejection, RequestKey, check_count, check_source_id};

/// Items for a queue.
#[derive(Debug, Clone)]
pub struct Produce {
    pub queue: QueueName,
    pub items: Vec<NewItem>,
    /// An id of the request chosen by the caller, unique in the queue. A store keeps the reply for a while, and returns
    /// it for a repeated request instead of adding the items twice.
    pub request_id: Option<Box<RequestKey>>,
    /// A leased item that is completed in the same step: the items follow from it. If its id is stale, nothing is added.
    pub completes: Option<Box<HeldItem>>,
}

impl Produce {
    pub const fn new(queue: QueueName, items: Vec<NewItem>) -> Self {
        Self { queue, items, request_id: None, completes: None }
    }

    /// A request with an id: if it is sent twice, it is applied once.
    ///
    /// # Errors
    ///
    /// If the id is empty, too long, or contains other than visible ASCII characters.
    pub fn once(queue: QueueName, items: Vec<NewItem>, request_id: &str) -> Result<Self, Rejection> {
        let request_id = Some(Box::new(RequestKey::new(request_id, &items, None)?));
        Ok(Self { queue, items, request_id, completes: None })
    }

    /// Checks the limits that are independent of the queue.
    pub fn check(&self) -> Result<(), Rejection> {
        check_count("items", self.items.len())?;
        self.items.iter().try_for_each(|item| {
            item.content.check()?;
            item.message_id.as_deref().map_or(Ok(()), check_source_id)
        })
    }
}

/// The partition and ids of the items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Produced {
    pub partition: u32,
    /// One result per item, in order.
    pub items: Vec<ProducedItem>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProducedItem {
    New(ItemId),
    /// An item with the same message id is already in the queue; its current id. If the item is gone and its message id is
    /// remembered, the id under which it was produced.
    Duplicate(ItemId),
}
