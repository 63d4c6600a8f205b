//! Change the settings of a queue.

use redrive_core::{QueueName, Span, Time};

use crate::{LetterOverrides, QueueSettings};

/// Defines [`UpdateQueue`] from the fields of [`QueueSettings`] that can be changed.
macro_rules! update_queue {
    ($( $(#[$attribute:meta])* $field:ident: $Value:ty, )+) => {
        /// Changes only the fields that are set, so that concurrent updates of different fields do not undo each
        /// other. New timeouts apply to new leases and new items, `max_items` to new items; `max_attempts` and
        /// `dead_queue` also apply to existing items.
        #[derive(Debug, Clone)]
        pub struct UpdateQueue {
            pub name: QueueName,
            $( $(#[$attribute])* pub $field: Option<$Value>, )+
        }

        impl UpdateQueue {
            /// An update without changes.
            pub const fn of(name: QueueName) -> Self {
                Self { name, $( $field: None, )+ }
            }

            /// The settings after the update.
            pub fn merged(self, before: &QueueSettings, now: Time) -> QueueSettings {
                QueueSettings {
                    $( $field: self.$field.unwrap_or_else(|| before.$field.clone()), )+
                    // Later than the creation even if the clock stood still or stepped back.
                    updated_at: now.max(before.created_at.saturating_add(Span::from_micros(1))),
                    ..before.clone()
                }
            }
        }
    };
}

update_queue! {
    lease_timeout: Span,
    expire_timeout: Span,
    requested_partitions: u32,
    is_paused: bool,
    letters: LetterOverrides,
    max_attempts: u32,
    /// 0 for unlimited.
    max_items: u64,
    reference: String,
    /// `Some(None)` removes the dead queue.
    dead_queue: Option<QueueName>,
}
