//! Ids and names.

mod generator;
mod ksuid;
mod name;
mod typed;

pub use generator::Generator;
pub use ksuid::{Ksuid, KsuidError};
pub use name::{NameError, NamespaceName, QueueName, TargetName};
pub use typed::{ItemId, LetterId};
