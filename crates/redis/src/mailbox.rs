//! A mailbox on Redis.

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use redis::Value;
use redrive_core::{Span, Time};
use redrive_mailbox::{
    LeaseExtension, MailboxBackend, MailboxCounts, MailboxError, MailboxName, MailboxNumbers, MailboxSettings,
    MessageId, NackSpec, NewMessage, RawMessage, ReceiptHandle, ReceiveSpec, TokenGenerator, Verdict, check_hand_over,
    hand_over_in_steps,
};
use redrive_store::{Clock, SystemClock};
use tokio::sync::{Notify, oneshot};

use crate::answers::{ReceiveAnswer, Unreadable, array, integer, join_parts, text};
use crate::connection::Connections;
use crate::keys::MailboxKeys;
use crate::scripts::{Scripts, StoredScript};

/// A mailbox on Redis. Objects of the same name, in any process, share its messages.
#[derive(Debug)]
pub struct RedisMailbox {
    core: Arc<Core>,
    is_closed: AtomicBool,
    closed: Notify,
}

/// What outlives a dropped receive.
#[derive(Debug)]
struct Core {
    connections: Arc<Connections>,
    scripts: Arc<Scripts>,
    name: MailboxName,
    keys: MailboxKeys,
    clock_key: Option<String>,
    settings: MailboxSettings,
    tokens: TokenGenerator,
    numbers: MailboxNumbers,
    /// How long the server remembers an operation, in milliseconds.
    remembered_ms: String,
}

/// The pauses of a receive whose blocking connection fails.
const PAUSE_MIN: Duration = Duration::from_millis(10);
const PAUSE_MAX: Duration = Duration::from_secs(1);

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
        let numbers = MailboxNumbers::new(&name);
        let tokens = TokenGenerator::new();
        let core = Core { connections, scripts, name, keys, clock_key, settings, tokens, numbers, remembered_ms };
        Self { core: Arc::new(core), is_closed: AtomicBool::new(false), closed: Notify::new() }
    }

    /// Leases messages in a separate task: if this future is dropped, the messages are released.
    async fn receive_once(&self, spec: ReceiveSpec) -> Result<ReceiveAnswer, MailboxError> {
        let (tx, rx) = oneshot::channel();
        let core = Arc::clone(&self.core);
        tokio::spawn(async move {
            let answer = core.receive(spec).await.map(|answer| Unclaimed { core, answer: Some(answer) });
            // If the receiver is gone, the answer is dropped here, and releases its messages.
            drop(tx.send(answer));
        });
        let Ok(answer) = rx.await else { return Err(self.core.unavailable(&"the receive was aborted")) };
        answer?.claim().ok_or_else(|| self.core.unavailable(&"the receive has no answer"))
    }

    /// Waits until a message may be visible.
    async fn wait(&self, answer: &ReceiveAnswer, remaining: Span, pause: &mut Duration) {
        let core = &self.core;
        let slice = core.connections.settings().block_for.min(remaining.into());
        let most = answer.next_due.map_or(slice, |due| slice.min(due.since(answer.now).into()));
        let mut closed = std::pin::pin!(self.closed.notified());
        closed.as_mut().enable();
        if self.is_closed() {
            return;
        }
        tokio::select! {
            () = closed => {}
            blocked = core.connections.block_on(core.keys.wake(), most) => match blocked {
                Ok(()) => *pause = PAUSE_MIN,
                Err(error) => {
                    tracing::warn!(mailbox = %core.name, %error, retry_in = ?*pause, "blocking receive failed");
                    tokio::time::sleep((*pause).min(remaining.into())).await;
                    *pause = pause.saturating_mul(2).min(PAUSE_MAX);
                }
            }
        }
    }

    fn check_open(&self) -> Result<(), MailboxError> {
        if self.is_closed() { Err(MailboxError::Closed(self.core.name.clone())) } else { Ok(()) }
    }
}

impl Core {
    fn unavailable(&self, reason: &impl ToString) -> MailboxError {
        MailboxError::Connection { mailbox: self.name.clone(), reason: reason.to_string() }
    }

