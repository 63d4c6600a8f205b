//! A mailbox on Redis.

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use redis::Value;
use redrive_core::{Span, Time};
use redrive_mailbox::{
    BrowseCursor, BrowsePage, HandOverSpec, InTransit, LeaseExtension, MailboxBackend, MailboxCounts, MailboxError,
    MailboxMetrics, MailboxName, MailboxSettings, MessageId, NackSpec, NewMessage, RawMessage, ReceiptHandle,
    ReceiveSpec, TokenGenerator, UnclaimedMessages, Verdict, check_browse, check_hand_over, check_visibility,
    hand_over_in_steps,
};
use redrive_store::{Clock, SystemClock};
use tokio::sync::{Notify, oneshot};

use crate::answers::{ReceiveAnswer, Unreadable, array, count, integer, join_parts, read_page, read_taken, text};
use crate::connection::{Connections, pause};
use crate::keys::MailboxKeys;
use crate::scripts::{Scripts, StoredScript};

/// The bodies of a part that is browsed end when they have this many bytes: a long answer would exceed the time for
/// answers, and blocks the server.
const BROWSED_BYTES_MAX: usize = 4 << 20;

/// A mailbox on Redis. Objects of the same name, in any process, share its messages.
#[derive(Debug)]
pub struct RedisMailbox {
    core: Arc<Core>,
}

/// What outlives a dropped receive.
#[derive(Debug)]
struct Core {
    is_closed: AtomicBool,
    closed: Notify,
    connections: Arc<Connections>,
    scripts: Arc<Scripts>,
    name: MailboxName,
    keys: MailboxKeys,
    clock_key: Option<String>,
    settings: MailboxSettings,
    tokens: TokenGenerator,
    metrics: MailboxMetrics,
    in_transit: InTransit,
    /// How long the server remembers an operation, in milliseconds.
    remembered_ms: String,
}

impl RedisMailbox {
    pub(crate) fn new(
        connections: Arc<Connections>,
        scripts: Arc<Scripts>,
        name: MailboxName,
        keys: MailboxKeys,
        settings: MailboxSettings,
    ) -> Self {
        #[cfg(feature = "manual-clock")]
        let clock_key = connections.settings().has_manual_clock.then(|| keys.clock());
        #[cfg(not(feature = "manual-clock"))]
        let clock_key = None;
        let remembered_ms = (connections.settings().remembered().as_micros() / 1000).to_string();
        let core = Core {
            is_closed: AtomicBool::new(false),
            closed: Notify::new(),
            metrics: MailboxMetrics::new(&name, &settings),
            in_transit: InTransit::default(),
            connections,
            scripts,
            name,
            keys,
            clock_key,
            settings,
            tokens: TokenGenerator::new(),
            remembered_ms,
        };
        Self { core: Arc::new(core) }
    }

    /// Another reference to this object.
    fn share(&self) -> Arc<dyn MailboxBackend> {
        Arc::new(Self { core: Arc::clone(&self.core) })
    }

