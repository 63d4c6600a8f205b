//! A mailbox as a source of work.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::future::join_all;
use redrive_core::{AttemptLimit, Failure, Span, Time, Trigger};
use redrive_model::{Attempt, Content, Origin};
use redrive_run::{
    ClaimSpec, DeadWork, Delivery, FinishedDelivery, Resolution, SettleError, Source, SourceError, Work, WorkId,
};
use redrive_store::Clock;
use tokio::sync::Mutex;

use crate::metrics::count_letter_error;
use crate::terminal_reply::reply_once;
use crate::{
    DeadLetter, LeaseExtension, MailboxBackend, MailboxError, NackSpec, NewMessage, RawMessage, ReceiveSpec,
    ReplyResolver, UnclaimedMessages, Verdict,
};

/// How long one receive waits before it is repeated.
const WAIT: Span = Span::from_hours(1);

/// The delay after a reply that was rejected: so long for each attempt.
const REPLY_DELAY: Span = Span::from_secs(60);
const REPLY_DELAY_MAX: Span = Span::from_secs(900);

/// The attempt limit unless [`MailboxSource::limited_to`] sets another one.
const ATTEMPTS_MAX: u32 = 5;

/// A source of the messages of a mailbox. Work that fails permanently becomes a [`DeadLetter`] in another mailbox,
/// atomically if both are on the same backend.
///
/// The work of a mailbox has one destination: its name, unless [`to`](Self::to) sets another one. A result of the
/// handler is sent to the message's `reply_to`, which a [resolver](Self::replying_through) finds. A message whose reply
/// is rejected is returned with a delay, and charged.
#[derive(Debug)]
pub struct MailboxSource {
    name: Arc<str>,
    mailbox: Arc<dyn MailboxBackend>,
    letters: Arc<dyn MailboxBackend>,
    lease: Span,
    clock: Arc<dyn Clock>,
    limit: AttemptLimit,
    destination: Arc<str>,
    resolver: ReplyResolver,
}

/// The claim of a message: its delivery, with what a letter about it needs.
#[derive(Debug, Clone)]
pub struct MailboxClaim(Arc<ClaimedMessage>);

#[derive(Debug)]
struct ClaimedMessage {
    message: RawMessage,
    /// Held while the claim is settled: between the steps of a hand-over, no other settlement may take effect.
    settling: Mutex<()>,
}

impl From<RawMessage> for MailboxClaim {
    fn from(message: RawMessage) -> Self {
        Self(Arc::new(ClaimedMessage { message, settling: Mutex::new(()) }))
    }
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
        LeaseExtension::to(lease).check()?;
        if lease.is_zero() {
            return Err(MailboxError::invalid("lease", &lease, "leases longer than 0s"));
        }
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
        let name = mailbox.name().to_arc();
        let limit = AttemptLimit::of_mailbox(ATTEMPTS_MAX).unwrap_or(AttemptLimit::Unlimited);
        let (destination, resolver) = (Arc::clone(&name), ReplyResolver::default());
        Ok(Self { destination, name, mailbox, letters, lease, clock, limit, resolver })
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

    /// `unrun` is why the handler does not run.
    fn delivery(&self, message: RawMessage, unrun: Option<Failure>) -> Delivery<MailboxClaim> {
        let id = message.id().to_string();
        let origin = Origin {
            transport: Arc::from("mailbox"),
            name: Arc::clone(&self.name),
            timestamp: Some(message.enqueued_at),
            message_id: Some(id.clone()),
            ..Origin::default()
        };
        let work = Work {
            id: WorkId::Own(id.into()),
            source: Arc::clone(&self.name),
            origin,
            content: Arc::new(Content::of_payload(message.body.clone())),
            attempt: message.attempt(),
            deliveries: message.delivery_count,
            since: message.enqueued_at,
            trigger: Trigger::Automatic,
            destination: Arc::clone(&self.destination),
            edition: None,
            parts: message.parts.clone(),
            terms: None,
            trace_id: None,
            request_id: None,
            submitted_by: None,
            metadata: BTreeMap::new(),
        };
        Delivery {
            work: Arc::new(work),
            deadline: Some(message.deadline),
            is_hand_over_only: message.verdict == Some(Verdict::Condemned),
            unrun: unrun.map(Box::new),
            cancel: None,
            due: None,
            fence: message.into(),
        }
    }

    /// Why the reply to this message could not be sent, if that is certain before its handler runs.
    async fn unresolved_reply(&self, message: &RawMessage) -> Option<Failure> {
        match self.resolver.resolve(message.reply_to.as_deref()?).await {
            Err(error @ MailboxError::Resolution { .. }) => Some(match "resolution".parse() {
                Ok(kind) => Failure::of_kind(kind, error.to_string()),
                Err(_) => Failure::from_error(&error),
            }),
            // Another error may be over when the reply is sent.
            _ => None,
        }
    }

