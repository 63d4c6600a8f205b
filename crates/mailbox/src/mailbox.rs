//! Mailboxes with typed bodies.

use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use redrive_core::Time;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::decode::{decode, encode};
use crate::metrics::{DECODE_ERRORS, count};
use crate::terminal_reply::reply_once;
use crate::{
    LeaseExtension, MailboxBackend, MailboxCounts, MailboxError, MailboxName, MessageId, NackSpec, NewMessage,
    RawMessage, ReceiveSpec, ReplyResolver,
};

/// A mailbox of messages of type `T`, whose replies are of type `R`. Clones share the mailbox.
#[derive(Debug)]
pub struct Mailbox<T, R> {
    backend: Arc<dyn MailboxBackend>,
    resolver: ReplyResolver,
    types: PhantomData<fn(T) -> R>,
}

impl<T, R> Mailbox<T, R> {
    /// A mailbox on this backend. It resolves no reply mailbox until it gets a [resolver](Self::with_resolver).
    pub fn new(backend: Arc<dyn MailboxBackend>) -> Self {
        Self { backend, resolver: ReplyResolver::default(), types: PhantomData }
    }

    /// Sets where replies go.
    #[must_use]
    pub fn with_resolver(mut self, resolver: ReplyResolver) -> Self {
        self.resolver = resolver;
        self
    }

    pub fn backend(&self) -> &Arc<dyn MailboxBackend> {
        &self.backend
    }

    pub(crate) fn into_parts(self) -> (Arc<dyn MailboxBackend>, ReplyResolver) {
        (self.backend, self.resolver)
    }

    pub fn name(&self) -> &MailboxName {
        self.backend.name()
    }

    /// Removes all messages. See [`MailboxBackend::purge`].
    ///
    /// # Errors
    ///
    /// `Connection`.
    pub async fn purge(&self) -> Result<u64, MailboxError> {
        self.backend.purge().await
    }

    /// The number of pending, leased and delayed messages.
    ///
    /// # Errors
    ///
    /// `Connection`.
    pub async fn approximate_count(&self) -> Result<u64, MailboxError> {
        Ok(self.counts().await?.total())
    }

    /// The three parts of [`approximate_count`](Self::approximate_count).
    ///
    /// # Errors
    ///
    /// `Connection`.
    pub async fn counts(&self) -> Result<MailboxCounts, MailboxError> {
        self.backend.counts().await
    }

    /// Ends receiving and sending. Messages that are held can still be settled.
    pub fn close(&self) {
        self.backend.close();
    }

    pub fn is_closed(&self) -> bool {
        self.backend.is_closed()
    }
}

impl<T: Serialize, R> Mailbox<T, R> {
    /// Sends a message that expects no reply.
    ///
    /// # Errors
    ///
    /// `Serialization`, `Full`, `Closed`, `Connection`, `InvalidParameter` for a body that is too large.
    pub async fn send(&self, body: &T) -> Result<MessageId, MailboxError> {
        self.submit(None, body, None).await
    }

    /// Sends a message whose reply goes to another mailbox.
    ///
    /// # Errors
    ///
    /// As [`send`](Self::send).
    pub async fn send_expecting_reply(&self, body: &T, reply_to: &MailboxName) -> Result<MessageId, MailboxError> {
        self.submit(None, body, Some(reply_to.clone())).await
    }

    /// Sends a message under an id of the caller, which the mailbox accepts once: sending it again has no effect.
    ///
    /// # Errors
    ///
    /// As [`send`](Self::send).
    pub async fn send_once(
        &self,
        id: MessageId,
        body: &T,
        reply_to: Option<&MailboxName>,
    ) -> Result<MessageId, MailboxError> {
        self.submit(Some(id), body, reply_to.cloned()).await
    }

    async fn submit(
        &self,
        id: Option<MessageId>,
        body: &T,
        reply_to: Option<MailboxName>,
    ) -> Result<MessageId, MailboxError> {
        self.backend.send(NewMessage { id, body: encode(body)?, reply_to }).await
    }
}

impl<T: DeserializeOwned, R> Mailbox<T, R> {
    /// Leases messages. A body that does not decode is part of its message, and not an error.
    ///
    /// # Errors
    ///
    /// `InvalidParameter`, `Connection`.
    pub async fn receive(&self, spec: ReceiveSpec) -> Result<Vec<Message<T, R>>, MailboxError> {
        let received = self.backend.receive(spec).await?;
        Ok(received.into_iter().map(|raw| self.message(raw)).collect())
    }

    fn message(&self, raw: RawMessage) -> Message<T, R> {
        let body = match decode(&raw.body) {
            Ok(body) => Body::Decoded(body),
            Err(error) => {
                count(DECODE_ERRORS, &*self.backend);
                Body::Undecodable(error.to_string())
            }
        };
        Message {
            raw,
            body,
            backend: Arc::clone(&self.backend),
            resolver: self.resolver.clone(),
            is_finalized: AtomicBool::new(false),
            types: PhantomData,
        }
    }
}

