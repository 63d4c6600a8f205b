//! Where work comes from: the contract, and the sources that a store is.

mod delivery;
mod due_letters;
mod error;
mod settlement;
mod source;
mod store_queue;
mod store_settle;

pub use delivery::{Cancel, Delivery};
pub use due_letters::DueLetters;
pub use error::{SettleError, SourceError};
pub use settlement::{Dead, Settlement, Verb};
pub use source::{Claim, Source};
pub use store_queue::StoreQueue;
