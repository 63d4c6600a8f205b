//! Answers, and what becomes of those that nobody reads.

use std::collections::VecDeque;
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, PoisonError};

use redrive_core::{ItemId, QueueName};
use redrive_model::{Settle, SettleAction};
use redrive_store::{Reply, StoreError};
use tokio::sync::oneshot;

// Circle: a message carries where its answer goes, and a lease that nobody read goes back to the writer as a message.
use crate::message::{Message, QueuedRequest};

/// Where the answer to a request goes.
#[derive(Debug)]
pub(crate) struct ReplyTo {
    /// Nobody waits for the answer to what the store asks of itself.
    sender: Option<oneshot::Sender<UnreadReply>>,
    taking: Option<Taking>,
}

/// From which queue the answer takes items, and where they go if nobody reads it.
#[derive(Debug, Clone)]
pub(crate) struct Taking {
    pub(crate) queue: QueueName,
    pub(crate) returns: Arc<AbandonedLeases>,
}

/// An answer on its way. One that takes items and is never read gives them back, wherever it is lost: the caller may
/// have gone before it was sent, or after.
#[derive(Debug)]
pub(crate) struct UnreadReply {
    answer: Option<Result<Reply, StoreError>>,
    taking: Option<Taking>,
}

/// Items that were given to somebody who had gone.
#[derive(Debug)]
pub(crate) struct AbandonedLeases {
    waiting: Mutex<VecDeque<(QueueName, Vec<ItemId>)>>,
    writer: SyncSender<Message>,
}

impl ReplyTo {
    pub(crate) fn new(taking: Option<Taking>) -> (Self, oneshot::Receiver<UnreadReply>) {
        let (sender, answer) = oneshot::channel();
        (Self { sender: Some(sender), taking }, answer)
    }

    const fn nobody() -> Self {
        Self { sender: None, taking: None }
    }

    pub(crate) fn send(self, answer: Result<Reply, StoreError>) {
        if let Some(sender) = self.sender {
            // A caller that is gone does not want it any more; the parcel knows what to do.
            let _gone = sender.send(UnreadReply { answer: Some(answer), taking: self.taking });
        }
    }

    /// Whether whoever asked has gone.
    pub(crate) fn is_closed(&self) -> bool {
        self.sender.as_ref().is_some_and(oneshot::Sender::is_closed)
    }
}

impl UnreadReply {
    pub(crate) fn open(mut self) -> Result<Reply, StoreError> {
        self.answer.take().unwrap_or(Err(StoreError::WrongAnswer))
    }
}

impl Drop for UnreadReply {
    fn drop(&mut self) {
        let (Some(Ok(reply)), Some(taking)) = (&self.answer, &self.taking) else { return };
        let items = match reply {
            Reply::Lease(leased) => &leased.items,
            Reply::ClaimDue(claimed) | Reply::ClaimById(claimed) => &claimed.letters,
            _ => return,
        };
        let ids: Vec<ItemId> = items.iter().map(|item| item.info.id).collect();
        taking.returns.put(&taking.queue, &ids);
    }
}

impl AbandonedLeases {
    /// So many go back in one request.
    const BATCH_MAX: usize = 256;

    pub(crate) fn new(writer: SyncSender<Message>) -> Self {
        Self { waiting: Mutex::default(), writer }
    }

    fn put(&self, queue: &QueueName, ids: &[ItemId]) {
        let batches = ids.chunks(Self::BATCH_MAX).map(|ids| (queue.clone(), ids.to_vec()));
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).extend(batches);
        // A writer with a full inbox is awake, and looks here by itself.
        let _is_awake = self.writer.try_send(Message::Wake);
    }

    /// A request that gives items back untried.
    pub(crate) fn next(&self) -> Option<Message> {
        let (queue, ids) = self.waiting.lock().unwrap_or_else(PoisonError::into_inner).pop_front()?;
        let settle = Settle::all(queue, None, ids, &SettleAction::Release);
        Some(Message::Request(QueuedRequest::new(settle.into(), Vec::new(), ReplyTo::nobody())))
    }
}