    /// The other mailbox, if one script can change both.
    fn near<'a>(&self, to: &'a dyn MailboxBackend) -> Option<&'a Self> {
        let core = &self.core;
        to.as_any().downcast_ref::<Self>().filter(|other| {
            let is_same_server = Arc::ptr_eq(&core.connections, &other.core.connections);
            is_same_server && (!core.connections.is_cluster() || core.keys.has_tag_of(&other.core.keys))
        })
    }

    /// Leases messages in a separate task: if this future is dropped, the messages are released.
    async fn receive_once(&self, spec: ReceiveSpec) -> Result<ReceiveAnswer, MailboxError> {
        let (tx, rx) = oneshot::channel();
        let (core, mailbox) = (Arc::clone(&self.core), self.share());
        let in_transit = core.in_transit.enter();
        tokio::spawn(async move {
            let _in_transit = in_transit;
            let answer = core.receive(spec).await.map(|mut answer| {
                let messages = std::mem::take(&mut answer.messages);
                (answer, UnclaimedMessages::new(mailbox, messages))
            });
            // If the receiver is gone, the messages are dropped here, which releases them.
            drop(tx.send(answer));
        });
        let Ok(answer) = rx.await else { return Err(self.core.unavailable(&"the receive was aborted")) };
        let (answer, unclaimed) = answer?;
        Ok(ReceiveAnswer { messages: unclaimed.claim(), ..answer })
    }

    /// Receives messages, regardless of whether the mailbox is closed.
    async fn receive_open(&self, spec: ReceiveSpec) -> Result<Vec<RawMessage>, MailboxError> {
        let give_up = SystemClock.monotonic().saturating_add(spec.wait);
        let mut failed = 0;
        loop {
            let answer = self.receive_once(spec).await?;
            if answer.is_incomplete {
                continue;
            }
            let remaining = give_up.since(SystemClock.monotonic());
            if !answer.messages.is_empty() || remaining.is_zero() {
                return Ok(answer.messages);
            }
            self.wait(&answer, remaining, &mut failed).await;
        }
    }

    /// Waits until a message may be visible. `failed` counts the waits in a row that failed.
    async fn wait(&self, answer: &ReceiveAnswer, remaining: Span, failed: &mut u32) {
        let core = &self.core;
        let slice = core.connections.settings().block_for.min(remaining.into());
        let most = answer.next_due.map_or(slice, |due| slice.min(due.since(answer.now).into()));
        match core.connections.block_on(core.keys.wake(), most).await {
            Ok(()) => *failed = 0,
            Err(error) => {
                core.metrics.blocking_error();
                *failed = failed.saturating_add(1);
                let pause = pause(*failed);
                tracing::warn!(mailbox = %core.name, %error, retry_in = ?pause, "blocking receive failed");
                tokio::time::sleep(pause.min(remaining.into())).await;
            }
        }
    }

    /// Waits until the mailbox is closed.
    async fn closed(&self) {
        let mut closed = std::pin::pin!(self.core.closed.notified());
        // Registered before the check: a close after it is not missed.
        closed.as_mut().enable();
        if !self.is_closed() {
            closed.await;
        }
    }
}

impl Core {
    fn unavailable(&self, reason: &impl ToString) -> MailboxError {
        MailboxError::Connection { mailbox: self.name.clone(), reason: reason.to_string() }
    }

    fn unreadable(&self, _: Unreadable) -> MailboxError {
        self.unavailable(&"the answer of a script cannot be read; another version may have stored the messages")
    }

    /// Calls a script that adds a message to this mailbox, or to the mailbox of letters whose core is `to`.
    async fn call_to_add(
        &self,
        script: &StoredScript,
        more: &[&str],
        values: &[&[u8]],
        to: &Self,
    ) -> Result<String, MailboxError> {
        loop {
            let answer = self.call(script, more, values).await?;
            let answer = array(answer).and_then(|answer| <[Value; 2]>::try_from(answer).map_err(|_| Unreadable));
            let (answer, expired) = answer
                .and_then(|[answer, expired]| Ok((text(answer)?, count(expired)?)))
                .map_err(|error| self.unreadable(error))?;
            to.metrics.expired(expired);
            match answer.as_str() {
                "again" => {}
                "full" => return Err(to.full()),
                _ => return Ok(answer),
            }
        }
    }

    fn full(&self) -> MailboxError {
        MailboxError::Full { mailbox: self.name.clone(), capacity: self.capacity() }
    }

    fn capacity(&self) -> u64 {
        self.settings.capacity.map_or(0, std::num::NonZero::get)
    }

    /// Calls a script with the keys of this mailbox and further ones.
    async fn call(&self, script: &StoredScript, more: &[&str], values: &[&[u8]]) -> Result<Value, MailboxError> {
        let parts = self.keys.parts().iter().map(String::as_str);
        let keys: Vec<&str> = parts.chain(more.iter().copied()).chain(self.clock_key.as_deref()).collect();
        self.connections.call(script, &keys, values).await.map_err(|error| self.unavailable(&error))
    }

