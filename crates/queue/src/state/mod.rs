//! The state: every queue, item and letter, and the one way in which they change.

mod apply;
mod bereft;
mod doomed;
mod lookup;
mod revise;
mod state;
mod sweep;
mod verify;

pub(crate) use lookup::own_slot;
pub(crate) use revise::{NO_DOCUMENT, attempt_document, document};
pub use state::State;
pub use sweep::Sweep;
pub use verify::Mismatch;
