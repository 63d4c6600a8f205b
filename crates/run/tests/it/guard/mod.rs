//! The guard: captures failures of work that the caller runs itself.

mod counted;
mod fixture;
mod letter;
mod queue_settings;
mod raised;
mod returned;
mod store_outcome;
mod strategy;
mod within_a_retry;
