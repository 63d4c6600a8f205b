//! Where failed work goes.

use async_trait::async_trait;
use redrive_core::{CaptureReason, Category, Policy, QueueName, Strategy};
use redrive_model::capture::FailedWork;
use redrive_model::{Captured, Rejection};
use redrive_store::StoreError;

/// Takes failed work for a dead queue: of a store in the same process, or of a server.
#[async_trait]
pub trait LetterBox: Send + Sync {
    /// Makes letters of all of this work, or of none of it.
    ///
    /// # Errors
    ///
    /// Where the policy or the queue does not want one piece of it, or it cannot be kept.
    async fn post_all(
        &self,
        queue: &QueueName,
        policy: &Policy,
        work: &[FailedWork],
    ) -> Result<Vec<Posted>, NotCaptured>;

    /// Makes letters of failed work. Each piece of it gets its own answer: one that is not taken does not keep the others
    /// away.
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

    /// Whether what it took survives a crash.
    fn is_durable(&self) -> bool;
}

/// Failed work that a letter holds, and what was found about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Posted {
    pub captured: Captured,
    pub category: Category,
    /// The rule that gave the category.
    pub rule: String,
    /// The template that matched, and one that could not be evaluated.
    pub template: Option<String>,
    pub broken_template: Option<String>,
}

/// Failed work that no letter holds.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{error}")]
pub struct NotCaptured {
    pub reason: CaptureReason,
    pub error: StoreError,
}

impl NotCaptured {
    /// Work that a strategy or a policy does not want.
    pub const fn skipped(reason: CaptureReason, category: Category, strategy: Strategy) -> Self {
        let why = match reason {
            CaptureReason::Disabled => Rejection::CaptureDisabled,
            CaptureReason::SkippedByStrategy => Rejection::SkippedByStrategy { category, strategy },
            _ => Rejection::ExcludedByPolicy,
        };
        Self { reason, error: StoreError::Rejected(why) }
    }

    /// Whether the policy or the queue does not want it, and nobody was asked to keep it.
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
            StoreError::Rejected(Rejection::DuplicateLetter { .. } | Rejection::OtherPayload { .. }) => {
                CaptureReason::Duplicate
            }
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
