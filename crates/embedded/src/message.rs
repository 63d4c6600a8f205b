//! What the writer is sent.

use std::sync::mpsc::SyncSender;

use redrive_core::QueueName;
use redrive_model::{DocumentRef, KeyWrite};
use redrive_queue::Relocate;
use redrive_store::{Request, StoreError};
use tokio::sync::oneshot;

use crate::reply::ReplyTo;

#[derive(Debug)]
pub(crate) enum Message {
    Request(QueuedRequest),
    /// The clock was moved.
    Wake,
    /// Documents of a file that may be given up; which of them are still needed?
    WhichAreHeld {
        candidates: Vec<(u32, DocumentRef)>,
        reply: SyncSender<Vec<(u32, DocumentRef)>>,
    },
    /// Documents of a file that is to be given up; the sender waits until they are written again, or cannot be.
    Relocate {
        documents: Vec<Relocate>,
        done: SyncSender<bool>,
    },
    /// The compactor is done with a file.
    Compacted {
        shelf: u32,
        outcome: Compacted,
    },
    /// Freezes or unfreezes a queue.
    Freeze {
        queue: QueueName,
        is_frozen: bool,
        done: oneshot::Sender<Result<(), StoreError>>,
    },
    Close,
}

#[derive(Debug)]
pub(crate) struct QueuedRequest {
    pub(crate) request: Request,
    pub(crate) along: Vec<KeyWrite>,
    pub(crate) reply: ReplyTo,
    /// What it takes at most, as the state is in the turn that it is in.
    pub(crate) bytes: usize,
}

impl QueuedRequest {
    pub(crate) const fn new(request: Request, along: Vec<KeyWrite>, reply: ReplyTo) -> Self {
        Self { request, along, reply, bytes: 0 }
    }
}

/// How far the giving up of a file came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compacted {
    /// All that is needed of it stands elsewhere.
    Whole,
    /// There was no room to write it again.
    Interrupted,
    Unreadable,
}

// The channel holds space for the largest message in each of its places.
const _: () = assert!(size_of::<Message>() <= 192);
