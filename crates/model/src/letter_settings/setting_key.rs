//! The settings of a dead queue by name, with values as text.
//!
//! The names and ranges are those of the configuration, so that a user who knows `dlq.max_size` can override it for a
//! queue. A store accepts any value of its types; the ranges here catch typing mistakes of users, such as an extra
//! zero.

use std::ops::RangeInclusive;
use std::str::FromStr;

use redrive_core::{Invalid, MovedPolicy, OnDuplicate, OnFull, OnLostDependency, Problem, RetryPolicy, Span, Strategy};

use super::{LetterOverrides, LetterSettings};

/// A setting of a dead queue that can override the default of the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LetterSettingKey {
    IntegrationStrategy,
    DefaultRetryPolicy,
    DefaultMaxRetries,
    MaxSize,
    OnFull,
    OnDuplicate,
    CompletedRetentionSeconds,
    ArchiveRetentionSeconds,
    MaxLetterBytes,
    MovedRetryPolicy,
    MovedMaxRetries,
    LettersExpire,
    AutoArchiveExhaustedSeconds,
    OnLostDependency,
    CustomBackoff,
}

impl LetterSettingKey {
    pub const ALL: [Self; 15] = [
        Self::IntegrationStrategy,
        Self::DefaultRetryPolicy,
        Self::DefaultMaxRetries,
        Self::MaxSize,
        Self::OnFull,
        Self::OnDuplicate,
        Self::CompletedRetentionSeconds,
        Self::ArchiveRetentionSeconds,
        Self::MaxLetterBytes,
        Self::MovedRetryPolicy,
        Self::MovedMaxRetries,
        Self::LettersExpire,
        Self::AutoArchiveExhaustedSeconds,
        Self::OnLostDependency,
        Self::CustomBackoff,
    ];

    pub const MAX_RETRIES: RangeInclusive<u64> = 0..=10;
    pub const MOVED_MAX_RETRIES: RangeInclusive<u64> = 0..=100;
    pub const MAX_SIZE: RangeInclusive<u64> = 100..=100_000;
    pub const LETTER_BYTES: RangeInclusive<u64> = 1_024..=64 << 20;
    /// Up to a hundred years: a longer time is a mistake in the unit.
    pub const RETENTION_SECONDS: RangeInclusive<u64> = 0..=100 * 365 * 86_400;

