//! Letters: items that carry a failure record.

mod attempt;
mod dossier;
mod letter;
mod settle;
mod small;
mod told;

pub use attempt::{Attempt, Parts};
pub use dossier::{Death, Dossier, Origin};
pub use letter::Before;
pub(crate) use letter::{Letter, retries};
pub use redrive_core::{Cause, DeathReason};
pub(crate) use settle::{Settled, Terms};
pub(crate) use small::{Destination, MaybeTime};
