//! The state: all queues, items and letters, and the application of facts to them.

mod apply;
mod checkpoint;
mod commit;
mod letter_news;
mod lookup;
mod lost_dependents;
mod pending_reclaim;
mod queue_items;
mod reclaim;
mod salvage;
mod state;
mod verify;

pub use checkpoint::Checkpoint;
pub use letter_news::{LetterEventKind, LetterLogEvent};
pub(crate) use lookup::own_slot;
pub(crate) use queue_items::QueueItems;
pub use salvage::{KnownSettings, Loss, LostItem, Salvage};
pub use state::State;
pub use verify::Mismatch;
