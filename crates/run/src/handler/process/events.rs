//! The log target of workers.

/// The target of all events about workers, and of what they write to stderr.
pub(super) const EVENTS: &str = "redrive_run::worker";
