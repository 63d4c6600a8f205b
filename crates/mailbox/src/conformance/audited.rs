//! A mailbox whose every step is checked against the invariants that hold in any history.

use std::any::Any;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use bytes::Bytes;
use redrive_core::{Span, Time};

use crate::{
    BrowseCursor, BrowsePage, HandOverSpec, InTransit, LeaseExtension, MailboxBackend, MailboxCounts, MailboxError,
    MailboxName, MailboxSettings, MessageId, NackSpec, NewMessage, RawMessage, ReceiptHandle, ReceiveSpec,
};

/// What is known about a mailbox. All its audited objects share it.
#[derive(Debug, Default)]
pub(super) struct Audit {
    handles: HashSet<ReceiptHandle>,
    messages: HashMap<MessageId, Seen>,
}

#[derive(Debug, Clone)]
struct Seen {
    body: Bytes,
    /// Distinguishes messages with the same id, of which the first expired.
    enqueued_at: Time,
    /// Deliveries without those that were released.
    count: u32,
    uncharged: u32,
    /// The valid handle, as far as no time has passed.
    holder: Option<(ReceiptHandle, Time)>,
}

pub(super) type Now = Arc<dyn Fn() -> Time + Send + Sync>;

pub(super) struct AuditedMailbox {
    pub(super) inner: Arc<dyn MailboxBackend>,
    pub(super) audit: Arc<Mutex<Audit>>,
    pub(super) now: Now,
}

impl std::fmt::Debug for AuditedMailbox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.inner.fmt(f)
    }
}

impl AuditedMailbox {
    fn audit(&self) -> MutexGuard<'_, Audit> {
        self.audit.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn received(&self, received: &[RawMessage]) {
        let mut audit = self.audit();
        for message in received {
            assert!(audit.handles.insert(message.handle.clone()), "{} was issued twice", message.handle);
            let is_other = |seen: &Seen| seen.enqueued_at != message.enqueued_at;
            if audit.messages.get(message.id()).is_some_and(is_other) {
                audit.messages.remove(message.id());
            }
            let seen = audit.messages.entry(message.id().clone()).or_insert_with(|| Seen {
                body: message.body.clone(),
                enqueued_at: message.enqueued_at,
                count: message.delivery_count - 1,
                uncharged: message.uncharged,
                holder: None,
            });
            assert_eq!(seen.body, message.body, "the body of {} changed", message.id());
            assert_eq!(message.delivery_count, seen.count + 1, "the delivery count of {}", message.id());
            assert_eq!(message.uncharged, seen.uncharged, "the uncharged deliveries of {}", message.id());
            if let Some((handle, deadline)) = &seen.holder {
                assert!((self.now)() >= *deadline, "{} was received while {handle} holds it", message.id());
            }
            seen.count += 1;
            seen.holder = Some((message.handle.clone(), message.deadline));
        }
    }

    /// Performs an operation with a handle. The change is noted before, because another receiver may get the message
    /// before the answer arrives here; it is taken back if the operation fails. Only the holder may succeed.
    async fn settle<T>(
        &self,
        handle: &ReceiptHandle,
        change: impl FnOnce(&mut Seen) + Send,
        operation: impl Future<Output = Result<T, MailboxError>> + Send,
    ) -> Result<T, MailboxError> {
        let before = self.noted(handle, change);
        let answer = operation.await;
        match (&answer, before) {
            (Ok(_), before) => assert!(before.is_some(), "{handle} was accepted, but it is not the holder's"),
            (Err(_), Some(before)) => {
                let mut audit = self.audit();
                let unchanged = |seen: &&mut Seen| seen.holder.is_none();
                if let Some(seen) = audit.messages.get_mut(handle.id()).filter(unchanged) {
                    *seen = before;
                }
            }
            (Err(_), None) => {}
        }
        answer
    }

    /// Notes an extension. Only the holder's may succeed.
    fn extended(&self, handle: &ReceiptHandle, answer: &Result<Time, MailboxError>, may_shorten: bool) {
        let Ok(after) = answer else { return };
        let mut audit = self.audit();
        let holder = audit.messages.get_mut(handle.id()).and_then(|seen| seen.holder.as_mut());
        let Some((_, deadline)) = holder.filter(|(holder, _)| holder == handle) else {
            panic!("{handle} was extended, but it is not the holder's")
        };
        assert!(may_shorten || after >= deadline, "{handle} was shortened");
        *deadline = *after;
    }

