//! Letters: items that carry a failure record.

mod attempt;
mod dossier;
mod letter;
mod settle;

pub use attempt::{Attempt, Cause, Parts};
pub use dossier::{Death, DeathReason, Dossier, Origin};
pub use letter::Before;
pub(crate) use letter::Letter;
pub(crate) use settle::{Settled, Terms};