    /// Calls a script that settles a delivery, and returns its answer unless the handle is stale.
    async fn settle(
        &self,
        script: &StoredScript,
        handle: &ReceiptHandle,
        values: &[&[u8]],
    ) -> Result<String, MailboxError> {
        let operation = self.keys.operation(&self.tokens.token());
        let answer = self.call(script, &[&operation], &self.with_handle(handle, values)).await?;
        let answer = text(answer).map_err(|error| self.unreadable(error))?;
        if answer == "expired" {
            self.metrics.expired(1);
        }
        self.metrics.answer(if answer == "stale" { Err(MailboxError::stale(handle)) } else { Ok(answer) })
    }

    /// Calls a script that changes a lease, and returns the deadline.
    async fn lease(
        &self,
        script: &StoredScript,
        handle: &ReceiptHandle,
        values: &[&[u8]],
    ) -> Result<Time, MailboxError> {
        let operation = self.keys.operation(&self.tokens.token());
        let answer = self.call(script, &[&operation], &self.with_handle(handle, values)).await?;
        let deadline = integer(answer).map_err(|error| self.unreadable(error))?;
        let is_stale = deadline < 0;
        self.metrics.answer(if is_stale { Err(MailboxError::stale(handle)) } else { Ok(Time::from_micros(deadline)) })
    }

    async fn take(&self, id: &MessageId, visibility: Span) -> Result<Option<RawMessage>, MailboxError> {
        let nonce = self.tokens.token();
        let operation = self.keys.operation(&nonce);
        let visibility = visibility.as_micros().to_string();
        let values = [id.as_str().as_bytes(), visibility.as_bytes(), nonce.as_bytes(), self.remembered_ms.as_bytes()];
        match self.call(&self.scripts.take, &[&operation], &values).await? {
            Value::Nil => Ok(None),
            taken => read_taken(taken, &nonce).map(Some).map_err(|error| self.unreadable(error)),
        }
    }

    fn with_handle<'a>(&'a self, handle: &'a ReceiptHandle, values: &[&'a [u8]]) -> Vec<&'a [u8]> {
        let head = [handle.id().as_str().as_bytes(), handle.nonce().as_bytes(), self.remembered_ms.as_bytes()];
        head.into_iter().chain(values.iter().copied()).collect()
    }

    async fn receive(&self, spec: ReceiveSpec) -> Result<ReceiveAnswer, MailboxError> {
        let nonce = self.tokens.token();
        let operation = self.keys.operation(&nonce);
        let (most, visibility) = (spec.max_messages.to_string(), spec.visibility.as_micros().to_string());
        let values = [most.as_bytes(), visibility.as_bytes(), nonce.as_bytes(), self.remembered_ms.as_bytes()];
        let received = self.call(&self.scripts.receive, &[&operation], &values).await;
        let answer = match received {
            Ok(value) => ReceiveAnswer::read(value, &nonce).map_err(|error| self.unreadable(error)),
            Err(error) => Err(error),
        };
        match &answer {
            Ok(answer) => {
                self.metrics.expired(answer.expired);
                self.metrics.orphans(answer.orphans);
                if answer.orphans > 0 {
                    tracing::warn!(mailbox = %self.name, count = answer.orphans, "removed ids without a body");
                }
            }
            Err(_) => self.metrics.receive_error(),
        }
        answer
    }
}

#[async_trait]
impl MailboxBackend for RedisMailbox {
    fn name(&self) -> &MailboxName {
        &self.core.name
    }

    fn settings(&self) -> &MailboxSettings {
        &self.core.settings
    }

