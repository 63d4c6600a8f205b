//! A naive model of a store, and random histories of operations for it.
//!
//! [`naive`] predicts what an operation does, [`any`] thinks operations up, [`operation`] holds one as a value,
//! [`compare`] pairs what is shown with what the model expects, [`audit`] says what every number must be. Nothing here
//! knows what is tested: a store is driven by its verbs, the state machine of the embedded store by its own tests.

pub mod answer;
pub mod any;
pub mod audit;
pub mod compare;
mod learn;
pub mod naive;
pub mod operation;
pub mod random;

pub use learn::learn_from;
