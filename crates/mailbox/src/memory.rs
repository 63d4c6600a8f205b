//! Mailboxes in the memory of the process: the state machine behind a lock.

use std::any::Any;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::future::pending;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use async_trait::async_trait;
use redrive_core::{Span, Time};
use redrive_store::Clock;
use tokio::sync::Notify;

use crate::hand_over::{check_hand_over, hand_over_in_steps};
use crate::machine::{Machine, MachineError, Submission};
use crate::{
    BrowseCursor, BrowsePage, HandOverSpec, InTransit, LeaseExtension, MailboxBackend, MailboxCounts, MailboxError,
    MailboxMetrics, MailboxName, MailboxSettings, MessageId, NackSpec, NewMessage, RawMessage, ReceiptHandle,
    ReceiveSpec, TokenGenerator, check_browse, check_visibility,
};

/// The mailboxes of a process, by name. Clones share them.
#[derive(Debug, Clone)]
pub struct MemoryMailboxes {
    clock: Arc<dyn Clock>,
    cores: Arc<Mutex<Cores>>,
}

/// The mailboxes that are open or hold something.
#[derive(Debug, Default)]
struct Cores {
    by_name: HashMap<MailboxName, Arc<MemoryCore>>,
    /// The number of mailboxes at which those that hold nothing are removed.
    prune_at: usize,
}

/// The least number of mailboxes at which those that hold nothing are removed.
const PRUNE_AT_MIN: usize = 64;

impl Cores {
    /// Removes the mailboxes without an object, a message or a remembered id. Each call doubles the number at which it
    /// is needed again, so that it costs little for each mailbox.
    fn prune(&mut self) {
        self.by_name.retain(|_, core| Arc::strong_count(core) > 1 || !core.apply(Machine::is_empty));
        self.prune_at = self.by_name.len().saturating_mul(2).max(PRUNE_AT_MIN);
    }
}

impl MemoryMailboxes {
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self { clock, cores: Arc::default() }
    }

    /// Opens the mailbox of this name, or creates it with these settings. Every call returns a separate object of the
    /// same mailbox, which is closed separately.
    pub fn open(&self, name: MailboxName, settings: MailboxSettings) -> Arc<MemoryMailbox> {
        let mut cores = self.cores.lock().unwrap_or_else(PoisonError::into_inner);
        if cores.by_name.len() >= cores.prune_at {
            cores.prune();
        }
        let core = match cores.by_name.entry(name) {
            Entry::Occupied(existing) => Arc::clone(existing.get()),
            Entry::Vacant(vacant) => {
                let core = MemoryCore::new(vacant.key().clone(), settings, Arc::clone(&self.clock));
                Arc::clone(vacant.insert(core))
            }
        };
        Arc::new(MemoryMailbox { core, is_closed: AtomicBool::new(false), in_transit: InTransit::default() })
    }
}

/// What all objects of a mailbox share.
#[derive(Debug)]
struct MemoryCore {
    name: MailboxName,
    settings: MailboxSettings,
    clock: Arc<dyn Clock>,
    machine: Mutex<Machine>,
    /// One notification for each message that became visible; all waiters are notified if a timer has to be set anew.
    changed: Notify,
    tokens: TokenGenerator,
    metrics: MailboxMetrics,
}

impl MemoryCore {
    fn new(name: MailboxName, settings: MailboxSettings, clock: Arc<dyn Clock>) -> Arc<Self> {
        let core = Arc::new(Self {
            machine: Mutex::new(Machine::new(settings.clone())),
            changed: Notify::new(),
            tokens: TokenGenerator::new(),
            metrics: MailboxMetrics::new(&name, &settings),
            name,
            settings,
            clock,
        });
        let weak: Weak<Self> = Arc::downgrade(&core);
        core.clock.on_move(Arc::new(move || {
            if let Some(core) = weak.upgrade() {
                core.changed.notify_waiters();
            }
        }));
        core
    }

    // A poisoned lock is ignored: the machine has no operation that panics half-way.
    fn machine(&self) -> MutexGuard<'_, Machine> {
        self.machine.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Applies an operation, and wakes the receives that it concerns.
    fn apply<T>(&self, operation: impl FnOnce(&mut Machine, Time) -> T) -> T {
        self.apply_locked(&mut self.machine(), |machine| operation(machine, self.clock.now()))
    }

