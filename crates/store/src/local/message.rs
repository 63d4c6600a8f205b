//! What the writer is sent.

use std::sync::mpsc::SyncSender;

use redrive_core::QueueName;
use redrive_queue::{KeyWrite, Place, Relocate};
use tokio::sync::oneshot;

use super::compactor::Compacted;
use super::reply::ReplyTo;
use crate::{Operation, StoreError};

#[derive(Debug)]
pub(crate) enum Message {
    Request(Request),
    /// The clock was moved.
    Wake,
    /// Documents of a file that may be given up; which of them are still needed?
    WhichAreHeld {
        candidates: Vec<(u32, Place)>,
        reply: SyncSender<Vec<(u32, Place)>>,
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
    /// A queue is to stand still, or to go on.
    StandStill {
        queue: QueueName,
        is_still: bool,
        done: oneshot::Sender<Result<(), StoreError>>,
    },
    Close,
}

#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) operation: Operation,
    pub(crate) along: Vec<KeyWrite>,
    pub(crate) reply: ReplyTo,
    /// What it takes at most, as the state is in the turn that it is in.
    pub(crate) bytes: usize,
}

impl Request {
    pub(crate) const fn new(operation: Operation, along: Vec<KeyWrite>, reply: ReplyTo) -> Self {
        Self { operation, along, reply, bytes: 0 }
    }
}