impl<T, R> Clone for Mailbox<T, R> {
    fn clone(&self) -> Self {
        Self { backend: Arc::clone(&self.backend), resolver: self.resolver.clone(), types: PhantomData }
    }
}

/// The body of a message. Its bytes are always available, by [`Message::raw`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body<T> {
    Decoded(T),
    /// The bytes are not a `T`, for this reason.
    Undecodable(String),
}

impl<T> Body<T> {
    pub const fn decoded(&self) -> Option<&T> {
        match self {
            Self::Decoded(body) => Some(body),
            Self::Undecodable(_) => None,
        }
    }
}

/// A delivery of a message. It is settled once: by `acknowledge`, `nack`, `release` or `dead_letter`.
#[derive(Debug)]
pub struct Message<T, R> {
    raw: RawMessage,
    body: Body<T>,
    backend: Arc<dyn MailboxBackend>,
    resolver: ReplyResolver,
    is_finalized: AtomicBool,
    types: PhantomData<fn(R)>,
}

impl<T, R> Message<T, R> {
    pub fn id(&self) -> &MessageId {
        self.raw.id()
    }

    pub const fn body(&self) -> &Body<T> {
        &self.body
    }

    /// The message as bytes, with its counts and times.
    pub const fn raw(&self) -> &RawMessage {
        &self.raw
    }

    pub fn is_finalized(&self) -> bool {
        self.is_finalized.load(Ordering::Acquire)
    }

    /// Deletes the message.
    ///
    /// # Errors
    ///
    /// `MessageFinalized`, `ReceiptHandleExpired`, `Connection`.
    pub async fn acknowledge(&self) -> Result<(), MailboxError> {
        self.settle(self.backend.acknowledge(&self.raw.handle)).await
    }

    /// Returns the message to the tail of the mailbox.
    ///
    /// # Errors
    ///
    /// `MessageFinalized`, `ReceiptHandleExpired`, `InvalidParameter`, `Connection`.
    pub async fn nack(&self, spec: NackSpec) -> Result<(), MailboxError> {
        self.settle(self.backend.nack(&self.raw.handle, spec)).await
    }

    /// Undoes the receive of a message that is not processed, for example at a shutdown.
    ///
    /// # Errors
    ///
    /// `MessageFinalized`, `ReceiptHandleExpired`, `Connection`.
    pub async fn release(&self) -> Result<(), MailboxError> {
        self.settle(self.backend.release(&self.raw.handle)).await
    }

    /// Extends the lease, and returns its deadline.
    ///
    /// # Errors
    ///
    /// `MessageFinalized`, `ReceiptHandleExpired`, `InvalidParameter`, `Connection`.
    pub async fn extend(&self, extension: LeaseExtension) -> Result<Time, MailboxError> {
        self.check_open()?;
        self.backend.extend(&self.raw.handle, extension).await
    }

    /// Sends a letter to another mailbox and deletes the message. See [`MailboxBackend::dead_letter`].
    ///
    /// # Errors
    ///
    /// `MessageFinalized`, and those of [`MailboxBackend::dead_letter`].
    pub async fn dead_letter(&self, letter: NewMessage, to: &dyn MailboxBackend) -> Result<(), MailboxError> {
        self.settle(self.backend.dead_letter(&self.raw.handle, letter, to)).await
    }

    fn check_open(&self) -> Result<(), MailboxError> {
        if self.is_finalized() { Err(MailboxError::MessageFinalized(self.id().clone())) } else { Ok(()) }
    }

    /// Only a settlement that the backend confirmed finalises the message: after an error it may be tried again.
    async fn settle(&self, settlement: impl Future<Output = Result<(), MailboxError>>) -> Result<(), MailboxError> {
        self.check_open()?;
        settlement.await?;
        self.is_finalized.store(true, Ordering::Release);
        Ok(())
    }
}

impl<T, R: Serialize> Message<T, R> {
    /// Sends a reply. A message may be replied to any number of times before it is settled.
    ///
    /// # Errors
    ///
    /// `MessageFinalized`, `ReplyNotAvailable`, `Resolution`, `Serialization`, and those of the reply mailbox.
    pub async fn reply(&self, body: &R) -> Result<MessageId, MailboxError> {
        self.check_open()?;
        let mailbox = self.resolver.resolve(self.raw.reply_to()?).await?;
        mailbox.send(None, encode(body)?).await
    }

    /// Sends the last reply, under an id that the reply mailbox accepts once: a repeated delivery replies only once.
    ///
    /// # Errors
    ///
    /// As [`reply`](Self::reply), and `ReceiptHandleExpired`: only the holder replies.
    pub async fn reply_once(&self, body: &R) -> Result<MessageId, MailboxError> {
        self.check_open()?;
        reply_once(&*self.backend, &self.raw, &self.resolver, encode(body)?).await
    }
}
