//! The letter settings of a queue that override those of the store.

use std::sync::Arc;

use redrive_core::{CustomBackoff, MovedPolicy, OnDuplicate, OnFull, OnLostDependency, RetryPolicy, Span, Strategy};
use serde::{Deserialize, Serialize};

use super::{LetterSettings, Templates};
use crate::Rejection;

/// The letter settings of a dead queue. Unset fields fall back to the [`LetterSettings`] of the store.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct LetterOverrides {
    #[serde(alias = "policy_of_moved", skip_serializing_if = "Option::is_none")]
    pub moved_policy: Option<MovedPolicy>,
    #[serde(alias = "max_retries_of_moved", skip_serializing_if = "Option::is_none")]
    pub moved_max_retries: Option<u32>,
    #[serde(alias = "is_expiring", skip_serializing_if = "Option::is_none")]
    pub letters_expire: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strategy: Option<Strategy>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_policy: Option<RetryPolicy>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_retries: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_size: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_full: Option<OnFull>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_duplicate: Option<OnDuplicate>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completed_retention: Option<Span>,
    /// [`LetterOverrides::FOR_EVER`] to keep archived letters even if the store removes them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub archive_retention: Option<Span>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub letter_bytes_max: Option<u64>,
    /// [`LetterOverrides::FOR_EVER`] to never archive exhausted letters automatically.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auto_archive: Option<Span>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_lost_dependency: Option<OnLostDependency>,
    /// Must have a text form: a function of one program would be unknown to the next one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custom_backoff: Option<CustomBackoff>,
    /// Settings for letters of matching failures. The request of a capture takes precedence.
    #[serde(skip_serializing_if = "Templates::is_fresh")]
    pub templates: Templates,
}

impl LetterOverrides {
    /// An infinite time.
    pub const FOR_EVER: Span = Span::MAX;

    /// The effective settings of the queue: these overrides over the settings of the store.
    pub fn over(&self, store: &LetterSettings) -> LetterSettings {
        let ending = |own: Option<Span>, other: Option<Span>| own.or(other).filter(|span| *span < Self::FOR_EVER);
        LetterSettings {
            is_enabled: store.is_enabled,
            moved_policy: self.moved_policy.unwrap_or(store.moved_policy),
            moved_max_retries: self.moved_max_retries.unwrap_or(store.moved_max_retries),
            retried_queues: Arc::clone(&store.retried_queues),
            letters_expire: self.letters_expire.unwrap_or(store.letters_expire),
            strategy: self.strategy.unwrap_or(store.strategy),
            default_policy: self.default_policy.unwrap_or(store.default_policy),
            max_retries: self.max_retries.unwrap_or(store.max_retries),
            max_size: self.max_size.or(store.max_size),
            allows_large: store.allows_large,
            on_full: self.on_full.unwrap_or(store.on_full),
            on_duplicate: self.on_duplicate.unwrap_or(store.on_duplicate),
            completed_retention: self.completed_retention.unwrap_or(store.completed_retention),
            archive_retention: ending(self.archive_retention, store.archive_retention),
            letter_bytes_max: self.letter_bytes_max.or(store.letter_bytes_max),
            jitter_percent: store.jitter_percent,
            retry_interval: store.retry_interval,
            auto_archive: ending(self.auto_archive, store.auto_archive),
            on_lost_dependency: self.on_lost_dependency.unwrap_or(store.on_lost_dependency),
            custom_backoff: self.custom_backoff.as_ref().or(store.custom_backoff.as_ref()).cloned(),
            templates: self.templates.clone(),
        }
    }

    /// An upper bound of the stored size of the texts: escapes in JSON may take six bytes per byte.
    pub fn bytes_max(&self) -> usize {
        const JSON: usize = 6;
        let delays = self.custom_backoff.as_ref().map_or(0, |custom| custom.as_str().len());
        JSON * (delays + self.templates.bytes())
    }

    /// Checks that letters can have the configured policies.
    pub fn check(&self, store: &LetterSettings) -> Result<(), Rejection> {
        if self.custom_backoff.as_ref().is_some_and(|custom| !custom.has_text_form()) {
            return Err(Rejection::FunctionOfQueue);
        }
        let effective = self.over(store);
        let of_templates = self.templates.list().iter().filter_map(|template| template.policy);
        let of_queue = effective.moved_policy.named().into_iter().chain([effective.default_policy]);
        let mut policies = of_queue.chain(of_templates);
        policies.try_for_each(|policy| effective.check_policy(policy))
    }
}
