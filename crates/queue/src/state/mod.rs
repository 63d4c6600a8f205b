//! The state: every queue, item and letter, and the one way in which they change.

mod apply;
mod checkpoint;
mod commit;
mod letter_news;
mod lookup;
mod lost_dependents;
mod pending_reclaim;
mod reclaim;
mod salvage;
mod state;
mod verify;

pub use checkpoint::Checkpoint;
pub use letter_news::{LetterNews, LetterTurn};
pub(crate) use lookup::own_slot;
pub use salvage::{KnownSettings, Loss, LostItem, Salvage};
pub use state::State;
pub use verify::Mismatch;