    async fn send(&self, message: NewMessage) -> Result<MessageId, MailboxError> {
        self.check_open()?;
        let core = &self.core;
        core.settings.check_body(&message.body)?;
        let (id, accepted_key) = match message.id {
            Some(id) => {
                let key = core.keys.accepted(&id);
                (id, Some(key))
            }
            None => (core.tokens.message_id(), None),
        };
        let accepted = accepted_key.as_ref().map_or(Span::ZERO, |_| core.settings.marker_retention());
        let operation = core.keys.operation(&core.tokens.token());
        let keys: Vec<&str> = std::iter::once(operation.as_str()).chain(accepted_key.as_deref()).collect();
        let retention = core.settings.retention.as_micros().to_string();
        let (capacity, accepted) = (core.capacity().to_string(), accepted.as_micros().to_string());
        let values: [&[u8]; 7] = [
            id.as_str().as_bytes(),
            &message.body,
            bytes_of(message.reply_to.as_ref()),
            retention.as_bytes(),
            capacity.as_bytes(),
            core.remembered_ms.as_bytes(),
            accepted.as_bytes(),
        ];
        core.call_to_add(&core.scripts.send, &keys, &values, core).await.map(|_| id)
    }

    async fn receive(&self, spec: ReceiveSpec) -> Result<Vec<RawMessage>, MailboxError> {
        spec.check()?;
        tokio::select! {
            biased;
            () = self.closed() => Ok(Vec::new()),
            received = self.receive_open(spec) => received,
        }
    }

    async fn acknowledge(&self, handle: &ReceiptHandle) -> Result<(), MailboxError> {
        self.core.settle(&self.core.scripts.acknowledge, handle, &[]).await.map(|_| ())
    }

    async fn nack(&self, handle: &ReceiptHandle, spec: NackSpec) -> Result<(), MailboxError> {
        spec.check()?;
        let (delay, error) = (spec.delay.as_micros().to_string(), spec.bounded_error());
        let (parts, verdict) = (join_parts(&spec.parts), spec.verdict.as_ref().map_or(String::new(), Verdict::to_wire));
        let flag = |is_set: bool| if is_set { &b"1"[..] } else { &b"0"[..] };
        let values: [&[u8]; 6] = [
            delay.as_bytes(),
            flag(spec.charge),
            flag(error.is_some()),
            error.unwrap_or_default().as_bytes(),
            verdict.as_bytes(),
            parts.as_bytes(),
        ];
        self.core.settle(&self.core.scripts.nack, handle, &values).await.map(|_| ())
    }

    async fn release(&self, handle: &ReceiptHandle) -> Result<(), MailboxError> {
        self.core.settle(&self.core.scripts.release, handle, &[]).await.map(|_| ())
    }

    async fn extend(&self, handle: &ReceiptHandle, extension: LeaseExtension) -> Result<Time, MailboxError> {
        extension.check()?;
        let timeout = extension.timeout.as_micros().to_string();
        let may_shorten: &[u8] = if extension.may_shorten { b"1" } else { b"0" };
        self.core.lease(&self.core.scripts.extend, handle, &[timeout.as_bytes(), may_shorten]).await
    }

    async fn begin_hand_over(&self, handle: &ReceiptHandle, spec: HandOverSpec) -> Result<Time, MailboxError> {
        spec.check()?;
        let (lease, verdict) = (spec.lease.as_micros().to_string(), spec.verdict.to_wire());
        let values = [lease.as_bytes(), spec.bounded_error().as_bytes(), verdict.as_bytes()];
        self.core.lease(&self.core.scripts.begin_hand_over, handle, &values).await
    }

    /// Atomic with any mailbox of the same server. On a cluster, with the mailboxes of letters that
    /// [`RedisClient::letters`](crate::RedisClient::letters) opened for this one.
    fn is_atomic_with(&self, to: &dyn MailboxBackend) -> bool {
        self.near(to).is_some()
    }

