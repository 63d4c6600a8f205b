//! The guard.

mod captured;
mod returned;
mod within_a_retry;
