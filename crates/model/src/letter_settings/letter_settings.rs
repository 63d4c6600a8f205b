//! How letters are treated.

use redrive_core::{
    Backoff, CustomBackoff, LetterTerms, OnDuplicate, OnFull, OnLostDependency, RetryPolicy, RetryTerms, Span, Strategy,
};

use crate::Rejection;

/// How letters are treated: by a store where a queue says nothing; or by a queue, once what it says is put over that.
///
/// The store's own are no facts. They are given when it is opened, like the time when an operation is applied: what was
/// decided by them is on record, and another store may decide otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LetterSettings {
    /// Without it nothing is captured, whatever a queue says.
    pub is_enabled: bool,
    /// The retry policy of items that a queue moves here. By default only a manual retry tries them again.
    pub moved_policy: RetryPolicy,
    pub moved_max_retries: u32,
    /// Whether letters expire by the queue's `expire_timeout`. Nothing is lost by default: they do not.
    pub letters_expire: bool,
    /// Which failures become letters.
    pub strategy: Strategy,
    /// The policy of failures that somebody hands over without a policy and without a category.
    pub default_policy: RetryPolicy,
    /// Retries after the first failure, where neither the failure nor a rule says how many.
    pub max_retries: u32,
    /// How many live letters captures may make; moves are not bound.
    pub max_size: Option<u64>,
    /// Whether a queue may be told to hold more than usual.
    pub allows_large: bool,
    pub on_full: OnFull,
    pub on_duplicate: OnDuplicate,
    /// How long a completed letter is kept.
    pub completed_retention: Span,
    /// How long an archived letter is kept; for ever by default.
    pub archive_retention: Option<Span>,
    /// How large the content of a letter may be that is captured.
    pub letter_bytes_max: Option<u64>,
    /// By up to so many percent the delays before retries are longer, so that what failed together does not come back
    /// together. The same for all queues.
    pub jitter_percent: u8,
    /// One cycle of the retry processor: how long a letter whose policy is `immediate` waits after a retry that failed. The
    /// same for all queues.
    pub retry_interval: Span,
    /// How long after it became exhausted a letter is archived by itself; never by default.
    pub auto_archive: Option<Span>,
    pub on_lost_dependency: OnLostDependency,
    /// The delays of letters whose policy is `custom`; without them nothing can have that policy.
    pub custom_backoff: Option<CustomBackoff>,
}

impl Default for LetterSettings {
    fn default() -> Self {
        Self {
            is_enabled: true,
            moved_policy: RetryPolicy::Never,
            moved_max_retries: RetryTerms::MAX_RETRIES,
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
        }
    }
}

impl LetterSettings {
    /// What is captured, now that it may be switched off as a whole.
    pub fn strategy(&self) -> Strategy {
        if self.is_enabled { self.strategy } else { Strategy::Disabled }
    }

    /// Whether letters can have this policy.
    ///
    /// # Errors
    ///
    /// When it is `custom`, and nothing says what that is.
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
