//! What the source of a route holds and waits for, whatever its transport.

use async_trait::async_trait;
use redrive_core::{Span, Time};

/// The state of a source at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceStatus {
    /// Whether it does its work.
    pub is_healthy: bool,
    /// Work that is not done yet, as far as it is known: records up to the ends of the partitions, messages of a mailbox.
    pub lag: Option<i64>,
    /// Work that waits for its turn or for its next attempt.
    pub waiting: u64,
    /// Failed work whose letter is not durable yet.
    pub letters_pending: u64,
    /// The record that has blocked its partition for the longest time.
    pub blocking: Option<BlockingWork>,
    pub troubles: Vec<SourceTrouble>,
}

/// The first record of a partition that is not done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockingWork {
    pub topic: String,
    pub partition: i32,
    pub offset: i64,
    /// What it waits for, as a word.
    pub state: &'static str,
    /// Number of the current or the last attempt; 0 before the first.
    pub attempt: u32,
    /// How long it has been the first.
    pub age: Span,
    /// The newest error, if it has failed.
    pub error: Option<String>,
}

/// A failure that lasts: since when, and the last error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceTrouble {
    /// What fails, as a word.
    pub kind: &'static str,
    pub since: Time,
    pub error: String,
}

impl SourceTrouble {
    /// The kind of a trouble that ends the route.
    pub(super) const FATAL: &str = "fatal";
}

/// Reads the status of a source while its route runs.
#[async_trait]
pub(super) trait SourceMonitor: Send + Sync {
    /// `None` if the source does not answer.
    async fn status(&self) -> Option<SourceStatus>;
}