    pub const fn name(self) -> &'static str {
        match self {
            Self::IntegrationStrategy => "integration_strategy",
            Self::DefaultRetryPolicy => "default_retry_policy",
            Self::DefaultMaxRetries => "default_max_retries",
            Self::MaxSize => "max_size",
            Self::OnFull => "on_full",
            Self::OnDuplicate => "on_duplicate",
            Self::CompletedRetentionSeconds => "completed_retention_seconds",
            Self::ArchiveRetentionSeconds => "archive_retention_seconds",
            Self::MaxLetterBytes => "max_letter_bytes",
            Self::MovedRetryPolicy => "moved_retry_policy",
            Self::MovedMaxRetries => "moved_max_retries",
            Self::LettersExpire => "letters_expire",
            Self::AutoArchiveExhaustedSeconds => "auto_archive_exhausted_seconds",
            Self::OnLostDependency => "on_lost_dependency",
            Self::CustomBackoff => "custom_backoff",
        }
    }

    /// What the setting sets, in a few words.
    pub const fn description(self) -> &'static str {
        match self {
            Self::IntegrationStrategy => "failures that become letters",
            Self::DefaultRetryPolicy => "policy of explicit captures without one",
            Self::DefaultMaxRetries => "retries of captures without a number",
            Self::MaxSize => "live letters that captures may create",
            Self::OnFull => "treatment of captures into a full queue",
            Self::OnDuplicate => "treatment of another failure of the same work",
            Self::CompletedRetentionSeconds => "how long completed letters are kept",
            Self::ArchiveRetentionSeconds => "how long archived letters are kept",
            Self::MaxLetterBytes => "size of a letter's content",
            Self::MovedRetryPolicy => "policy of items that die in another queue",
            Self::MovedMaxRetries => "retries of items that die in another queue",
            Self::LettersExpire => "whether the queue's expire timeout removes letters",
            Self::AutoArchiveExhaustedSeconds => "time until an exhausted letter is archived",
            Self::OnLostDependency => "treatment of a letter whose dependency is lost",
            Self::CustomBackoff => "delays of the policy custom",
        }
    }

    /// The allowed values, as text.
    pub fn allowed(self, store: &LetterSettings) -> String {
        let numbers = |range: RangeInclusive<u64>| format!("{} to {}", range.start(), range.end());
        let or = |range: RangeInclusive<u64>, word: &str| format!("{} to {}, or {word}", range.start(), range.end());
        match self {
            Self::IntegrationStrategy => names(Strategy::ALL),
            Self::DefaultRetryPolicy => names(RetryPolicy::ALL),
            Self::MovedRetryPolicy => names(MovedPolicy::ALL),
            Self::DefaultMaxRetries => numbers(Self::MAX_RETRIES),
            Self::MaxSize if store.allows_large => format!("{} or more", Self::MAX_SIZE.start()),
            Self::MaxSize => numbers(Self::MAX_SIZE),
            Self::OnFull => names(OnFull::ALL),
            Self::OnDuplicate => names(OnDuplicate::ALL),
            Self::CompletedRetentionSeconds => numbers(Self::RETENTION_SECONDS),
            Self::ArchiveRetentionSeconds => or(Self::RETENTION_SECONDS, "keep"),
            Self::MaxLetterBytes => numbers(Self::LETTER_BYTES),
            Self::MovedMaxRetries => numbers(Self::MOVED_MAX_RETRIES),
            Self::LettersExpire => "true, false".to_owned(),
            Self::AutoArchiveExhaustedSeconds => or(Self::RETENTION_SECONDS, "off"),
            Self::OnLostDependency => names(OnLostDependency::ALL),
            Self::CustomBackoff => "delays, as in: list 1s 5s 1m".to_owned(),
        }
    }

    /// Parses and sets the value of the setting.
    ///
    /// # Errors
    ///
    /// If the value is invalid or out of range. Nothing is changed then.
    pub fn set(self, settings: &mut LetterOverrides, store: &LetterSettings, text: &str) -> Result<(), Invalid> {
        let name = self.name();
        match self {
            Self::IntegrationStrategy => settings.strategy = Some(member(name, text)?),
            Self::DefaultRetryPolicy => settings.default_policy = Some(member(name, text)?),
            Self::DefaultMaxRetries => settings.max_retries = Some(small(name, text, Self::MAX_RETRIES)?),
            Self::MaxSize => settings.max_size = Some(Self::size(text, store.allows_large)?),
            Self::OnFull => settings.on_full = Some(member(name, text)?),
            Self::OnDuplicate => settings.on_duplicate = Some(member(name, text)?),
            Self::CompletedRetentionSeconds => {
                settings.completed_retention = Some(seconds(name, text, Self::RETENTION_SECONDS, None)?);
            }
            Self::ArchiveRetentionSeconds => {
                settings.archive_retention = Some(seconds(name, text, Self::RETENTION_SECONDS, Some("keep"))?);
            }
            Self::MaxLetterBytes => settings.letter_bytes_max = Some(number(name, text, Self::LETTER_BYTES)?),
            Self::MovedRetryPolicy => settings.moved_policy = Some(member(name, text)?),
            Self::MovedMaxRetries => settings.moved_max_retries = Some(small(name, text, Self::MOVED_MAX_RETRIES)?),
            Self::LettersExpire => settings.letters_expire = Some(flag(name, text)?),
            Self::AutoArchiveExhaustedSeconds => {
                settings.auto_archive = Some(seconds(name, text, Self::RETENTION_SECONDS, Some("off"))?);
            }
            Self::OnLostDependency => settings.on_lost_dependency = Some(member(name, text)?),
            Self::CustomBackoff => settings.custom_backoff = Some(member(name, text)?),
        }
        Ok(())
    }

    /// Removes the override, so that the default of the store applies again.
    pub fn reset(self, settings: &mut LetterOverrides) {
        match self {
            Self::IntegrationStrategy => settings.strategy = None,
            Self::DefaultRetryPolicy => settings.default_policy = None,
            Self::DefaultMaxRetries => settings.max_retries = None,
            Self::MaxSize => settings.max_size = None,
            Self::OnFull => settings.on_full = None,
            Self::OnDuplicate => settings.on_duplicate = None,
            Self::CompletedRetentionSeconds => settings.completed_retention = None,
            Self::ArchiveRetentionSeconds => settings.archive_retention = None,
            Self::MaxLetterBytes => settings.letter_bytes_max = None,
            Self::MovedRetryPolicy => settings.moved_policy = None,
            Self::MovedMaxRetries => settings.moved_max_retries = None,
            Self::LettersExpire => settings.letters_expire = None,
            Self::AutoArchiveExhaustedSeconds => settings.auto_archive = None,
            Self::OnLostDependency => settings.on_lost_dependency = None,
            Self::CustomBackoff => settings.custom_backoff = None,
        }
    }

    /// Whether the queue overrides the setting.
    pub fn is_own(self, settings: &LetterOverrides) -> bool {
        match self {
            Self::IntegrationStrategy => settings.strategy.is_some(),
            Self::DefaultRetryPolicy => settings.default_policy.is_some(),
            Self::DefaultMaxRetries => settings.max_retries.is_some(),
            Self::MaxSize => settings.max_size.is_some(),
            Self::OnFull => settings.on_full.is_some(),
            Self::OnDuplicate => settings.on_duplicate.is_some(),
            Self::CompletedRetentionSeconds => settings.completed_retention.is_some(),
            Self::ArchiveRetentionSeconds => settings.archive_retention.is_some(),
            Self::MaxLetterBytes => settings.letter_bytes_max.is_some(),
            Self::MovedRetryPolicy => settings.moved_policy.is_some(),
            Self::MovedMaxRetries => settings.moved_max_retries.is_some(),
            Self::LettersExpire => settings.letters_expire.is_some(),
            Self::AutoArchiveExhaustedSeconds => settings.auto_archive.is_some(),
            Self::OnLostDependency => settings.on_lost_dependency.is_some(),
            Self::CustomBackoff => settings.custom_backoff.is_some(),
        }
    }

    /// The effective value of the queue, as text.
    pub fn shown(self, settings: &LetterOverrides, store: &LetterSettings) -> String {
        let effective = settings.over(store);
        let maybe = |number: Option<u64>| number.map_or_else(|| "unlimited".to_owned(), |number| number.to_string());
        let lasting = |span: Option<Span>, never: &str| span.map_or_else(|| never.to_owned(), shown_seconds);
        match self {
            Self::IntegrationStrategy => effective.strategy().to_string(),
            Self::DefaultRetryPolicy => effective.default_policy.to_string(),
            Self::DefaultMaxRetries => effective.max_retries.to_string(),
            Self::MaxSize => maybe(effective.max_size),
            Self::OnFull => effective.on_full.to_string(),
            Self::OnDuplicate => effective.on_duplicate.to_string(),
            Self::CompletedRetentionSeconds => shown_seconds(effective.completed_retention),
            Self::ArchiveRetentionSeconds => lasting(effective.archive_retention, "keep"),
            Self::MaxLetterBytes => maybe(effective.letter_bytes_max),
            Self::MovedRetryPolicy => effective.moved_policy.to_string(),
            Self::MovedMaxRetries => effective.moved_max_retries.to_string(),
            Self::LettersExpire => effective.letters_expire.to_string(),
            Self::AutoArchiveExhaustedSeconds => lasting(effective.auto_archive, "off"),
            Self::OnLostDependency => effective.on_lost_dependency.to_string(),
            Self::CustomBackoff => {
                effective.custom_backoff.map_or_else(|| "none".to_owned(), |custom| custom.to_string())
            }
        }
    }

    /// Parses a value of `max_size`.
    ///
    /// # Errors
    ///
    /// If it is not a number or out of range.
    pub fn size(text: &str, allows_large: bool) -> Result<u64, Invalid> {
        let range = if allows_large { *Self::MAX_SIZE.start()..=u64::MAX } else { Self::MAX_SIZE };
        number(Self::MaxSize.name(), text, range).map_err(|invalid| {
            let allowed = format!("{}, more only with dlq_allow_large", invalid.allowed);
            if allows_large { invalid } else { Invalid { allowed, ..invalid } }
        })
    }
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

