//! Replies to requests, and the return of leased items whose reply is never read.

use std::collections::VecDeque;
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, PoisonError};

use redrive_core::{ItemId, QueueName};
use redrive_model::{Settle, SettleAction};
use redrive_store::{Reply, StoreError};
use tokio::sync::oneshot;

// Circle: a message carries its `ReplyTo`, and an unread lease is returned to the writer as a message.
use crate::message::{Message, QueuedRequest};

/// Where the answer to a request goes.
#[derive(Debug)]
pub(crate) struct ReplyTo {
    /// `None` for the store's internal requests, whose answer is discarded.
    sender: Option<oneshot::Sender<UnreadReply>>,
    lease_return: Option<LeaseReturn>,
}

/// The queue from which the answer leases items, and where to return them if the answer is never read.
#[derive(Debug, Clone)]
pub(crate) struct LeaseReturn {
    pub(crate) queue: QueueName,
    pub(crate) abandoned: Arc<AbandonedLeases>,
}

/// An answer that the caller has not read yet. If it leases items and is dropped unread, the items are released: the
/// caller may have gone before it was sent, or after.
#[derive(Debug)]
pub(crate) struct UnreadReply {
    answer: Option<Result<Reply, StoreError>>,
    lease_return: Option<LeaseReturn>,
}

/// Items that were leased to callers who had gone, to be released by the writer.
#[derive(Debug)]
pub(crate) struct AbandonedLeases {
    waiting: Mutex<VecDeque<(QueueName, Vec<ItemId>)>>,
    writer: SyncSender<Message>,
}

impl ReplyTo {
    pub(crate) fn new(lease_return: Option<LeaseReturn>) -> (Self, oneshot::Receiver<UnreadReply>) {
        let (sender, answer) = oneshot::channel();
        (Self { sender: Some(sender), lease_return }, answer)
    }

    const fn discarded() -> Self {
        Self { sender: None, lease_return: None }
    }

    pub(crate) fn send(self, answer: Result<Reply, StoreError>) {
        if let Some(sender) = self.sender {
            // If the caller is gone, dropping the reply releases its items.
            let _gone = sender.send(UnreadReply { answer: Some(answer), lease_return: self.lease_return });
        }
    }

    /// Whether the caller has gone.
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
        let (Some(Ok(reply)), Some(lease_return)) = (&self.answer, &self.lease_return) else { return };
        let items = match reply {
            Reply::Lease(leased) => &leased.items[..],
            Reply::LeaseByMessageId(Some(leased)) => std::slice::from_ref(&**leased),
            Reply::ClaimDue(claimed) | Reply::ClaimById(claimed) => &claimed.letters,
            _ => return,
        };
        let ids: Vec<ItemId> = items.iter().map(|item| item.info.id).collect();
        lease_return.abandoned.put(&lease_return.queue, &ids);
    }
}

impl AbandonedLeases {
    /// The maximum number of items released by one request.
    const BATCH_MAX: usize = 256;

    pub(crate) fn new(writer: SyncSender<Message>) -> Self {
        Self { waiting: Mutex::default(), writer }
    }

    fn put(&self, queue: &QueueName, ids: &[ItemId]) {
        let batches = ids.chunks(Self::BATCH_MAX).map(|ids| (queue.clone(), ids.to_vec()));
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).extend(batches);
        // A writer with a full inbox is awake and checks this queue before it sleeps.
        let _is_awake = self.writer.try_send(Message::Wake);
    }

    /// A request that releases items without counting an attempt.
    pub(crate) fn next(&self) -> Option<Message> {
        let (queue, ids) = self.waiting.lock().unwrap_or_else(PoisonError::into_inner).pop_front()?;
        let settle = Settle::all(queue, None, ids, &SettleAction::Release);
        Some(Message::Request(QueuedRequest::new(settle.into(), Vec::new(), ReplyTo::discarded())))
    }
}
