//! A backend that injects faults into another one.

use std::any::Any;
use std::collections::{HashSet, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use redrive_core::{Span, Time};

use crate::{
    BrowseCursor, BrowsePage, HandOverSpec, InTransit, LeaseExtension, MailboxBackend, MailboxCounts, MailboxError,
    MailboxName, MailboxSettings, MessageId, NackSpec, NewMessage, RawMessage, ReceiptHandle, ReceiveSpec,
    hand_over_in_steps,
};

/// The crash of a process after a number of operations on its mailboxes: all later ones fail and have no effect. Clones
/// count together.
#[derive(Debug, Clone)]
pub struct CrashPoint {
    remaining: Arc<AtomicU32>,
    has_crashed: Arc<AtomicBool>,
}

impl CrashPoint {
    /// A crash after this many operations.
    pub fn after(operations: u32) -> Self {
        Self { remaining: Arc::new(AtomicU32::new(operations)), has_crashed: Arc::default() }
    }

    pub fn has_crashed(&self) -> bool {
        self.has_crashed.load(Ordering::Relaxed)
    }

    fn is_beyond(&self) -> bool {
        let is_beyond = !take(&self.remaining);
        if is_beyond {
            self.has_crashed.store(true, Ordering::Relaxed);
        }
        is_beyond
    }
}

/// A mailbox with faults that a test injects. For tests of programs that use mailboxes.
#[derive(Debug)]
pub struct FaultyMailbox {
    inner: Arc<dyn MailboxBackend>,
    failing: AtomicU32,
    losing: AtomicU32,
    refuses_sends: AtomicBool,
    expires_all: AtomicBool,
    expired: Mutex<HashSet<ReceiptHandle>>,
    injected: Mutex<VecDeque<RawMessage>>,
    crash: Option<CrashPoint>,
    is_remote: bool,
    release_after: Mutex<Duration>,
}

impl FaultyMailbox {
    /// Hand-overs to this mailbox take several steps, as if it were on another backend.
    #[must_use]
    pub const fn on_another_backend(mut self) -> Self {
        self.is_remote = true;
        self
    }

    /// A mailbox of a process that crashes. Receives do not count, and fail after the crash.
    pub fn crashing(inner: Arc<dyn MailboxBackend>, crash: CrashPoint) -> Self {
        Self { crash: Some(crash), ..Self::new(inner) }
    }

    pub fn new(inner: Arc<dyn MailboxBackend>) -> Self {
        Self {
            inner,
            failing: AtomicU32::new(0),
            losing: AtomicU32::new(0),
            refuses_sends: AtomicBool::new(false),
            expires_all: AtomicBool::new(false),
            expired: Mutex::default(),
            injected: Mutex::default(),
            crash: None,
            is_remote: false,
            release_after: Mutex::default(),
        }
    }

    /// The next `count` operations fail with `Connection` and have no effect.
    pub fn fail_next(&self, count: u32) {
        self.failing.store(count, Ordering::Relaxed);
    }

    /// The next `count` operations take effect and fail with `Connection`.
    pub fn lose_next_answers(&self, count: u32) {
        self.losing.store(count, Ordering::Relaxed);
    }

    /// Sends fail with `Connection`, or succeed again.
    pub fn refuse_sends(&self, refuse: bool) {
        self.refuses_sends.store(refuse, Ordering::Relaxed);
    }

    /// The handle is refused from now on, as if its lease had ended.
    pub fn expire(&self, handle: ReceiptHandle) {
        lock(&self.expired).insert(handle);
    }

    /// Every handle is refused from now on, as if all leases had ended.
    pub fn expire_all(&self) {
        self.expires_all.store(true, Ordering::Relaxed);
    }

    /// Releases take this time.
    pub fn delay_releases(&self, by: Duration) {
        *lock(&self.release_after) = by;
    }

    /// The next receive returns this message.
    pub fn inject(&self, message: RawMessage) {
        lock(&self.injected).push_back(message);
    }

    fn unavailable(&self, reason: &str) -> MailboxError {
        MailboxError::Connection { mailbox: self.inner.name().clone(), reason: reason.to_owned() }
    }

    fn before(&self) -> Result<(), MailboxError> {
        if self.crash.as_ref().is_some_and(CrashPoint::is_beyond) {
            return Err(self.unavailable("the process has crashed"));
        }
        if take(&self.failing) { Err(self.unavailable("injected fault")) } else { Ok(()) }
    }

    fn after<T>(&self, answer: Result<T, MailboxError>) -> Result<T, MailboxError> {
        if take(&self.losing) { Err(self.unavailable("injected loss of the answer")) } else { answer }
    }

    fn before_send(&self) -> Result<(), MailboxError> {
        self.before()?;
        if self.refuses_sends.load(Ordering::Relaxed) {
            return Err(self.unavailable("sends are refused"));
        }
        Ok(())
    }

    fn before_with(&self, handle: &ReceiptHandle) -> Result<(), MailboxError> {
        if self.expires_all.load(Ordering::Relaxed) || lock(&self.expired).contains(handle) {
            return Err(MailboxError::ReceiptHandleExpired(handle.id().clone()));
        }
        self.before()
    }
}

#[async_trait]
impl MailboxBackend for FaultyMailbox {
    fn name(&self) -> &MailboxName {
        self.inner.name()
    }

    fn settings(&self) -> &MailboxSettings {
        self.inner.settings()
    }

    async fn send(&self, message: NewMessage) -> Result<MessageId, MailboxError> {
        self.before_send()?;
        self.after(self.inner.send(message).await)
    }

    async fn receive(&self, spec: ReceiveSpec) -> Result<Vec<RawMessage>, MailboxError> {
        spec.check()?;
        let injected = lock(&self.injected).pop_front();
        if let Some(message) = injected {
            return Ok(vec![message]);
        }
        match &self.crash {
            Some(crash) if crash.has_crashed() => return Err(self.unavailable("the process has crashed")),
            Some(_) => {}
            None => self.before()?,
        }
        // An answer that is lost here would lose a lease, which is not what the caller tests.
        self.inner.receive(spec).await
    }

    async fn acknowledge(&self, handle: &ReceiptHandle) -> Result<(), MailboxError> {
        self.before_with(handle)?;
        self.after(self.inner.acknowledge(handle).await)
    }

    async fn nack(&self, handle: &ReceiptHandle, spec: NackSpec) -> Result<(), MailboxError> {
        self.before_with(handle)?;
        self.after(self.inner.nack(handle, spec).await)
    }

    async fn release(&self, handle: &ReceiptHandle) -> Result<(), MailboxError> {
        self.before_with(handle)?;
        let delay = *lock(&self.release_after);
        tokio::time::sleep(delay).await;
        self.after(self.inner.release(handle).await)
    }

    async fn extend(&self, handle: &ReceiptHandle, extension: LeaseExtension) -> Result<Time, MailboxError> {
        self.before_with(handle)?;
        self.after(self.inner.extend(handle, extension).await)
    }

    async fn begin_hand_over(&self, handle: &ReceiptHandle, spec: HandOverSpec) -> Result<Time, MailboxError> {
        self.before_with(handle)?;
        self.after(self.inner.begin_hand_over(handle, spec).await)
    }

    async fn browse(&self, from: Option<&BrowseCursor>, most: u32) -> Result<BrowsePage, MailboxError> {
        self.before()?;
        self.after(self.inner.browse(from, most).await)
    }

    async fn take(&self, id: &MessageId, visibility: Span) -> Result<Option<RawMessage>, MailboxError> {
        self.before()?;
        self.inner.take(id, visibility).await
    }

    fn is_atomic_with(&self, to: &dyn MailboxBackend) -> bool {
        let is_remote = to.as_any().downcast_ref::<Self>().is_some_and(|faulty| faulty.is_remote);
        !is_remote && self.inner.is_atomic_with(unwrapped(to))
    }

    /// In as many steps as the mailboxes behind the faults need. Faults of the other mailbox fail its part of the one step.
    async fn dead_letter(
        &self,
        handle: &ReceiptHandle,
        letter: NewMessage,
        to: &dyn MailboxBackend,
    ) -> Result<(), MailboxError> {
        if !self.is_atomic_with(to) {
            return hand_over_in_steps(self, handle, letter, to).await;
        }
        self.before_with(handle)?;
        if let Some(faulty) = to.as_any().downcast_ref::<Self>() {
            faulty.before_send()?;
        }
        let handed_over = self.inner.dead_letter(handle, letter, unwrapped(to)).await;
        let handed_over = match to.as_any().downcast_ref::<Self>() {
            Some(faulty) => faulty.after(handed_over),
            None => handed_over,
        };
        self.after(handed_over)
    }

    async fn purge(&self) -> Result<u64, MailboxError> {
        self.before()?;
        self.after(self.inner.purge().await)
    }

    async fn counts(&self) -> Result<MailboxCounts, MailboxError> {
        self.before()?;
        self.after(self.inner.counts().await)
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

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// The mailbox without its faults.
fn unwrapped(mailbox: &dyn MailboxBackend) -> &dyn MailboxBackend {
    mailbox.as_any().downcast_ref::<FaultyMailbox>().map_or(mailbox, |faulty| &*faulty.inner)
}

/// Takes one of the remaining faults.
fn take(remaining: &AtomicU32) -> bool {
    remaining.try_update(Ordering::Relaxed, Ordering::Relaxed, |count| count.checked_sub(1)).is_ok()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
