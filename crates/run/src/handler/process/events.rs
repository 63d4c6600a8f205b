//! What is logged about workers.

/// Where all events about workers, and all that they write to stderr, are found in the log.
pub(super) const EVENTS: &str = "redrive_run::worker";
