//! The parameters of the verbs, with their ranges.

use std::num::NonZeroU64;

use redrive_core::Span;

use crate::error_text::{ERROR_BYTES_MAX, bounded_error};
use crate::{DeadLetter, MailboxError, Verdict};

/// How a mailbox treats its messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailboxSettings {
    /// Maximum number of messages: pending, leased and delayed. `None` is unlimited.
    pub capacity: Option<NonZeroU64>,
    /// How long a message is kept from the time it was sent; zero keeps it forever. A leased message is kept at least
    /// until its lease ends.
    pub retention: Span,
    /// Maximum size of a body.
    pub body_bytes_max: usize,
    /// Whether metrics have the name of the mailbox as their label. False for mailboxes whose names senders choose:
    /// every name would be another time series.
    pub is_labelled: bool,
}

impl MailboxSettings {
    pub const RETENTION: Span = Span::from_days(3);
    pub const LETTER_RETENTION: Span = Span::from_days(30);
    pub const BODY_BYTES_MAX: usize = 4 << 20;
    /// How long an explicit id is remembered if messages are kept forever.
    pub const MARKER_RETENTION: Span = Span::from_days(30);

    /// The settings of a mailbox of dead letters: unlimited, kept for 30 days, and large enough for the letters about
    /// the messages of a mailbox with default settings.
    #[must_use]
    pub fn of_letters() -> Self {
        let body_bytes_max = DeadLetter::bytes_max(Self::BODY_BYTES_MAX);
        Self { retention: Self::LETTER_RETENTION, body_bytes_max, ..Self::default() }
    }

    /// The settings of reply mailboxes that a [`ReplyResolver`](crate::ReplyResolver) opens: default settings, and
    /// metrics without a name.
    #[must_use]
    pub fn of_replies() -> Self {
        Self { is_labelled: false, ..Self::default() }
    }

    /// How long an explicit id is remembered, and accepted only once.
    pub const fn marker_retention(&self) -> Span {
        if self.retention.is_zero() { Self::MARKER_RETENTION } else { self.retention }
    }

    /// # Errors
    ///
    /// `InvalidParameter` if the body is too large.
    pub fn check_body(&self, body: &[u8]) -> Result<(), MailboxError> {
        if body.len() > self.body_bytes_max {
            let allowed = format!("at most {} bytes", self.body_bytes_max);
            return Err(MailboxError::invalid("body of", &format!("{} bytes", body.len()), allowed));
        }
        Ok(())
    }
}

impl Default for MailboxSettings {
    fn default() -> Self {
        Self { capacity: None, retention: Self::RETENTION, body_bytes_max: Self::BODY_BYTES_MAX, is_labelled: true }
    }
}

/// What to receive, and how long to wait for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReceiveSpec {
    /// 1 to 10. Default: 1.
    pub max_messages: u32,
    /// Length of the lease, 0 to 12 h. Default: 30 s. With 0 the message is visible again at once, and its handle is
    /// never valid.
    pub visibility: Span,
    /// How long to wait while there is no message. Default: not at all.
    pub wait: Span,
}

impl ReceiveSpec {
    pub const MESSAGES_MAX: u32 = 10;
    pub const VISIBILITY_MAX: Span = Span::from_hours(12);

    /// # Errors
    ///
    /// `InvalidParameter` if a value is out of range.
    pub fn check(&self) -> Result<(), MailboxError> {
        if !(1..=Self::MESSAGES_MAX).contains(&self.max_messages) {
            return Err(MailboxError::invalid("max_messages", &self.max_messages, "1 to 10"));
        }
        check_visibility(self.visibility)
    }
}

impl Default for ReceiveSpec {
    fn default() -> Self {
        Self { max_messages: 1, visibility: Span::from_secs(30), wait: Span::ZERO }
    }
}

/// How a message is returned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NackSpec {
    /// How long the message stays invisible, 0 to 365 days: the backoff of a policy may exceed the longest lease.
    pub delay: Span,
    /// Whether the delivery counts as an attempt.
    pub charge: bool,
    /// Replaces the stored error; `None` keeps it. Cut after [`Self::ERROR_BYTES_MAX`] bytes.
    pub last_error: Option<String>,
    /// Replaces the stored verdict; `None` keeps it.
    pub verdict: Option<Verdict>,
    /// Replaces the named parts that remain to be done; empty keeps them.
    pub parts: Vec<String>,
}

