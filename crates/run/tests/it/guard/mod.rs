//! The guard.

mod captured;
mod counted;
mod raised;
mod returned;
mod within_a_retry;
