//! Answers, and what becomes of those that nobody reads.

use std::collections::VecDeque;
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, PoisonError};

use redrive_core::{ItemId, QueueName};
use redrive_queue::{Settle, Verb};
use tokio::sync::oneshot;

use super::message::{Message, Request};
use crate::{Operation, Reply, StoreError};

/// Where the answer to a request goes.
#[derive(Debug)]
pub(crate) struct ReplyTo {
    /// Nobody waits for the answer to what the store asks of itself.
    sender: Option<oneshot::Sender<Parcel>>,
    taking: Option<Taking>,
}

/// From which queue the answer takes items, and where they go if nobody reads it.
#[derive(Debug, Clone)]
pub(crate) struct Taking {
    pub(crate) queue: QueueName,
    pub(crate) returns: Arc<Returns>,
}

/// An answer on its way. One that takes items and is never read gives them back, wherever it is lost: the caller may
/// have gone before it was sent, or after.
#[derive(Debug)]
pub(crate) struct Parcel {
    answer: Option<Result<Reply, StoreError>>,
    taking: Option<Taking>,
}

/// Items that were given to somebody who had gone.
#[derive(Debug)]
pub(crate) struct Returns {
    waiting: Mutex<VecDeque<(QueueName, Vec<ItemId>)>>,
    writer: SyncSender<Message>,
}

impl ReplyTo {
    pub(crate) fn new(taking: Option<Taking>) -> (Self, oneshot::Receiver<Parcel>) {
        let (sender, answer) = oneshot::channel();
        (Self { sender: Some(sender), taking }, answer)
    }

    const fn nobody() -> Self {
        Self { sender: None, taking: None }
    }

    pub(crate) fn send(self, answer: Result<Reply, StoreError>) {
        if let Some(sender) = self.sender {
            // A caller that is gone does not want it any more; the parcel knows what to do.
            let _gone = sender.send(Parcel { answer: Some(answer), taking: self.taking });
        }
    }

    /// Whether whoever asked has gone.
    pub(crate) fn is_closed(&self) -> bool {
        self.sender.as_ref().is_some_and(oneshot::Sender::is_closed)
    }
}

impl Parcel {
    pub(crate) fn open(mut self) -> Result<Reply, StoreError> {
        self.answer.take().unwrap_or(Err(StoreError::WrongAnswer))
    }
}

impl Drop for Parcel {
    fn drop(&mut self) {
        let (Some(Ok(reply)), Some(taking)) = (&self.answer, &self.taking) else { return };
        let items = match reply {
            Reply::Leased(leased) => &leased.items,
            Reply::Items(items) => items,
            _ => return,
        };
        let ids: Vec<ItemId> = items.iter().map(|item| item.info.id).collect();
        taking.returns.put(&taking.queue, &ids);
    }
}

impl Returns {
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
        let operation = Operation::Settle(Settle::all(queue, None, ids, &Verb::Release));
        Some(Message::Request(Request::new(operation, Vec::new(), ReplyTo::nobody())))
    }
}