impl NackSpec {
    pub const DELAY_MAX: Span = Span::from_days(365);
    pub const ERROR_BYTES_MAX: usize = ERROR_BYTES_MAX;

    /// Returned after a delay, as a charged delivery.
    #[must_use]
    pub fn after(delay: Span) -> Self {
        Self { delay, ..Self::default() }
    }

    /// # Errors
    ///
    /// `InvalidParameter` if the delay is out of range.
    pub fn check(&self) -> Result<(), MailboxError> {
        if self.delay > Self::DELAY_MAX {
            return Err(MailboxError::invalid("delay", &self.delay, "0s to 8760h0m0s"));
        }
        Ok(())
    }

    /// The stored form of the error.
    pub fn bounded_error(&self) -> Option<&str> {
        self.last_error.as_deref().map(bounded_error)
    }
}

impl Default for NackSpec {
    fn default() -> Self {
        Self { delay: Span::ZERO, charge: true, last_error: None, verdict: None, parts: Vec::new() }
    }
}

/// A new deadline of a lease, counted from now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeaseExtension {
    /// 0 to 12 h.
    pub timeout: Span,
    /// Whether the lease may become shorter. Otherwise a deadline that is later than the new one is kept.
    pub may_shorten: bool,
}

impl LeaseExtension {
    /// Extends the lease, and never shortens it.
    pub const fn to(timeout: Span) -> Self {
        Self { timeout, may_shorten: false }
    }

    /// Sets the deadline, whether it is later or earlier than before.
    pub const fn exactly(timeout: Span) -> Self {
        Self { timeout, may_shorten: true }
    }

    /// # Errors
    ///
    /// `InvalidParameter` if the timeout is out of range.
    pub fn check(&self) -> Result<(), MailboxError> {
        check_visibility(self.timeout)
    }
}

/// A message that failed permanently, before its hand-over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HandOverSpec {
    /// How long the lease lasts at least, 0 to 12 h: the time for the hand-over.
    pub lease: Span,
    /// Cut after [`NackSpec::ERROR_BYTES_MAX`] bytes.
    pub error: String,
    pub verdict: Verdict,
}

impl HandOverSpec {
    /// # Errors
    ///
    /// `InvalidParameter` if the lease is out of range.
    pub fn check(&self) -> Result<(), MailboxError> {
        check_visibility(self.lease)
    }

    /// The stored form of the error.
    pub fn bounded_error(&self) -> &str {
        bounded_error(&self.error)
    }
}

/// The most messages of a part that is browsed.
pub(crate) const BROWSED_MAX: u32 = 1000;

/// Rejects a size of parts that is out of range. For implementations of
/// [`MailboxBackend::browse`](crate::MailboxBackend::browse).
///
/// # Errors
///
/// `InvalidParameter`.
pub fn check_browse(most: u32) -> Result<(), MailboxError> {
    if !(1..=BROWSED_MAX).contains(&most) {
        return Err(MailboxError::invalid("number of browsed messages", &most, "1 to 1000"));
    }
    Ok(())
}

/// Rejects a lease that is out of range. For implementations of [`MailboxBackend::take`](crate::MailboxBackend::take).
///
/// # Errors
///
/// `InvalidParameter`.
pub fn check_visibility(visibility: Span) -> Result<(), MailboxError> {
    if visibility > ReceiveSpec::VISIBILITY_MAX {
        return Err(MailboxError::invalid("visibility timeout", &visibility, "0s to 12h0m0s"));
    }
    Ok(())
}

/// How many messages a mailbox holds. Approximate: other callers change it meanwhile.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MailboxCounts {
    /// Visible now.
    pub pending: u64,
    /// Received, with a valid handle.
    pub leased: u64,
    /// Returned with a delay.
    pub delayed: u64,
}

impl MailboxCounts {
    pub const fn total(&self) -> u64 {
        self.pending + self.leased + self.delayed
    }
}