    /// Notes a change of the message, if this is the handle of its holder. Returns the state before.
    fn noted(&self, handle: &ReceiptHandle, change: impl FnOnce(&mut Seen)) -> Option<Seen> {
        let mut audit = self.audit();
        let seen = audit.messages.get_mut(handle.id())?;
        if seen.holder.as_ref().is_none_or(|(holder, _)| holder != handle) {
            return None;
        }
        let before = seen.clone();
        seen.holder = None;
        change(seen);
        Some(before)
    }
}

#[async_trait]
impl MailboxBackend for AuditedMailbox {
    fn name(&self) -> &MailboxName {
        self.inner.name()
    }

    fn settings(&self) -> &MailboxSettings {
        self.inner.settings()
    }

    async fn send(&self, message: NewMessage) -> Result<MessageId, MailboxError> {
        self.inner.send(message).await
    }

    async fn receive(&self, spec: ReceiveSpec) -> Result<Vec<RawMessage>, MailboxError> {
        let received = self.inner.receive(spec).await;
        if let Ok(received) = &received {
            self.received(received);
        }
        received
    }

    async fn acknowledge(&self, handle: &ReceiptHandle) -> Result<(), MailboxError> {
        self.settle(handle, |_| {}, self.inner.acknowledge(handle)).await
    }

    async fn nack(&self, handle: &ReceiptHandle, spec: NackSpec) -> Result<(), MailboxError> {
        let uncharged = u32::from(!spec.charge);
        self.settle(handle, |seen| seen.uncharged += uncharged, self.inner.nack(handle, spec)).await
    }

    async fn release(&self, handle: &ReceiptHandle) -> Result<(), MailboxError> {
        self.settle(handle, |seen| seen.count -= 1, self.inner.release(handle)).await
    }

    async fn extend(&self, handle: &ReceiptHandle, extension: LeaseExtension) -> Result<Time, MailboxError> {
        let answer = self.inner.extend(handle, extension).await;
        self.extended(handle, &answer, extension.may_shorten);
        answer
    }

    async fn begin_hand_over(&self, handle: &ReceiptHandle, spec: HandOverSpec) -> Result<Time, MailboxError> {
        let answer = self.inner.begin_hand_over(handle, spec).await;
        self.extended(handle, &answer, false);
        answer
    }

    async fn browse(&self, from: Option<&BrowseCursor>, most: u32) -> Result<BrowsePage, MailboxError> {
        self.inner.browse(from, most).await
    }

    async fn take(&self, id: &MessageId, visibility: Span) -> Result<Option<RawMessage>, MailboxError> {
        let taken = self.inner.take(id, visibility).await;
        if let Ok(Some(taken)) = &taken {
            self.received(std::slice::from_ref(taken));
        }
        taken
    }

    fn is_atomic_with(&self, to: &dyn MailboxBackend) -> bool {
        self.inner.is_atomic_with(to)
    }

    async fn dead_letter(
        &self,
        handle: &ReceiptHandle,
        letter: NewMessage,
        to: &dyn MailboxBackend,
    ) -> Result<(), MailboxError> {
        self.settle(handle, |_| {}, self.inner.dead_letter(handle, letter, to)).await
    }

    async fn purge(&self) -> Result<u64, MailboxError> {
        let purged = self.inner.purge().await;
        self.audit().messages.clear();
        purged
    }

    async fn counts(&self) -> Result<MailboxCounts, MailboxError> {
        self.inner.counts().await
    }

    fn in_transit(&self) -> &InTransit {
        self.inner.in_transit()
    }

    fn close(&self) {
        self.inner.close();
    }

    fn is_closed(&self) -> bool {
        self.inner.is_closed()
    }

    /// The backend recognises the mailbox that is audited.
    fn as_any(&self) -> &dyn Any {
        self.inner.as_any()
    }
}
