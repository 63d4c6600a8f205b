//! Change the settings of a queue.

use redrive_core::{QueueName, Span, Time};

use crate::{LetterOverrides, QueueSettings};

/// Changes only the fields that are set, so that concurrent updates of different fields do not undo each other. New
/// timeouts apply to new leases and new items, `max_items` to new items; `max_attempts` and `dead_queue` also apply to
/// existing items.
#[derive(Debug, Clone)]
pub struct UpdateQueue {
    pub name: QueueName,
    pub lease_timeout: Option<Span>,
    pub expire_timeout: Option<Span>,
    pub requested_partitions: Option<u32>,
    pub is_paused: Option<bool>,
    pub letters: Option<LetterOverrides>,
    pub max_attempts: Option<u32>,
    /// 0 for unlimited.
    pub max_items: Option<u64>,
    pub reference: Option<String>,
    /// `Some(None)` removes the dead queue.
    pub dead_queue: Option<Option<QueueName>>,
}

impl UpdateQueue {
    /// An update without changes.
    pub const fn of(name: QueueName) -> Self {
        Self {
            name,
            lease_timeout: None,
            expire_timeout: None,
            requested_partitions: None,
            is_paused: None,
            letters: None,
            max_attempts: None,
            max_items: None,
            reference: None,
            dead_queue: None,
        }
    }

    /// The settings after the update.
    pub fn merged(self, before: &QueueSettings, now: Time) -> QueueSettings {
        QueueSettings {
            lease_timeout: self.lease_timeout.unwrap_or(before.lease_timeout),
            expire_timeout: self.expire_timeout.unwrap_or(before.expire_timeout),
            requested_partitions: self.requested_partitions.unwrap_or(before.requested_partitions),
            is_paused: self.is_paused.unwrap_or(before.is_paused),
            letters: self.letters.unwrap_or_else(|| before.letters.clone()),
            max_attempts: self.max_attempts.unwrap_or(before.max_attempts),
            max_items: self.max_items.unwrap_or(before.max_items),
            reference: self.reference.unwrap_or_else(|| before.reference.clone()),
            dead_queue: self.dead_queue.unwrap_or_else(|| before.dead_queue.clone()),
            // Later than the creation even if the clock stood still or stepped back.
            updated_at: now.max(before.created_at.saturating_add(Span::from_micros(1))),
            ..before.clone()
        }
    }
}
