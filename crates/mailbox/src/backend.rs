//! The contract of a mailbox on bytes.

use std::any::Any;
use std::fmt::Debug;

use async_trait::async_trait;
use redrive_core::{Span, Time};

use crate::{
    BrowseCursor, BrowsePage, HandOverSpec, InTransit, LeaseExtension, MailboxCounts, MailboxError, MailboxName,
    MailboxSettings, MessageId, NackSpec, NewMessage, RawMessage, ReceiptHandle, ReceiveSpec,
};

/// A mailbox of bytes.
///
/// A message is in exactly one state: pending, leased, delayed, or gone. A receipt handle is valid while its lease
/// lasts: from its receive until the deadline, unless the message is settled, returned or purged before. Every verb
/// compares the handle in the same atomic step in which it acts; with a handle that is not valid it fails with
/// [`MailboxError::ReceiptHandleExpired`] and changes nothing.
///
/// Values out of range fail with [`MailboxError::InvalidParameter`] and are never adjusted. Any verb may fail with
/// [`MailboxError::Connection`].
#[async_trait]
pub trait MailboxBackend: Debug + Send + Sync + 'static {
    fn name(&self) -> &MailboxName;

    fn settings(&self) -> &MailboxSettings;

    /// Adds a message, visible at once. An explicit id that the mailbox has accepted within its retention is accepted
    /// again without effect.
    ///
    /// # Errors
    ///
    /// `Full`, `Closed`, `InvalidParameter` for a body that is too large.
    async fn send(&self, message: NewMessage) -> Result<MessageId, MailboxError>;

    /// Leases up to `max_messages` messages: all that are visible, at once; the wait applies only while there are none.
    /// Empty if nothing became visible or the mailbox was closed.
    ///
    /// Dropping the future leases nothing: messages that it had taken are released.
    ///
    /// # Errors
    ///
    /// `InvalidParameter`.
    async fn receive(&self, spec: ReceiveSpec) -> Result<Vec<RawMessage>, MailboxError>;

    /// Deletes a leased message.
    ///
    /// # Errors
    ///
    /// `ReceiptHandleExpired`.
    async fn acknowledge(&self, handle: &ReceiptHandle) -> Result<(), MailboxError>;

    /// Returns a leased message to the tail, after a delay.
    ///
    /// # Errors
    ///
    /// `ReceiptHandleExpired`, `InvalidParameter`.
    async fn nack(&self, handle: &ReceiptHandle, spec: NackSpec) -> Result<(), MailboxError>;

    /// Undoes the receive of a message that did not reach its handler: the message is pending again, with the delivery
    /// count from before, at the head, or, if it was taken by its id, where it was.
    ///
    /// # Errors
    ///
    /// `ReceiptHandleExpired`.
    async fn release(&self, handle: &ReceiptHandle) -> Result<(), MailboxError>;

    /// Moves the deadline of a lease to `now + timeout`, and returns it. A later deadline is kept unless the extension
    /// may shorten it.
    ///
    /// # Errors
    ///
    /// `ReceiptHandleExpired`, `InvalidParameter`.
    async fn extend(&self, handle: &ReceiptHandle, extension: LeaseExtension) -> Result<Time, MailboxError>;

    /// Marks a leased message as failed permanently, and extends its lease: if it is delivered again, then with this
    /// verdict and error, for the rest of its hand-over. Returns the deadline.
    ///
    /// # Errors
    ///
    /// `ReceiptHandleExpired`, `InvalidParameter`.
    async fn begin_hand_over(&self, handle: &ReceiptHandle, spec: HandOverSpec) -> Result<Time, MailboxError>;

    /// Whether [`dead_letter`](Self::dead_letter) to this mailbox is one step. A crash between several steps has the message
    /// delivered again, with no sign of them unless [`begin_hand_over`](Self::begin_hand_over) came before.
    fn is_atomic_with(&self, to: &dyn MailboxBackend) -> bool;

    /// Sends a letter to another mailbox and deletes the leased message, atomically if both are on the same backend,
    /// else in [steps](crate::hand_over_in_steps). The letter has an explicit id, so that a repeated hand-over makes no
    /// second one.
    ///
    /// # Errors
    ///
    /// `ReceiptHandleExpired`; `Full`, `Closed` and `Connection` of the other mailbox, with the lease unchanged;
    /// `InvalidParameter` if the letter has no id or both mailboxes are the same.
    async fn dead_letter(
        &self,
        handle: &ReceiptHandle,
        letter: NewMessage,
        to: &dyn MailboxBackend,
    ) -> Result<(), MailboxError>;

    /// Reads messages in any state without a lease: nothing changes. A message that exists while all parts are read is
    /// found at least once, unless a failover comes between two parts; the order is free. A part has about `most`
    /// messages, and may have none although others follow.
    ///
    /// # Errors
    ///
    /// `InvalidParameter` if `most` is not within 1 to 1000 or the cursor is not one of this backend.
    async fn browse(&self, from: Option<&BrowseCursor>, most: u32) -> Result<BrowsePage, MailboxError>;

    /// Leases the message with this id, as `receive` does, wherever it is. `None` if there is no such message or a
    /// receiver has it.
    ///
    /// # Errors
    ///
    /// `InvalidParameter`.
    async fn take(&self, id: &MessageId, visibility: Span) -> Result<Option<RawMessage>, MailboxError>;

    /// Removes all messages, and returns their approximate number. All handles become invalid.
    ///
    /// # Errors
    ///
    /// Only `Connection`.
    async fn purge(&self) -> Result<u64, MailboxError>;

    /// # Errors
    ///
    /// Only `Connection`.
    async fn counts(&self) -> Result<MailboxCounts, MailboxError>;

    /// What this object has leased for callers who do not have it. [`UnclaimedMessages`](crate::UnclaimedMessages) count
    /// here.
    fn in_transit(&self) -> &InTransit;

    /// Ends receiving and sending through this object; other objects of the same mailbox stay open. Waiting receives
    /// return at once, empty. Messages that are held can still be settled.
    fn close(&self);

    fn is_closed(&self) -> bool;

    /// # Errors
    ///
    /// `Closed`.
    fn check_open(&self) -> Result<(), MailboxError> {
        if self.is_closed() { Err(MailboxError::Closed(self.name().clone())) } else { Ok(()) }
    }

    /// Lets a backend recognise mailboxes with which it can hand over atomically.
    fn as_any(&self) -> &dyn Any;
}
