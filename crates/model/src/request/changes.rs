//! Read the feed of changed letters.

use redrive_core::{LetterId, QueueName, Span};

use crate::FullLetter;

/// Registers, advances or removes a cursor of the feed.
#[derive(Debug, Clone)]
pub enum Cursor {
    /// From now on, changes are kept for this cursor.
    Register { name: String },
    /// The reader has processed everything up to this position.
    Advance { name: String, position: u64 },
    /// The cursor is no longer needed.
    Remove { name: String },
}

/// Reads changes after a position: each letter once, with its newest state.
#[derive(Debug, Clone)]
pub struct ReadChanges {
    pub cursor: String,
    /// If unset, the position of the cursor.
    pub after: Option<u64>,
    pub limit: usize,
    /// The maximum time to wait for a change. Then the reply is an empty page.
    pub wait: Span,
}

/// A page of the feed.
#[derive(Debug, Clone, PartialEq)]
pub struct FeedPage {
    pub changes: Vec<FeedChange>,
    /// The position to advance to once these changes are processed.
    pub position: u64,
    /// The number of changes that wait for any cursor.
    pub depth: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub enum FeedChange {
    Now {
        queue: QueueName,
        letter: Box<FullLetter>,
    },
    Gone {
        queue: QueueName,
        letter: LetterId,
    },
    /// A queue was deleted with all its letters.
    QueueGone {
        queue: QueueName,
    },
}
