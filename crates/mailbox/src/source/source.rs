//! A mailbox as a source of work.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::future::join_all;
use redrive_core::{AttemptLimit, Failure, Span, Time};
use redrive_model::{Content, Origin};
use redrive_run::{
    ClaimSpec, DeadQueue, Delivery, FinishedDelivery, Resolution, SettleError, Source, SourceError, Work, WorkId,
};
use redrive_store::Clock;

use super::LetterDestination;
use super::claim::{ClaimedMessage, MailboxClaim, Settling};
use super::source_message::transport;
use crate::body_check::{BodyCheck, BodyIds};
use crate::decode::encode;
use crate::heartbeat::Heartbeat;
use crate::metrics::{DECODE_ERRORS, count, count_lease_extension};
use crate::terminal_reply::{FailureReply, reply_once};
use crate::{
    DeadLetter, LeaseExtension, MailboxBackend, MailboxError, NackSpec, RawMessage, ReceiveSpec, ReplyResolver,
    UnclaimedMessages, Verdict,
};

/// How long one receive waits before it is repeated.
const WAIT: Span = Span::from_hours(1);

/// The delay after a reply that was rejected, multiplied by the number of the attempt.
const REPLY_DELAY: Span = Span::from_secs(60);
const REPLY_DELAY_MAX: Span = Span::from_secs(900);

/// The attempt limit unless [`MailboxSource::limited_to`] sets another one.
const ATTEMPTS_MAX: u32 = 5;

/// A source of the messages of a mailbox. Work that fails permanently becomes a [`DeadLetter`] in another mailbox,
/// atomically if both are on the same backend, or a letter of a [dead queue](Self::with_dead_queue).
///
/// The work of a mailbox has one destination: its name, unless [`to`](Self::to) sets another one. A result of the
/// handler is sent to the message's `reply_to`, which a [resolver](Self::replying_through) finds. A message whose reply
/// is rejected is returned with a delay, and charged.
pub struct MailboxSource {
    name: Arc<str>,
    pub(super) mailbox: Arc<dyn MailboxBackend>,
    pub(super) letters: Option<LetterDestination>,
    /// Length of the claims. Zero receives without a lease, and leases each message in a second step for as long as an
    /// extension: every delivery counts twice.
    pub(crate) lease: Span,
    /// Length of an extended lease.
    pub(crate) extension: Span,
    /// How long one receive waits.
    pub(crate) wait: Span,
    pub(super) clock: Arc<dyn Clock>,
    limit: AttemptLimit,
    destination: Arc<str>,
    pub(super) resolver: ReplyResolver,
    /// The last reply about work that failed permanently, sent when its letter is durable.
    pub(crate) failure_reply: Option<FailureReply>,
    /// Decodes bodies. A message whose body cannot be decoded fails without an attempt, with the kind
    /// `serialization.body`.
    pub(crate) check: Option<BodyCheck>,
    /// Beats after each receive.
    pub(crate) heartbeat: Option<Heartbeat>,
    /// Whether the last receive failed.
    has_failed: AtomicBool,
}

