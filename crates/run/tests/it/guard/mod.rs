//! The guard.

mod captured;
mod raised;
mod returned;
mod within_a_retry;
