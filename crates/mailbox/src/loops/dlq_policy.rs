//! When a message becomes a dead letter, and where it goes.

use std::fmt;
use std::sync::Arc;

use redrive_core::{Answer, AttemptLimit, ErrorMatcher, Failure, Invalid, Kind, PolicyBuilder};
use redrive_run::{DeadQueue, Work};

use super::runnable::DlqDepthAlarm;
use crate::source::LetterDestination;
use crate::{DeadLetter, MailboxBackend};

type Decision = Arc<dyn Fn(&Work, &Failure) -> Option<Answer> + Send + Sync>;

/// The dead letters of a loop: where they go, and when a message becomes one.
///
/// After a failure, in this order: the [custom decision](Self::deciding_by), if it has an answer; excluded errors are
/// retried without a limit; a message whose attempts are spent, and included errors, are dead-lettered; all else is
/// retried. Errors are matched by their kind and everything below it, anywhere in the chain of causes: to exclude
/// `connection` excludes a `connection.reset`, too.
#[derive(Clone)]
pub struct DlqPolicy {
    letters: LetterDestination,
    max_delivery_count: u32,
    include: Vec<ErrorMatcher>,
    exclude: Vec<ErrorMatcher>,
    decision: Option<Decision>,
    depth_alarm: u64,
}

impl DlqPolicy {
    pub const MAX_DELIVERY_COUNT: u32 = 5;
    pub const DEPTH_ALARM: u64 = 100;

    /// Dead letters in this mailbox, after 5 attempts.
    pub fn new(letters: Arc<dyn MailboxBackend>) -> Self {
        Self::of(LetterDestination::Mailbox(letters))
    }

    /// Dead letters in a dead queue, after 5 attempts. They are listed, grouped, retried and handed back as any letter
    /// of the queue; a [`DlqConsumer`](super::DlqConsumer) and a [`Replay`](super::Replay) are for mailboxes.
    pub fn to_dead_queue(letters: DeadQueue) -> Self {
        Self::of(LetterDestination::DeadQueue(Box::new(letters)))
    }

    const fn of(letters: LetterDestination) -> Self {
        Self {
            letters,
            max_delivery_count: Self::MAX_DELIVERY_COUNT,
            include: Vec::new(),
            exclude: Vec::new(),
            decision: None,
            depth_alarm: Self::DEPTH_ALARM,
        }
    }

    /// Sets the number of attempts, at least 1. A delivery is an attempt unless it was released or its error was
    /// excluded.
    #[must_use]
    pub const fn max_delivery_count(mut self, count: u32) -> Self {
        self.max_delivery_count = count;
        self
    }

    /// Adds errors that are dead-lettered at once.
    #[must_use]
    pub fn include(mut self, errors: impl IntoIterator<Item = ErrorMatcher>) -> Self {
        self.include.extend(errors);
        self
    }

    /// Adds errors that never dead-letter: they are retried, and do not count as attempts.
    #[must_use]
    pub fn exclude(mut self, errors: impl IntoIterator<Item = ErrorMatcher>) -> Self {
        self.exclude.extend(errors);
        self
    }

    /// Sets a function that decides before the error lists and the number of attempts; `None` leaves the decision to
    /// them. It must be pure. [`Answer::Retry`] does not count the attempt, so that a message may be kept beyond its
    /// attempts. Before a delivery whose attempts are spent it is asked as well, about an error of the kind
    /// `delivery_count_exceeded`: `Retry` runs the handler again.
    #[must_use]
    pub fn deciding_by(mut self, decide: impl Fn(&Work, &Failure) -> Option<Answer> + Send + Sync + 'static) -> Self {
        self.decision = Some(Arc::new(decide));
        self
    }

    /// Sets the number of letters in a mailbox from which health is degraded. Default: 100. The server of a dead queue
    /// has its own metrics of depth.
    #[must_use]
    pub const fn depth_alarm(mut self, depth: u64) -> Self {
        self.depth_alarm = depth;
        self
    }

    pub(super) const fn letters(&self) -> &LetterDestination {
        &self.letters
    }

    /// `None` for a dead queue.
    pub(super) fn alarm(&self) -> Option<DlqDepthAlarm> {
        match &self.letters {
            LetterDestination::Mailbox(letters) => {
                Some(DlqDepthAlarm { letters: Arc::clone(letters), threshold: self.depth_alarm })
            }
            LetterDestination::DeadQueue(_) => None,
        }
    }

    pub(super) fn decision(&self) -> Option<Decision> {
        self.decision.clone()
    }

    pub(super) fn limit(&self) -> Result<AttemptLimit, Invalid> {
        AttemptLimit::of_mailbox(self.max_delivery_count)
    }

    pub(super) fn apply(&self, policy: PolicyBuilder) -> Result<PolicyBuilder, Invalid> {
        let undecodable: Kind = DeadLetter::UNDECODABLE.parse()?;
        // No retry makes the body valid, but an upgrade of this program may: then `serialization` is excluded.
        let undecodable = ErrorMatcher::Kind(undecodable);
        let include = self.include.iter().cloned().chain((!self.exclude.contains(&undecodable)).then_some(undecodable));
        Ok(policy.limit(self.limit()?).include(include).exclude(self.exclude.iter().cloned()))
    }
}

impl fmt::Debug for DlqPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { letters, max_delivery_count, include, exclude, decision, depth_alarm } = self;
        f.debug_struct("DlqPolicy")
            .field("letters", letters)
            .field("max_delivery_count", max_delivery_count)
            .field("include", include)
            .field("exclude", exclude)
            .field("has_decision", &decision.is_some())
            .field("depth_alarm", depth_alarm)
            .finish()
    }
}
