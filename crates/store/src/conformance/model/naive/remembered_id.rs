//! A message id that is remembered after its item is gone.

use redrive_core::{ItemId, Time};

use super::Number;

#[derive(Debug, Clone)]
pub struct RememberedId {
    pub queue: u32,
    pub message_id: Box<str>,
    pub until: Time,
    pub item: Number,
    /// The id of the item when it was produced; `None` until the store has shown it.
    pub id: Option<ItemId>,
}

impl RememberedId {
    pub fn is_of(&self, queue: u32, message_id: &str) -> bool {
        self.queue == queue && *self.message_id == *message_id
    }
}