    async fn settle_one(&self, finished: &FinishedDelivery<MailboxClaim>) -> Result<(), SettleError> {
        let ClaimedMessage { message, settling } = &*finished.fence.0;
        let _settling = settling.lock().await;
        let attempt = finished.attempt.as_deref();
        let delay = |at: Time| at.since(self.clock.now());
        let last_error = attempt.map(|attempt| attempt.error.clone()).filter(|error| !error.is_empty());
        let parts = attempt.map(|attempt| attempt.failed_parts.clone()).unwrap_or_default();
        let nack = match &finished.resolution {
            Resolution::Ack { result } => {
                if let (Some(result), Some(_)) = (result, &message.reply_to) {
                    self.reply(message, result).await?;
                }
                return self.mailbox.acknowledge(&message.handle).await.map_err(|error| settle_error(&error));
            }
            Resolution::Drop => {
                return self.mailbox.acknowledge(&message.handle).await.map_err(|error| settle_error(&error));
            }
            Resolution::Release => {
                return self.mailbox.release(&message.handle).await.map_err(|error| settle_error(&error));
            }
            Resolution::DeadLetter(dead) => return self.dead_letter(message, dead, attempt).await,
            Resolution::Retry { at, charged } => {
                NackSpec { delay: delay(*at), charge: *charged, last_error, verdict: None, parts }
            }
            Resolution::Defer { until } => NackSpec { delay: delay(*until), charge: false, ..NackSpec::default() },
            Resolution::RedeliverForHandOver { at } => NackSpec {
                delay: delay(*at),
                charge: attempt.is_some(),
                last_error,
                verdict: Some(Verdict::Condemned),
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

    async fn dead_letter(
        &self,
        message: &RawMessage,
        dead: &DeadWork,
        attempt: Option<&Attempt>,
    ) -> Result<(), SettleError> {
        let letter = self.letter(message, dead, attempt).map_err(|error| SettleError::HandOver(error.to_string()))?;
        let handed_over = self.mailbox.dead_letter(&message.handle, letter, &*self.letters).await;
        handed_over.map_err(|error| match &error {
            MailboxError::ReceiptHandleExpired(_) => SettleError::Stale,
            MailboxError::Connection { mailbox, .. } if mailbox == self.mailbox.name() => settle_error(&error),
            _ => {
                count_letter_error(&*self.mailbox);
                SettleError::HandOver(error.to_string())
            }
        })
    }

    fn letter(
        &self,
        message: &RawMessage,
        dead: &DeadWork,
        attempt: Option<&Attempt>,
    ) -> Result<NewMessage, MailboxError> {
        let failure = &dead.failure.error;
        // Without an attempt in this delivery, the error of the last one counts.
        let error = match (attempt, &message.last_error) {
            (Some(attempt), _) if !attempt.error.is_empty() => &attempt.error,
            (None, Some(stored)) => &**stored,
            _ => &failure.message,
        };
        let recorded = attempt.and_then(|attempt| attempt.error_type.clone());
        let error_type = recorded.or_else(|| failure.kind.as_ref().map(ToString::to_string));
        let error_type = error_type.unwrap_or_else(|| dead.category.to_string());
        let letter = DeadLetter::new(self.mailbox.name(), message, error, error_type, self.clock.now());
        let attempts = message.attempt().saturating_sub(u32::from(attempt.is_none()));
        DeadLetter { delivery_count: attempts, ..letter }.to_message(self.mailbox.name())
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
        let spec = ReceiveSpec { max_messages, visibility: self.lease, wait: WAIT };
        loop {
            if self.mailbox.is_closed() {
                return Err(SourceError::Closed);
            }
            let received = self.mailbox.receive(spec).await.map_err(|error| source_error(&error))?;
            if received.is_empty() {
                continue;
            }
            // Resolving replies may wait: if the claim is dropped meanwhile, the messages are released.
            let unclaimed = UnclaimedMessages::new(Arc::clone(&self.mailbox), received);
            let mut unrun = Vec::with_capacity(unclaimed.messages().len());
            for message in unclaimed.messages() {
                unrun.push(self.unresolved_reply(message).await);
            }
            let deliveries = unclaimed.claim().into_iter().zip(unrun);
            return Ok(deliveries.map(|(message, unrun)| self.delivery(message, unrun)).collect());
        }
    }

    async fn settle(&self, settlements: &[FinishedDelivery<MailboxClaim>]) -> Vec<Result<(), SettleError>> {
        join_all(settlements.iter().map(|finished| self.settle_one(finished))).await
    }

    async fn extend(&self, fences: &[MailboxClaim]) -> Vec<Result<Option<Time>, SettleError>> {
        join_all(fences.iter().map(async |MailboxClaim(claimed)| {
            let extended = self.mailbox.extend(&claimed.message.handle, LeaseExtension::to(self.lease)).await;
            extended.map(Some).map_err(|error| settle_error(&error))
        }))
        .await
    }
}

fn settle_error(error: &MailboxError) -> SettleError {
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
