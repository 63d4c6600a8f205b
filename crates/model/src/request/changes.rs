//! Read the feed of changed letters.

use redrive_core::{LetterId, QueueName, Span};

use crate::FullLetter;

/// Registers a reader of the feed, moves it on, or removes it.
#[derive(Debug, Clone)]
pub enum Cursor {
    /// From now on, changes are kept for this reader.
    Register { name: String },
    /// The reader has dealt with everything up to this position.
    Advance { name: String, position: u64 },
    /// The reader will not come back.
    Remove { name: String },
}

/// Reads changes after a position, each letter once with its newest state.
#[derive(Debug, Clone)]
pub struct ReadChanges {
    pub cursor: String,
    /// The position of the cursor where there is none.
    pub after: Option<u64>,
    pub limit: usize,
    /// How long to wait for a change where there is none; the reply is an empty page then.
    pub wait: Span,
}

/// A part of the feed.
#[derive(Debug, Clone, PartialEq)]
pub struct FeedPage {
    pub changes: Vec<FeedChange>,
    /// The position to advance to once these are dealt with.
    pub position: u64,
    /// How many changes wait for some reader.
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
    /// A queue is gone with all its letters.
    QueueGone {
        queue: QueueName,
    },
}