    async fn dead_letter(
        &self,
        handle: &ReceiptHandle,
        letter: NewMessage,
        to: &dyn MailboxBackend,
    ) -> Result<(), MailboxError> {
        let core = &self.core;
        let Some(near) = self.near(to) else { return hand_over_in_steps(self, handle, letter, to).await };
        let id = check_hand_over(self, &letter, near)?;
        near.check_open()?;
        let letters = &near.core;
        let (operation, accepted) = (core.keys.operation(&core.tokens.token()), letters.keys.accepted(&id));
        let more: Vec<&str> =
            letters.keys.parts().iter().map(String::as_str).chain([operation.as_str(), accepted.as_str()]).collect();
        let retention = letters.settings.retention.as_micros().to_string();
        let capacity = letters.capacity().to_string();
        let accepted_us = letters.settings.marker_retention().as_micros().to_string();
        let values: [&[u8]; 6] = [
            id.as_str().as_bytes(),
            &letter.body,
            bytes_of(letter.reply_to.as_ref()),
            retention.as_bytes(),
            capacity.as_bytes(),
            accepted_us.as_bytes(),
        ];
        let values = core.with_handle(handle, &values);
        let answer = core.call_to_add(&core.scripts.dead_letter, &more, &values, letters).await?;
        core.metrics.answer(if answer == "stale" { Err(MailboxError::stale(handle)) } else { Ok(()) })
    }

    /// The cursor is the server's.
    async fn browse(&self, from: Option<&BrowseCursor>, most: u32) -> Result<BrowsePage, MailboxError> {
        check_browse(most)?;
        let core = &self.core;
        let cursor = from.map_or("0", |BrowseCursor(cursor)| cursor);
        if cursor.parse::<u64>().is_err() {
            let (value, allowed) = (cursor.to_owned(), "cursors of this backend".to_owned());
            return Err(MailboxError::InvalidParameter { parameter: "cursor", value, allowed });
        }
        let (most, bytes_max) = (most.to_string(), BROWSED_BYTES_MAX.to_string());
        let values = [cursor.as_bytes(), most.as_bytes(), bytes_max.as_bytes()];
        let answer = core.call(&core.scripts.browse, &[], &values).await?;
        read_page(answer).map_err(|error| core.unreadable(error))
    }

    /// In a separate task, as a receive: if this future is dropped, the message is released.
    async fn take(&self, id: &MessageId, visibility: Span) -> Result<Option<RawMessage>, MailboxError> {
        check_visibility(visibility)?;
        let (tx, rx) = oneshot::channel();
        let (core, mailbox, id) = (Arc::clone(&self.core), self.share(), id.clone());
        let in_transit = core.in_transit.enter();
        tokio::spawn(async move {
            let _in_transit = in_transit;
            let taken = core.take(&id, visibility).await;
            drop(tx.send(taken.map(|taken| UnclaimedMessages::new(mailbox, taken.into_iter().collect()))));
        });
        let Ok(taken) = rx.await else { return Err(self.core.unavailable(&"the take was aborted")) };
        Ok(taken?.claim().pop())
    }

    async fn purge(&self) -> Result<u64, MailboxError> {
        let core = &self.core;
        let operation = core.keys.operation(&core.tokens.token());
        let answer = core.call(&core.scripts.purge, &[&operation], &[core.remembered_ms.as_bytes()]).await?;
        count(answer).map_err(|error| core.unreadable(error))
    }

    async fn counts(&self) -> Result<MailboxCounts, MailboxError> {
        let core = &self.core;
        loop {
            let answer = core.call(&core.scripts.counts, &[], &[]).await?;
            let answer = array(answer).map_err(|error| core.unreadable(error))?;
            let numbers = answer.into_iter().map(count).collect::<Result<Vec<_>, _>>();
            let numbers = numbers.and_then(|numbers| <[u64; 5]>::try_from(numbers).map_err(|_| Unreadable));
            let [pending, leased, delayed, expired, has_more] = numbers.map_err(|error| core.unreadable(error))?;
            core.metrics.expired(expired);
            if has_more == 0 {
                return Ok(MailboxCounts { pending, leased, delayed });
            }
        }
    }

    fn in_transit(&self) -> &InTransit {
        &self.core.in_transit
    }

    fn close(&self) {
        self.core.is_closed.store(true, Ordering::Release);
        self.core.closed.notify_waiters();
    }

    fn is_closed(&self) -> bool {
        self.core.is_closed.load(Ordering::Acquire)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// The name of a reply mailbox as an argument of a script.
fn bytes_of(reply_to: Option<&MailboxName>) -> &[u8] {
    reply_to.map_or(&[], |name| name.as_str().as_bytes())
}
