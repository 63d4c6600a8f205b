//! The table of the letter settings: a row defines a setting of the store, its override in a dead queue, its key, and its
//! values as text.
//!
//! The names and ranges of keys are those of the configuration, so that a user who knows `dlq.max_size` can override it
//! for a queue.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::sync::Arc;

use redrive_core::{
    CustomBackoff, Invalid, LetterTerms, MovedPolicy, OnDuplicate, OnFull, OnLostDependency, Problem, QueueName,
    RetryPolicy, RetryTerms, Span, Strategy,
};
use serde::{Deserialize, Serialize};

use super::Templates;
use super::setting_kind::{delays, flag, number, one_of, seconds, seconds_or, size};

/// A row: the field, the type of an override, the effective type with its default, and the aliases of its stored form;
/// then the key, its name, its values, and what it sets in a few words.
macro_rules! letter_settings {
    ($(
        $(#[doc = $doc:literal])*
        $field:ident: $Value:ty => $Effective:ty = $default:expr $(, stored before as $alias:literal)?;
        $Key:ident $name:literal, $kind:expr, $description:literal;
    )+) => {
        /// The settings for letters: the defaults of a store, or the effective settings of a queue after its overrides
        /// are applied.
        ///
        /// The defaults of a store are not recorded as facts. They are passed in when the store is opened, like the
        /// time of an operation: only decisions based on them are recorded, and a store that is opened with others
        /// decides differently.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct LetterSettings {
            /// If `false`, nothing is captured in any queue.
            pub is_enabled: bool,
            /// The queues with a target that retries their letters. The same for all queues.
            pub retried_queues: Arc<BTreeSet<QueueName>>,
            /// Whether a queue may set a `max_size` above the usual maximum.
            pub allows_large: bool,
            /// The maximum jitter of retry delays in percent of the delay, so that letters that failed together are not
            /// retried together. The same for all queues.
            pub jitter_percent: u8,
            /// One cycle of the retry processor: the delay of the policy `immediate` after a failed retry. The same for
            /// all queues.
            pub retry_interval: Span,
            $( $(#[doc = $doc])* pub $field: $Effective, )+
            /// Settings for letters of matching failures. Only queues have templates; the defaults of a store have
            /// none.
            pub templates: Templates,
        }

        impl Default for LetterSettings {
            fn default() -> Self {
                Self {
                    is_enabled: true,
                    retried_queues: Arc::default(),
                    allows_large: false,
                    jitter_percent: 0,
                    retry_interval: LetterTerms::RETRY_INTERVAL,
                    $( $field: $default, )+
                    templates: Templates::default(),
                }
            }
        }

        /// The letter settings of a dead queue. Unset fields fall back to the [`LetterSettings`] of the store.
        #[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
        #[serde(default)]
        pub struct LetterOverrides {
            $(
                $(#[doc = $doc])*
                #[serde($(alias = $alias,)? skip_serializing_if = "Option::is_none")]
                pub $field: Option<$Value>,
            )+
            /// Settings for letters of matching failures. The request of a capture takes precedence.
            #[serde(skip_serializing_if = "Templates::is_fresh")]
            pub templates: Templates,
        }

        impl LetterOverrides {
            /// The effective settings of the queue: these overrides over the settings of the store.
            pub fn over(&self, store: &LetterSettings) -> LetterSettings {
                let mut effective = LetterSettings { templates: self.templates.clone(), ..store.clone() };
                $( replace(&mut effective.$field, self.$field.as_ref()); )+
                for time in [&mut effective.archive_retention, &mut effective.auto_archive] {
                    *time = time.filter(|span| *span < Self::FOR_EVER);
                }
                effective
            }
        }

        /// A setting of a dead queue that can override the default of the store.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum LetterSettingKey {
            $( $Key ),+
        }

        impl LetterSettingKey {
            /// All settings, in the order of lists: the three that are stored first follow those of captures.
            pub const ALL: [Self; [$( $name ),+].len()] = {
                let mut all = [$( Self::$Key ),+];
                all.split_at_mut(12).0.rotate_left(3);
                all
            };

            pub const fn name(self) -> &'static str {
                match self { $( Self::$Key => $name ),+ }
            }

            /// What the setting sets, in a few words.
            pub const fn description(self) -> &'static str {
                match self { $( Self::$Key => $description ),+ }
            }

            /// The allowed values, as text.
            pub fn allowed(self, store: &LetterSettings) -> String {
                match self { $( Self::$Key => $kind.allowed(store.allows_large) ),+ }
            }

            /// The range of a number, without the extension by `dlq.allow_large`; `None` for other settings.
            pub fn range(self) -> Option<RangeInclusive<u64>> {
                match self { $( Self::$Key => $kind.range ),+ }
            }

            /// Parses and sets the value of the setting.
            ///
            /// # Errors
            ///
            /// If the value is invalid or out of range. Nothing is changed then.
            pub fn set(
                self,
                settings: &mut LetterOverrides,
                store: &LetterSettings,
                text: &str,
            ) -> Result<(), Invalid> {
                let named = |invalid: Invalid| invalid.at(self.name());
                match self {
                    $( Self::$Key => settings.$field = Some($kind.parse(text, store.allows_large).map_err(named)?) ),+
                }
                Ok(())
            }

            /// Removes the override, so that the default of the store applies again.
            pub fn reset(self, settings: &mut LetterOverrides) {
                match self { $( Self::$Key => settings.$field = None ),+ }
            }

            /// Whether the queue overrides the setting.
            pub const fn is_own(self, settings: &LetterOverrides) -> bool {
                match self { $( Self::$Key => settings.$field.is_some() ),+ }
            }

            /// The effective value of the queue, as text.
            pub fn shown(self, settings: &LetterOverrides, store: &LetterSettings) -> String {
                let effective = settings.over(store);
                let effective = LetterSettings { strategy: effective.strategy(), ..effective };
                match self { $( Self::$Key => $kind.show(effective.$field.into()) ),+ }
            }
        }
    };
}