    fn unreadable(&self, _: Unreadable) -> MailboxError {
        self.unavailable(&"the answer of a script cannot be read; another version may have stored the messages")
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
        let values = self.with_handle(handle, values);
        let answer = self.call(script, &[&operation], &values).await?;
        let answer = text(answer).map_err(|error| self.unreadable(error))?;
        if answer == "expired" {
            self.numbers.expired(1);
        }
        let stale = answer == "stale";
        self.numbers.answer(if stale {
            Err(MailboxError::ReceiptHandleExpired(handle.id().clone()))
        } else {
            Ok(answer)
        })
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
                self.numbers.expired(answer.expired);
                self.numbers.orphans(answer.orphans);
                if answer.orphans > 0 {
                    tracing::warn!(mailbox = %self.name, count = answer.orphans, "removed ids without a body");
                }
            }
            Err(_) => self.numbers.receive_error(),
        }
        answer
    }

    async fn release(&self, handle: &ReceiptHandle) -> Result<(), MailboxError> {
        self.settle(&self.scripts.release, handle, &[]).await.map(|_| ())
    }
}

/// An answer that its receive has not taken yet. Dropping it releases the messages.
struct Unclaimed {
    core: Arc<Core>,
    answer: Option<ReceiveAnswer>,
}

impl Unclaimed {
    fn claim(mut self) -> Option<ReceiveAnswer> {
        self.answer.take()
    }
}

impl Drop for Unclaimed {
    fn drop(&mut self) {
        let messages = self.answer.take().map(|answer| answer.messages).unwrap_or_default();
        if messages.is_empty() {
            return;
        }
        // Without a runtime the process is ending, and the leases expire.
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        let core = Arc::clone(&self.core);
        runtime.spawn(async move {
            // In reverse, because each release goes to the head.
            for message in messages.iter().rev() {
                if let Err(error) = core.release(&message.handle).await {
                    tracing::warn!(mailbox = %core.name, id = %message.id(), %error, "release failed");
                }
            }
        });
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
        let (id, marker, accepted) = match message.id {
            Some(id) => {
                let marker = core.keys.accepted(&id);
                (id, marker, core.settings.marker_retention())
            }
            None => (core.tokens.message_id(), core.keys.operation(&core.tokens.token()), Span::ZERO),
        };
        let retention = core.settings.retention.as_micros().to_string();
        let (capacity, accepted) = (core.capacity().to_string(), accepted.as_micros().to_string());
        let values: [&[u8]; 7] = [
            id.as_str().as_bytes(),
            &message.body,
            message.reply_to.as_ref().map_or(&[], |name| name.as_str().as_bytes()),
            retention.as_bytes(),
            capacity.as_bytes(),
            core.remembered_ms.as_bytes(),
            accepted.as_bytes(),
        ];
        let answer = core.call(&core.scripts.send, &[&marker], &values).await?;
        let answer = text(answer).map_err(|error| core.unreadable(error))?;
        if answer == "full" { Err(core.full()) } else { Ok(id) }
    }

    async fn receive(&self, spec: ReceiveSpec) -> Result<Vec<RawMessage>, MailboxError> {
        spec.check()?;
        let give_up = SystemClock.monotonic().saturating_add(spec.wait);
        let mut pause = PAUSE_MIN;
        loop {
            if self.is_closed() {
                return Ok(Vec::new());
            }
            let answer = self.receive_once(spec).await?;
            if answer.is_incomplete {
                continue;
            }
            let remaining = give_up.since(SystemClock.monotonic());
            if !answer.messages.is_empty() || remaining.is_zero() {
                return Ok(answer.messages);
            }
            self.wait(&answer, remaining, &mut pause).await;
        }
    }

    async fn acknowledge(&self, handle: &ReceiptHandle) -> Result<(), MailboxError> {
        self.core.settle(&self.core.scripts.acknowledge, handle, &[]).await.map(|_| ())
    }

    async fn nack(&self, handle: &ReceiptHandle, spec: NackSpec) -> Result<(), MailboxError> {
        spec.check()?;
        let (delay, error) = (spec.delay.as_micros().to_string(), spec.bounded_error());
        let parts = join_parts(&spec.parts);
        let flag = |is_set: bool| if is_set { &b"1"[..] } else { &b"0"[..] };
        let values: [&[u8]; 6] = [
            delay.as_bytes(),
            flag(spec.charge),
            flag(error.is_some()),
            error.unwrap_or_default().as_bytes(),
            spec.verdict.map_or("", Verdict::as_str).as_bytes(),
            parts.as_bytes(),
        ];
        self.core.settle(&self.core.scripts.nack, handle, &values).await.map(|_| ())
    }

