//! The effective settings for letters.

use std::collections::BTreeSet;
use std::sync::Arc;

use redrive_core::{
    Backoff, CustomBackoff, LetterTerms, MovedPolicy, OnDuplicate, OnFull, OnLostDependency, QueueName, RetryPolicy,
    RetryTerms, Span, Strategy,
};

use super::Templates;
use crate::Rejection;

/// The settings for letters: the defaults of a store, or the effective settings of a queue after its overrides are
/// applied.
///
/// The defaults of a store are not recorded as facts. They are passed in when the store is opened, like the time of an
/// operation: only decisions based on them are recorded, and a store that is opened with others decides differently.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LetterSettings {
    /// If `false`, nothing is captured in any queue.
    pub is_enabled: bool,
    /// The retry policy of items that die in another queue and are moved here. By default, the category of their last
    /// failure decides if the queue is one of `retried_queues`; otherwise they are retried manually only.
    pub moved_policy: MovedPolicy,
    pub moved_max_retries: u32,
    /// The queues with a target that retries their letters. The same for all queues.
    pub retried_queues: Arc<BTreeSet<QueueName>>,
    /// Whether letters expire after the queue's `expire_timeout`. By default they do not, so that nothing is lost.
    pub letters_expire: bool,
    /// Which failures become letters.
    pub strategy: Strategy,
    /// The policy of explicit captures without a policy and without a category.
    pub default_policy: RetryPolicy,
    /// Retries after the first failure, if neither the request nor a rule sets a limit.
    pub max_retries: u32,
    /// The maximum number of live letters for captures; moves ignore it.
    pub max_size: Option<u64>,
    /// Whether a queue may set a `max_size` above the usual maximum.
    pub allows_large: bool,
    pub on_full: OnFull,
    pub on_duplicate: OnDuplicate,
    /// How long a completed letter is kept.
    pub completed_retention: Span,
    /// How long an archived letter is kept; for ever by default.
    pub archive_retention: Option<Span>,
    /// The maximum size of the content of a captured letter.
    pub letter_bytes_max: Option<u64>,
    /// The maximum jitter of retry delays in percent of the delay, so that letters that failed together are not retried
    /// together. The same for all queues.
    pub jitter_percent: u8,
    /// One cycle of the retry processor: the delay of the policy `immediate` after a failed retry. The same for all
    /// queues.
    pub retry_interval: Span,
    /// The time after which an exhausted letter is archived automatically; never by default.
    pub auto_archive: Option<Span>,
    pub on_lost_dependency: OnLostDependency,
    /// The delays of the policy `custom`; without them, no letter can have that policy.
    pub custom_backoff: Option<CustomBackoff>,
    /// Settings for letters of matching failures. Only queues have templates; the defaults of a store have none.
    pub templates: Templates,
}

impl Default for LetterSettings {
    fn default() -> Self {
        Self {
            is_enabled: true,
            moved_policy: MovedPolicy::default(),
            moved_max_retries: RetryTerms::MAX_RETRIES,
            retried_queues: Arc::default(),
            letters_expire: false,
            strategy: Strategy::default(),
            default_policy: RetryPolicy::default(),
            max_retries: RetryTerms::MAX_RETRIES,
            max_size: None,
            allows_large: false,
            on_full: OnFull::default(),
            on_duplicate: OnDuplicate::default(),
            completed_retention: Span::from_days(7),
            archive_retention: None,
            letter_bytes_max: None,
            jitter_percent: 0,
            retry_interval: LetterTerms::RETRY_INTERVAL,
            auto_archive: None,
            on_lost_dependency: OnLostDependency::default(),
            custom_backoff: None,
            templates: Templates::default(),
        }
    }
}

impl LetterSettings {
    /// The effective strategy: `disabled` if captures are disabled for the whole store.
    pub fn strategy(&self) -> Strategy {
        if self.is_enabled { self.strategy } else { Strategy::Disabled }
    }

    /// Checks that letters can have this policy.
    ///
    /// # Errors
    ///
    /// If it is `custom` and there are no custom delays.
    pub fn check_policy(&self, policy: RetryPolicy) -> Result<(), Rejection> {
        match policy {
            RetryPolicy::Custom if self.custom_backoff.is_none() => Err(Rejection::NoCustomBackoff),
            _ => Ok(()),
        }
    }

    pub fn custom_backoff(&self) -> Option<&Backoff> {
        self.custom_backoff.as_ref().map(CustomBackoff::backoff)
    }
}
