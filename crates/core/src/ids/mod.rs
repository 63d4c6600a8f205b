//! Ids and names: what things are called, and who may act on them.

mod generator;
mod ksuid;
mod name;
mod typed;

pub use generator::Generator;
pub use ksuid::{Ksuid, KsuidError};
pub use name::{NameError, NamespaceName, QueueName};
pub use typed::{ClaimToken, ItemId, LetterId};
