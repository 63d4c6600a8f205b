//! A naive model of a store, and random histories of operations for it.
//!
//! [`naive`] predicts the effects of operations, [`any`] generates operations, [`operation`] defines them as values,
//! [`compare`] compares a store with the model, [`audit`] computes the expected statistics. The model is independent of
//! what is tested: the suite drives a store, and the tests of `redrive-queue` drive the state machine.

pub mod answer;
pub mod any;
pub mod audit;
pub mod compare;
mod learn;
pub mod naive;
pub mod operation;
pub mod random;

pub use learn::learn_from;
