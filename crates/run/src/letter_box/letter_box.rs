//! The contract of a letter box.

use async_trait::async_trait;
use redrive_core::{CaptureReason, Category, Policy, QueueName, Strategy};
use redrive_model::capture::FailedWork;
use redrive_model::{Captured, Rejection};
use redrive_store::StoreError;

/// Puts failed work into a dead queue, of a store in the same process or of a server.
#[async_trait]
pub trait LetterBox: Send + Sync {
    /// Captures all of this work as letters, or none of it.
    ///
    /// # Errors
    ///
    /// When the policy or the queue skips a piece of work, or the store cannot keep it.
    async fn post_all(
        &self,
        queue: &QueueName,
        policy: &Policy,
        work: &[FailedWork],
    ) -> Result<Vec<Posted>, NotCaptured>;

    /// Captures failed work as letters. Each piece of work gets its own answer: one that is rejected does not affect
    /// the others.
    async fn post(&self, queue: &QueueName, policy: &Policy, work: &[FailedWork]) -> Vec<Result<Posted, NotCaptured>> {
        let all = self.post_all(queue, policy, work).await;
        match all {
            Ok(posted) => posted.into_iter().map(Ok).collect(),
            Err(error) if work.len() <= 1 => vec![Err(error)],
            Err(_) => {
                let mut answers = Vec::with_capacity(work.len());
                for one in work.chunks(1) {
                    let posted = self.post_all(queue, policy, one).await;
                    answers
                        .push(posted.and_then(|posted| {
                            posted.into_iter().next().ok_or_else(|| StoreError::WrongAnswer.into())
                        }));
                }
                answers
            }
        }
    }

    /// Whether captured letters survive a crash.
    fn is_durable(&self) -> bool;
}

/// A captured letter and the classification of its failure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Posted {
    pub captured: Captured,
    pub category: Category,
    /// The rule that determined the category.
    pub rule: String,
    /// The template that matched.
    pub template: Option<String>,
    /// A template that could not be evaluated.
    pub broken_template: Option<String>,
    /// A rule of the classifier that could not be evaluated.
    pub broken_rule: Option<String>,
}

/// Why failed work was not captured.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{error}")]
pub struct NotCaptured {
    pub reason: CaptureReason,
    pub error: StoreError,
}

impl NotCaptured {
    /// The error for work that the strategy or the policy skips.
    pub const fn skipped(reason: CaptureReason, category: Category, strategy: Strategy) -> Self {
        let why = match reason {
            CaptureReason::Disabled => Rejection::CaptureDisabled,
            CaptureReason::SkippedByStrategy => Rejection::SkippedByStrategy { category, strategy },
            _ => Rejection::ExcludedByPolicy,
        };
        Self { reason, error: StoreError::Rejected(why) }
    }

    /// Whether another letter has the source id or the coordinates of this work, and it is about other work.
    pub fn is_of_other_work(&self) -> bool {
        self.reason == CaptureReason::Duplicate
    }

    /// Whether no letter is to be kept of this failure, by the policy or by the strategy of the queue. A queue that
    /// captures nothing at all is an error of its settings: its letters wait for their hand-over.
    pub fn is_unwanted(&self) -> bool {
        self.is_skipped() && self.reason != CaptureReason::Disabled
    }

    /// Whether the policy or the queue skipped the work, as opposed to a capture that failed.
    pub const fn is_skipped(&self) -> bool {
        matches!(
            self.error,
            StoreError::Rejected(
                Rejection::ExcludedByPolicy | Rejection::CaptureDisabled | Rejection::SkippedByStrategy { .. }
            )
        )
    }
}

impl From<StoreError> for NotCaptured {
    fn from(error: StoreError) -> Self {
        let reason = match &error {
            StoreError::Rejected(Rejection::QueueFull { .. }) => CaptureReason::QueueFull,
            StoreError::Rejected(
                Rejection::DuplicateLetter { .. } | Rejection::OtherPayload { .. } | Rejection::TooManyReplays { .. },
            ) => CaptureReason::Duplicate,
            StoreError::Rejected(Rejection::NoSuchQueue(_)) => CaptureReason::PersistFailed,
            StoreError::Rejected(Rejection::CaptureDisabled) => CaptureReason::Disabled,
            StoreError::Rejected(Rejection::SkippedByStrategy { .. }) => CaptureReason::SkippedByStrategy,
            StoreError::Rejected(Rejection::ExcludedByPolicy) => CaptureReason::SkippedByPolicy,
            StoreError::Rejected(_) => CaptureReason::Invalid,
            StoreError::Denied(_) => CaptureReason::Denied,
            _ => CaptureReason::PersistFailed,
        };
        Self { reason, error }
    }
}
