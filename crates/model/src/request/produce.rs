//! Put items into a queue.
//!
//! A request is one unit: all of its items go to one partition, and one that cannot be taken refuses all. An
//! item with a message id that is already in the queue is not put in twice; the answer says which one is
//! there, so that a caller who did not hear the first answer can ask again.

use redrive_core::{ItemId, QueueName};

use crate::{NewItem, Rejection, RequestKey, check_count, check_source_id};

/// Items for a queue.
#[derive(Debug, Clone)]
pub struct Produce {
    pub queue: QueueName,
    pub items: Vec<NewItem>,
    /// The caller's own id for the request, unique in the queue. A store remembers its answer for a while, and answers the same
    /// request with it instead of putting the items in twice.
    pub request_id: Option<Box<RequestKey>>,
}

impl Produce {
    pub const fn new(queue: QueueName, items: Vec<NewItem>) -> Self {
        Self { queue, items, request_id: None }
    }

    /// The same request under an id of its caller's: sent twice, it is done once.
    ///
    /// # Errors
    ///
    /// Where the id is empty, too long, or has other than visible ASCII characters.
    pub fn once(queue: QueueName, items: Vec<NewItem>, request_id: &str) -> Result<Self, Rejection> {
        let request_id = Some(Box::new(RequestKey::new(request_id, &items)?));
        Ok(Self { queue, items, request_id })
    }

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