    async fn release(&self, handle: &ReceiptHandle) -> Result<(), MailboxError> {
        self.core.release(handle).await
    }

    async fn extend(&self, handle: &ReceiptHandle, extension: LeaseExtension) -> Result<Time, MailboxError> {
        extension.check()?;
        let core = &self.core;
        let operation = core.keys.operation(&core.tokens.token());
        let timeout = extension.timeout.as_micros().to_string();
        let may_shorten: &[u8] = if extension.may_shorten { b"1" } else { b"0" };
        let values = core.with_handle(handle, &[timeout.as_bytes(), may_shorten]);
        let answer = core.call(&core.scripts.extend, &[&operation], &values).await?;
        let deadline = integer(answer).map_err(|error| core.unreadable(error))?;
        let stale = deadline < 0;
        let expired = || MailboxError::ReceiptHandleExpired(handle.id().clone());
        core.numbers.answer(if stale { Err(expired()) } else { Ok(Time::from_micros(deadline)) })
    }

    /// Atomic with any mailbox of the same server. On a cluster, with the mailboxes of letters that
    /// [`RedisClient::letters`](crate::RedisClient::letters) opened for this one.
    async fn dead_letter(
        &self,
        handle: &ReceiptHandle,
        letter: NewMessage,
        to: &dyn MailboxBackend,
    ) -> Result<(), MailboxError> {
        let core = &self.core;
        let near = to.as_any().downcast_ref::<Self>().filter(|other| {
            let is_same_server = Arc::ptr_eq(&core.connections, &other.core.connections);
            is_same_server && (!core.connections.is_cluster() || core.keys.has_tag_of(&other.core.keys))
        });
        let Some(near) = near else { return hand_over_in_steps(self, handle, letter, to).await };
        let id = check_hand_over(self, &letter, near)?;
        near.check_open()?;
        let letters = &near.core;
        let (operation, accepted) = (core.keys.operation(&core.tokens.token()), letters.keys.accepted(&id));
        let more: Vec<&str> =
            letters.keys.parts().iter().map(String::as_str).chain([operation.as_str(), accepted.as_str()]).collect();
        let retention = letters.settings.retention.as_micros().to_string();
        let capacity = letters.capacity().to_string();
        let accepted_us = letters.settings.marker_retention().as_micros().to_string();
        let values: [&[u8]; 5] =
            [id.as_str().as_bytes(), &letter.body, retention.as_bytes(), capacity.as_bytes(), accepted_us.as_bytes()];
        let answer = core.call(&core.scripts.dead_letter, &more, &core.with_handle(handle, &values)).await?;
        let answer = text(answer).map_err(|error| core.unreadable(error))?;
        core.numbers.answer(match answer.as_str() {
            "stale" => Err(MailboxError::ReceiptHandleExpired(handle.id().clone())),
            "full" => Err(letters.full()),
            _ => Ok(()),
        })
    }

    async fn purge(&self) -> Result<u64, MailboxError> {
        let core = &self.core;
        let operation = core.keys.operation(&core.tokens.token());
        let answer = core.call(&core.scripts.purge, &[&operation], &[core.remembered_ms.as_bytes()]).await?;
        let count = integer(answer).map_err(|error| core.unreadable(error))?;
        u64::try_from(count).map_err(|_| core.unreadable(Unreadable))
    }

    async fn counts(&self) -> Result<MailboxCounts, MailboxError> {
        let core = &self.core;
        loop {
            let answer = core.call(&core.scripts.counts, &[], &[]).await?;
            let answer = array(answer).map_err(|error| core.unreadable(error))?;
            let numbers = answer.into_iter().map(|value| {
                let number = integer(value).map_err(|error| core.unreadable(error))?;
                u64::try_from(number).map_err(|_| core.unreadable(Unreadable))
            });
            let numbers: Vec<u64> = numbers.collect::<Result<_, _>>()?;
            let [pending, leased, delayed, expired, has_more] = *numbers else {
                return Err(core.unreadable(Unreadable));
            };
            core.numbers.expired(expired);
            if has_more == 0 {
                return Ok(MailboxCounts { pending, leased, delayed });
            }
        }
    }

    fn close(&self) {
        self.is_closed.store(true, Ordering::Release);
        self.closed.notify_waiters();
    }

    fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Acquire)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