/// The names of a closed set.
fn names<T: ToString>(all: &[T]) -> String {
    all.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn member<T: FromStr<Err = Invalid>>(name: &str, text: &str) -> Result<T, Invalid> {
    text.parse().map_err(|invalid: Invalid| invalid.at(name))
}

fn number(name: &str, text: &str, range: RangeInclusive<u64>) -> Result<u64, Invalid> {
    let found = text.parse().ok().filter(|number| range.contains(number));
    let allowed = match *range.end() {
        u64::MAX => format!("{} or more", range.start()),
        most => format!("{} to {most}", range.start()),
    };
    found.ok_or_else(|| Invalid::new(name, Problem::OutOfRange, text, allowed))
}

fn small(name: &str, text: &str, range: RangeInclusive<u64>) -> Result<u32, Invalid> {
    number(name, text, range).map(|number| u32::try_from(number).unwrap_or(u32::MAX))
}

/// Parses a number of seconds, or the word for an infinite time.
fn seconds(name: &str, text: &str, range: RangeInclusive<u64>, never: Option<&str>) -> Result<Span, Invalid> {
    if never.is_some_and(|never| never.eq_ignore_ascii_case(text)) {
        return Ok(LetterOverrides::FOR_EVER);
    }
    number(name, text, range).map(Span::from_secs).map_err(|invalid| {
        let or_never = never.map(|never| format!(", or {never}")).unwrap_or_default();
        Invalid { allowed: format!("{}{or_never}", invalid.allowed), ..invalid }
    })
}

fn shown_seconds(span: Span) -> String {
    (span.as_micros() / 1_000_000).to_string()
}

fn flag(name: &str, text: &str) -> Result<bool, Invalid> {
    let wrong = |_| Invalid::new(name, Problem::UnknownName, text, "true, false");
    text.to_ascii_lowercase().parse().map_err(wrong)
}