    fn apply_locked<T>(&self, machine: &mut Machine, operation: impl FnOnce(&mut Machine) -> T) -> T {
        let due = machine.next_due();
        let answer = operation(machine);
        self.metrics.expired(machine.take_expired());
        // A waiting receive sleeps until the time that was next when it began to wait.
        if machine.next_due().is_some_and(|next| due.is_none_or(|due| next < due)) {
            self.changed.notify_waiters();
        }
        if machine.has_pending() {
            self.changed.notify_one();
        }
        answer
    }

    fn error(&self, error: &MachineError, id: &MessageId) -> MailboxError {
        match error {
            MachineError::Stale => MailboxError::ReceiptHandleExpired(id.clone()),
            MachineError::Full => {
                let capacity = self.settings.capacity.map_or(u64::MAX, std::num::NonZero::get);
                MailboxError::Full { mailbox: self.name.clone(), capacity }
            }
        }
    }

    /// Applies an operation on a leased message.
    fn settle<T>(
        &self,
        handle: &ReceiptHandle,
        operation: impl FnOnce(&mut Machine, Time) -> Result<T, MachineError>,
    ) -> Result<T, MailboxError> {
        let answer = self.apply(operation).map_err(|error| self.error(&error, handle.id()));
        self.metrics.answer(answer)
    }

    fn submission(&self, message: NewMessage) -> Submission {
        Submission {
            is_explicit: message.id.is_some(),
            id: message.id.unwrap_or_else(|| self.tokens.message_id()),
            body: message.body,
            reply_to: message.reply_to.map(|name| name.to_arc()),
        }
    }
}

/// A mailbox in memory. Its messages are lost when the process ends.
#[derive(Debug)]
pub struct MemoryMailbox {
    core: Arc<MemoryCore>,
    is_closed: AtomicBool,
    in_transit: InTransit,
}

impl MemoryMailbox {
    /// What is stored, except the memory of accepted ids.
    #[cfg(feature = "conformance")]
    pub fn stored(&self) -> Vec<String> {
        self.core.machine().stored()
    }

    /// The bodies of all messages, in any order.
    #[cfg(feature = "conformance")]
    pub fn bodies(&self) -> Vec<bytes::Bytes> {
        self.core.machine().bodies().cloned().collect()
    }
}

#[async_trait]
impl MailboxBackend for MemoryMailbox {
    fn name(&self) -> &MailboxName {
        &self.core.name
    }

    fn settings(&self) -> &MailboxSettings {
        &self.core.settings
    }

    async fn send(&self, message: NewMessage) -> Result<MessageId, MailboxError> {
        self.check_open()?;
        self.core.settings.check_body(&message.body)?;
        let submission = self.core.submission(message);
        let id = submission.id.clone();
        let sent = self.core.apply(|machine, now| machine.send(now, submission));
        sent.map_err(|error| self.core.error(&error, &id)).map(|()| id)
    }

    /// There is no await point between the lease and the return, so that a dropped receive holds no message.
    async fn receive(&self, spec: ReceiveSpec) -> Result<Vec<RawMessage>, MailboxError> {
        spec.check()?;
        let core = &self.core;
        let begin = core.clock.monotonic();
        let give_up = begin.saturating_add(spec.wait);
        loop {
            let mut changed = std::pin::pin!(core.changed.notified());
            // Registered before the check: what changes after it wakes this receive.
            if !spec.wait.is_zero() {
                changed.as_mut().enable();
            }
            if self.is_closed() {
                return Ok(Vec::new());
            }
            let nonce = core.tokens.token();
            let (received, due) = core.apply(|machine, now| {
                (machine.receive(now, spec.max_messages, spec.visibility, &nonce), machine.next_due())
            });
            if !received.is_empty() || core.clock.monotonic() >= give_up {
                return Ok(received);
            }
            let until_due = due.and_then(|due| core.clock.until(due));
            let until_end = core.clock.until_monotonic(give_up);
            tokio::select! {
                () = changed => {}
                () = sleep(until_due) => {}
                () = sleep(until_end) => {}
            }
        }
    }

