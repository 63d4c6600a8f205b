//! Sources of work: the contract, and the sources over a store.

mod cancel;
mod delivery;
mod due_letters;
mod error;
mod resolution;
mod source;
mod store_queue;
mod store_settle;

pub use cancel::Cancel;
pub use delivery::Delivery;
pub use due_letters::DueLetters;
pub use error::{SettleError, SourceError};
pub use resolution::{DeadWork, FinishedDelivery, Resolution};
pub use source::{ClaimSpec, Durability, Source};
pub use store_queue::StoreQueue;
