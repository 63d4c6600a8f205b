//! The messages to the writer thread.

use std::sync::mpsc::SyncSender;

use redrive_model::{DocumentRef, KeyWrite};
use redrive_queue::Relocate;
use redrive_store::Request;

use crate::reply::ReplyTo;

#[derive(Debug)]
pub(crate) enum Message {
    Request(QueuedRequest),
    /// Wakes the writer, for example because the clock was moved.
    Wake,
    /// The compactor asks which of these documents are still in use.
    WhichAreInUse {
        candidates: Vec<(u32, DocumentRef)>,
        reply: SyncSender<Vec<(u32, DocumentRef)>>,
    },
    /// Documents of a segment that is being compacted. The compactor waits for `done`: whether they were rewritten.
    Relocate {
        documents: Vec<Relocate>,
        done: SyncSender<bool>,
    },
    /// The compactor has finished with a segment.
    Compacted {
        segment: u32,
        outcome: CompactionOutcome,
    },
    /// Freezes or unfreezes a queue.
    #[cfg(feature = "test-mode")]
    Freeze {
        queue: redrive_core::QueueName,
        is_frozen: bool,
        reply: tokio::sync::oneshot::Sender<Result<(), redrive_store::StoreError>>,
    },
    Close,
}

#[derive(Debug)]
pub(crate) struct QueuedRequest {
    pub(crate) request: Request,
    pub(crate) along: Vec<KeyWrite>,
    pub(crate) reply: ReplyTo,
    /// The maximum disk space that it needs, computed for the batch that it is in.
    pub(crate) bytes: usize,
}

impl QueuedRequest {
    pub(crate) const fn new(request: Request, along: Vec<KeyWrite>, reply: ReplyTo) -> Self {
        Self { request, along, reply, bytes: 0 }
    }
}

/// The result of compacting a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CompactionOutcome {
    /// Everything that is still needed of the segment was rewritten elsewhere.
    Complete,
    /// There was no disk space to rewrite it.
    Interrupted,
    Unreadable,
}

// The channel allocates the size of the largest message for each of its slots.
const _: () = assert!(size_of::<Message>() <= 192);