    async fn acknowledge(&self, handle: &ReceiptHandle) -> Result<(), MailboxError> {
        self.core.settle(handle, |machine, now| machine.acknowledge(now, handle))
    }

    async fn nack(&self, handle: &ReceiptHandle, spec: NackSpec) -> Result<(), MailboxError> {
        spec.check()?;
        self.core.settle(handle, |machine, now| machine.nack(now, handle, &spec))
    }

    async fn release(&self, handle: &ReceiptHandle) -> Result<(), MailboxError> {
        self.core.settle(handle, |machine, now| machine.release(now, handle))
    }

    async fn extend(&self, handle: &ReceiptHandle, extension: LeaseExtension) -> Result<Time, MailboxError> {
        extension.check()?;
        self.core.settle(handle, |machine, now| machine.extend(now, handle, extension))
    }

    async fn begin_hand_over(&self, handle: &ReceiptHandle, spec: HandOverSpec) -> Result<Time, MailboxError> {
        spec.check()?;
        self.core.settle(handle, |machine, now| machine.begin_hand_over(now, handle, &spec))
    }

    fn is_atomic_with(&self, to: &dyn MailboxBackend) -> bool {
        to.as_any().is::<Self>()
    }

    async fn dead_letter(
        &self,
        handle: &ReceiptHandle,
        letter: NewMessage,
        to: &dyn MailboxBackend,
    ) -> Result<(), MailboxError> {
        let Some(to) = to.as_any().downcast_ref::<Self>() else {
            return hand_over_in_steps(self, handle, letter, to).await;
        };
        check_hand_over(self, &letter, to)?;
        to.check_open()?;
        let letter = to.core.submission(letter);
        let letter_id = letter.id.clone();
        // Both locks, in the order of the names, so that two hand-overs in opposite directions cannot block each other.
        let (mut source, mut target);
        if self.core.name < to.core.name {
            source = self.core.machine();
            target = to.core.machine();
        } else {
            target = to.core.machine();
            source = self.core.machine();
        }
        // One time for all steps: the lease must not end between two of them.
        let now = self.core.clock.now();
        let stale = self.core.apply_locked(&mut source, |machine| machine.check(now, handle));
        self.core.metrics.answer(stale.map_err(|error| self.core.error(&error, handle.id())))?;
        let sent = to.core.apply_locked(&mut target, |machine| machine.send(now, letter));
        sent.map_err(|error| to.core.error(&error, &letter_id))?;
        let acknowledged = self.core.apply_locked(&mut source, |machine| machine.acknowledge(now, handle));
        acknowledged.map_err(|error| self.core.error(&error, handle.id()))
    }

    /// The cursor is the number of the first message of the next part.
    async fn browse(&self, from: Option<&BrowseCursor>, most: u32) -> Result<BrowsePage, MailboxError> {
        check_browse(most)?;
        let from = from.map_or(Ok(0), |BrowseCursor(cursor)| {
            cursor.parse().map_err(|_| MailboxError::invalid("cursor", cursor, "cursors of this backend"))
        })?;
        let (messages, next) = self.core.apply(|machine, now| machine.browse(now, from, most as usize));
        Ok(BrowsePage { messages, next: next.map(|next| BrowseCursor(next.to_string())) })
    }

    async fn take(&self, id: &MessageId, visibility: Span) -> Result<Option<RawMessage>, MailboxError> {
        check_visibility(visibility)?;
        let nonce = self.core.tokens.token();
        Ok(self.core.apply(|machine, now| machine.take(now, id, visibility, &nonce)))
    }

    async fn purge(&self) -> Result<u64, MailboxError> {
        Ok(self.core.apply(Machine::purge))
    }

    async fn counts(&self) -> Result<MailboxCounts, MailboxError> {
        Ok(self.core.apply(Machine::counts))
    }

    fn in_transit(&self) -> &InTransit {
        &self.in_transit
    }

    fn close(&self) {
        self.is_closed.store(true, Ordering::Release);
        self.core.changed.notify_waiters();
    }

    fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Acquire)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Sleeps for this time, or forever if the clock only moves when it is set.
async fn sleep(time: Option<Duration>) {
    match time {
        Some(time) => tokio::time::sleep(time).await,
        None => pending().await,
    }
}