// In the order of the stored form: a new setting is added at the end.
letter_settings! {
    /// The retry policy of items that die in another queue and are moved here. By default, the category of their last
    /// failure decides if the queue is one of `retried_queues`; otherwise they are retried manually only.
    moved_policy: MovedPolicy => MovedPolicy = MovedPolicy::default(), stored before as "policy_of_moved";
    MovedRetryPolicy "moved_retry_policy", one_of(MovedPolicy::ALL), "policy of items that die in another queue";

    moved_max_retries: u32 => u32 = RetryTerms::MAX_RETRIES, stored before as "max_retries_of_moved";
    MovedMaxRetries "moved_max_retries", number::<u32>(0..=100), "retries of items that die in another queue";

    /// Whether letters expire after the queue's `expire_timeout`. By default they do not, so that nothing is lost.
    letters_expire: bool => bool = false, stored before as "is_expiring";
    LettersExpire "letters_expire", flag(), "whether the queue's expire timeout removes letters";

    /// Which failures become letters.
    strategy: Strategy => Strategy = Strategy::default();
    IntegrationStrategy "integration_strategy", one_of(Strategy::ALL), "failures that become letters";

    /// The policy of explicit captures without a policy and without a category.
    default_policy: RetryPolicy => RetryPolicy = RetryPolicy::default();
    DefaultRetryPolicy "default_retry_policy", one_of(RetryPolicy::ALL), "policy of explicit captures without one";

    /// Retries after the first failure, if neither the request nor a rule sets a limit.
    max_retries: u32 => u32 = RetryTerms::MAX_RETRIES;
    DefaultMaxRetries "default_max_retries", number::<u32>(0..=10), "retries of captures without a number";

    /// The maximum number of live letters for captures; moves ignore it.
    max_size: u64 => Option<u64> = None;
    MaxSize "max_size", size(100..=100_000), "live letters that captures may create";

    on_full: OnFull => OnFull = OnFull::default();
    OnFull "on_full", one_of(OnFull::ALL), "treatment of captures into a full queue";

    on_duplicate: OnDuplicate => OnDuplicate = OnDuplicate::default();
    OnDuplicate "on_duplicate", one_of(OnDuplicate::ALL), "treatment of another failure of the same work";

    /// How long a completed letter is kept.
    completed_retention: Span => Span = Span::from_days(7);
    CompletedRetentionSeconds "completed_retention_seconds", seconds(), "how long completed letters are kept";

    /// How long an archived letter is kept; for ever by default. [`LetterOverrides::FOR_EVER`] keeps it even if the
    /// store removes others.
    archive_retention: Span => Option<Span> = None;
    ArchiveRetentionSeconds "archive_retention_seconds", seconds_or("keep"), "how long archived letters are kept";

    /// The maximum size of the content of a captured letter.
    letter_bytes_max: u64 => Option<u64> = None;
    MaxLetterBytes "max_letter_bytes", number::<u64>(1_024..=64 << 20), "size of a letter's content";

    /// The time after which an exhausted letter is archived automatically; never by default, and with
    /// [`LetterOverrides::FOR_EVER`].
    auto_archive: Span => Option<Span> = None;
    AutoArchiveExhaustedSeconds "auto_archive_exhausted_seconds", seconds_or("off"),
        "time until an exhausted letter is archived";

    on_lost_dependency: OnLostDependency => OnLostDependency = OnLostDependency::default();
    OnLostDependency "on_lost_dependency", one_of(OnLostDependency::ALL),
        "treatment of a letter whose dependency is lost";

    /// The delays of the policy `custom`; without them, no letter can have that policy. Those of a queue must have a
    /// text form: a function of one program would be unknown to the next one.
    custom_backoff: CustomBackoff => Option<CustomBackoff> = None;
    CustomBackoff "custom_backoff", delays(), "delays of the policy custom";
}

impl FromStr for LetterSettingKey {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        let name = text.strip_prefix("dlq_").or_else(|| text.strip_prefix("dlq.")).unwrap_or(text);
        let found = Self::ALL.into_iter().find(|key| key.name().eq_ignore_ascii_case(name));
        found.ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|key| key.name()).collect();
            Invalid::new("setting", Problem::UnknownName, text, names.join(", "))
        })
    }
}

/// Replaces an effective value, which may be optional, by the override if there is one.
fn replace<T: Clone, V: From<T>>(effective: &mut V, own: Option<&T>) {
    if let Some(own) = own {
        *effective = own.clone().into();
    }
}