impl MailboxSource {
    /// `lease` is the length of the claims; a holder that works longer extends them. `clock` is the clock of the
    /// runner, from whose times the delays are computed.
    ///
    /// # Errors
    ///
    /// `InvalidParameter` if the lease is zero or longer than 12 h, both mailboxes are the same, or the mailbox of
    /// letters does not accept a letter about the largest message.
    pub fn new(
        mailbox: Arc<dyn MailboxBackend>,
        letters: Arc<dyn MailboxBackend>,
        lease: Span,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, MailboxError> {
        let source = Self::without_letters(mailbox, lease, clock)?;
        let mailbox = &source.mailbox;
        if mailbox.name() == letters.name() {
            let allowed = "mailboxes other than the source";
            return Err(MailboxError::invalid("mailbox of letters", &format!("'{}'", letters.name()), allowed));
        }
        let letter_bytes = DeadLetter::bytes_max(mailbox.settings().body_bytes_max);
        if letters.settings().body_bytes_max < letter_bytes {
            let found = letters.settings().body_bytes_max;
            let allowed = format!("at least {letter_bytes}, for letters about the largest messages of the source");
            return Err(MailboxError::invalid("body_bytes_max of the mailbox of letters", &found, allowed));
        }
        Ok(Self { letters: Some(LetterDestination::Mailbox(letters)), limit: default_limit(), ..source })
    }

    /// A source whose messages become letters of a dead queue when they fail permanently. The letter is durable before
    /// the message is deleted, and a message becomes one letter however often that is repeated. A message that the dead
    /// queue [handed back](crate::MailboxHandBack) and that fails again belongs to the same letter.
    ///
    /// # Errors
    ///
    /// `InvalidParameter` if the lease is zero or longer than 12 h.
    pub fn with_dead_queue(
        mailbox: Arc<dyn MailboxBackend>,
        letters: DeadQueue,
        lease: Span,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, MailboxError> {
        let source = Self::without_letters(mailbox, lease, clock)?;
        Ok(Self { letters: Some(LetterDestination::DeadQueue(Box::new(letters))), limit: default_limit(), ..source })
    }

    /// A source whose messages have no dead letters: they are retried without limit, and a decision to dead-letter one
    /// returns it with a delay.
    ///
    /// # Errors
    ///
    /// `InvalidParameter` if the lease is zero or longer than 12 h.
    pub fn without_letters(
        mailbox: Arc<dyn MailboxBackend>,
        lease: Span,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, MailboxError> {
        LeaseExtension::to(lease).check()?;
        if lease.is_zero() {
            return Err(MailboxError::invalid("lease", &lease, "leases longer than 0s"));
        }
        let name = mailbox.name().to_arc();
        Ok(Self {
            destination: Arc::clone(&name),
            name,
            mailbox,
            letters: None,
            lease,
            extension: lease,
            wait: WAIT,
            clock,
            limit: AttemptLimit::Unlimited,
            resolver: ReplyResolver::default(),
            failure_reply: None,
            check: None,
            heartbeat: None,
            has_failed: AtomicBool::new(false),
        })
    }

    /// Sets the destination, for several mailboxes whose handlers call the same one.
    #[must_use]
    pub fn to(mut self, destination: impl Into<Arc<str>>) -> Self {
        self.destination = destination.into();
        self
    }

    /// Sets the attempt limit, which also holds for messages that crash their holder. Default: 5.
    #[must_use]
    pub const fn limited_to(mut self, limit: AttemptLimit) -> Self {
        self.limit = limit;
        self
    }

    /// Sets the mailboxes that messages may name as `reply_to`. Default: none. A message whose `reply_to` cannot be
    /// resolved fails without an attempt.
    #[must_use]
    pub fn replying_through(mut self, resolver: ReplyResolver) -> Self {
        self.resolver = resolver;
        self
    }

    /// For a handler that takes any body, such as a target: reads `request_id` and `trace_id` of bodies that are JSON
    /// objects with these fields, and sends the last reply about work that failed permanently as
    /// `{"request_id": …, "error": …}`.
    #[must_use]
    pub fn for_any_body(mut self) -> Self {
        self.check = Some(Arc::new(|body| Ok(BodyIds::read(body))));
        self.failure_reply = Some(Arc::new(|failed| encode(&failed)));
        self
    }

    /// `unrun` is why the handler does not run.
    fn delivery(&self, message: RawMessage, ids: BodyIds, unrun: Option<Failure>) -> Delivery<MailboxClaim> {
        // By the clock of the runner: that of the backend may be another.
        let deadline = self.clock.now().saturating_add(message.lease);
        let id = message.id().to_string();
        let origin = Origin {
            transport: transport(),
            name: Arc::clone(&self.name),
            timestamp: Some(message.enqueued_at),
            message_id: Some(id.clone()),
            ..Origin::default()
        };
        let (source, destination) = (Arc::clone(&self.name), Arc::clone(&self.destination));
        let content = Arc::new(Content::of_payload(message.body.clone()));
        let work = Work {
            origin,
            attempt: message.attempt(),
            deliveries: message.delivery_count,
            parts: message.parts.clone(),
            reply_to: message.reply_to.as_deref().map(str::to_owned),
            trace_id: ids.trace_id.clone(),
            request_id: ids.request_id.clone(),
            ..Work::new(WorkId::Own(id.into()), source, destination, content, message.enqueued_at)
        };
        Delivery {
            is_hand_over_only: matches!(message.verdict, Some(Verdict::Failed { .. })),
            unrun: unrun.map(Box::new),
            ..Delivery::new(MailboxClaim::new(message, ids, deadline), Arc::new(work), Some(deadline))
        }
    }

    /// Decodes the body and resolves the reply mailbox. Returns the ids in the body, and why the handler does not run.
    async fn check(&self, message: &RawMessage) -> (BodyIds, Option<Failure>) {
        let checked = self.check.as_ref().map(|check| check(&message.body));
        let (mut ids, undecodable) = match checked {
            None => return (BodyIds::default(), self.unresolved_reply(message).await),
            Some(Ok(ids)) => (ids, None),
            Some(Err(error)) => (BodyIds::default(), Some(Failure::of_kind_named(DeadLetter::UNDECODABLE, error))),
        };
        ids.trace_id.get_or_insert_with(|| message.id().to_string());
        if undecodable.is_some() {
            count(DECODE_ERRORS, &*self.mailbox);
            return (ids, undecodable);
        }
        (ids, self.unresolved_reply(message).await)
    }

    /// Why the reply to this message could not be sent, if that is certain before its handler runs.
    async fn unresolved_reply(&self, message: &RawMessage) -> Option<Failure> {
        match self.resolver.resolve(message.reply_to.as_deref()?).await {
            Err(error @ MailboxError::Resolution { .. }) => {
                Some(Failure::of_kind_named("resolution", error.to_string()))
            }
            // Another error may be over when the reply is sent.
            _ => None,
        }
    }

    /// Leases messages that were received without a lease, but for those that another receiver has by now.
    async fn take_all(&self, received: Vec<RawMessage>) -> Result<UnclaimedMessages, SourceError> {
        let mut taken = UnclaimedMessages::new(Arc::clone(&self.mailbox), Vec::new());
        for message in received {
            let one = self.mailbox.take(message.id(), self.extension).await.map_err(|error| source_error(&error))?;
            one.into_iter().for_each(|one| taken.push(one));
        }
        Ok(taken)
    }

    /// Beats, also after an error: an outage of the backend is not a defect of this process.
    fn beat(&self) {
        if let Some(heartbeat) = &self.heartbeat {
            heartbeat.beat();
        }
    }

    async fn settle_one(&self, finished: &FinishedDelivery<MailboxClaim>) -> Result<(), SettleError> {
        let claimed = &*finished.fence.0;
        let ClaimedMessage { message, settling, .. } = claimed;
        let mut settling = settling.lock().await;
        let attempt = finished.attempt.as_deref();
        let delay = |at: Time| at.since(self.clock.now());
        let last_error = attempt.map(|attempt| attempt.error.clone()).filter(|error| !error.is_empty());
        let parts = attempt.map(|attempt| attempt.failed_parts.clone()).unwrap_or_default();
        let nack = match &finished.resolution {
            Resolution::Ack { result } => {
                if let (Some(result), Some(_)) = (result, &message.reply_to) {
                    self.reply(message, result).await?;
                }
                return self.acknowledge(claimed).await;
            }
            Resolution::Drop => return self.acknowledge(claimed).await,
            Resolution::Release => {
                return self.mailbox.release(&message.handle).await.map_err(|error| settle_error(&error));
            }
            Resolution::DeadLetter(dead) => return self.dead_letter(claimed, &mut settling, dead, attempt).await,
            Resolution::Retry { at, charged } => {
                NackSpec { delay: delay(*at), charge: *charged, last_error, verdict: None, parts }
            }
            Resolution::Defer { until } => NackSpec { delay: delay(*until), charge: false, ..NackSpec::default() },
            Resolution::RedeliverForHandOver { at } => NackSpec {
                delay: delay(*at).max(hand_over_delay(message)),
                charge: attempt.is_some(),
                last_error,
                verdict: verdict(message, &settling),
                parts,
            },
        };
        self.mailbox.nack(&message.handle, nack).await.map_err(|error| settle_error(&error))
    }

    /// Sends the result, once. A reply that its mailbox rejects may never be accepted: the message is returned, so that
    /// its attempts are limited and the holder does not repeat the reply at once.
    async fn reply(&self, message: &RawMessage, result: &Bytes) -> Result<(), SettleError> {
        let error = match reply_once(&*self.mailbox, message, &self.resolver, result.clone()).await {
            Ok(_) => return Ok(()),
            Err(error @ (MailboxError::ReceiptHandleExpired(_) | MailboxError::Connection { .. })) => {
                return Err(settle_error(&error));
            }
            Err(error) => format!("the reply was not sent: {error}"),
        };
        let delay = REPLY_DELAY.saturating_mul(message.attempt().into()).min(REPLY_DELAY_MAX);
        let nack = NackSpec { last_error: Some(error.clone()), ..NackSpec::after(delay) };
        self.mailbox.nack(&message.handle, nack).await.map_err(|error| settle_error(&error))?;
        Err(SettleError::Refused(error))
    }
}

#[async_trait]
impl Source for MailboxSource {
    type Fence = MailboxClaim;

    fn name(&self) -> &Arc<str> {
        &self.name
    }

    fn keeps_successes(&self) -> bool {
        false
    }

    async fn limit(&self) -> Result<AttemptLimit, SourceError> {
        Ok(self.limit)
    }

    async fn claim(&self, claim: ClaimSpec) -> Result<Vec<Delivery<MailboxClaim>>, SourceError> {
        if !claim.scope.covers(&self.destination) {
            return std::future::pending().await;
        }
        let most = u32::try_from(claim.count).unwrap_or(u32::MAX);
        let max_messages = most.clamp(1, ReceiveSpec::MESSAGES_MAX);
        loop {
            if self.mailbox.is_closed() {
                return Err(SourceError::Closed);
            }
            // After an error without a wait: the runner has to know that the mailbox is back, also if it is empty.
            let has_failed = self.has_failed.load(Ordering::Relaxed);
            let wait = if has_failed { Span::ZERO } else { self.wait };
            let received = self.mailbox.receive(ReceiveSpec { max_messages, visibility: self.lease, wait }).await;
            self.beat();
            self.has_failed.store(received.is_err(), Ordering::Relaxed);
            let received = received.map_err(|error| source_error(&error))?;
            if received.is_empty() && has_failed {
                return Ok(Vec::new());
            }
            // Resolving replies may wait: if the claim is dropped meanwhile, the messages are released.
            let unclaimed = match self.lease {
                Span::ZERO => self.take_all(received).await?,
                _ => UnclaimedMessages::new(Arc::clone(&self.mailbox), received),
            };
            if unclaimed.messages().is_empty() {
                continue;
            }
            let mut checked = Vec::with_capacity(unclaimed.messages().len());
            for message in unclaimed.messages() {
                checked.push(self.check(message).await);
            }
            let deliveries = unclaimed.claim().into_iter().zip(checked);
            return Ok(deliveries.map(|(message, (ids, unrun))| self.delivery(message, ids, unrun)).collect());
        }
    }

    async fn settle(&self, settlements: &[FinishedDelivery<MailboxClaim>]) -> Vec<Result<(), SettleError>> {
        let settled = join_all(settlements.iter().map(|finished| self.settle_one(finished))).await;
        // While results cannot be settled, nothing is received.
        self.beat();
        settled
    }

    async fn extend(&self, fences: &[MailboxClaim]) -> Vec<Result<Option<Time>, SettleError>> {
        // By the clock of the runner, and not later than by that of the backend.
        let deadline = self.clock.now().saturating_add(self.extension);
        join_all(fences.iter().map(async |MailboxClaim(claimed)| {
            let extended = self.mailbox.extend(&claimed.message.handle, LeaseExtension::to(self.extension)).await;
            count_lease_extension(&*self.mailbox, &extended);
            extended.map(|_| Some(claimed.extended(deadline))).map_err(|error| settle_error(&error))
        }))
        .await
    }
}

fn default_limit() -> AttemptLimit {
    AttemptLimit::of_mailbox(ATTEMPTS_MAX).unwrap_or(AttemptLimit::Unlimited)
}

/// The verdict of work whose letter could not be handed over.
fn verdict(message: &RawMessage, settling: &Settling) -> Option<Verdict> {
    let known = settling.verdict.clone().or_else(|| message.verdict.clone());
    known.or_else(|| Some(Verdict::failed("unknown", message.attempt())))
}

/// The least delay before another hand-over: twice as long for each that failed, as the uncharged deliveries count them.
/// The delay of the runner is that of all hand-overs, and begins again after each that succeeds.
fn hand_over_delay(message: &RawMessage) -> Span {
    match &message.verdict {
        Some(_) => Span::from_secs(1 << message.uncharged.min(10)).min(REPLY_DELAY_MAX),
        None => Span::ZERO,
    }
}

impl std::fmt::Debug for MailboxSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { mailbox, letters, lease, limit, .. } = self;
        f.debug_struct("MailboxSource")
            .field("mailbox", mailbox)
            .field("letters", letters)
            .field("lease", lease)
            .field("limit", limit)
            .finish_non_exhaustive()
    }
}

pub(super) fn settle_error(error: &MailboxError) -> SettleError {
    match error {
        MailboxError::ReceiptHandleExpired(_) => SettleError::Stale,
        MailboxError::Connection { .. } => SettleError::Unavailable(error.to_string()),
        _ => SettleError::Refused(error.to_string()),
    }
}

fn source_error(error: &MailboxError) -> SourceError {
    match error {
        MailboxError::Closed(_) => SourceError::Closed,
        _ => SourceError::Unavailable(error.to_string()),
    }
}
