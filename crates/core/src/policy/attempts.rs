//! Attempt limits: one internal meaning, one conversion per API.
//!
//! Every system that Redrive unites has such a limit, and no two agree on its meaning: retries after the first attempt,
//! total calls, deliveries, "0 is unlimited", "0 is once". Internally it is always the total number of attempts.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::number_or_text::NumberOrText;
use crate::{Invalid, Problem, Time};

/// The maximum number of attempts in total.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AttemptLimit {
    AtMost(NonZeroU32),
    Unlimited,
}

impl AttemptLimit {
    pub const ONE: Self = Self::AtMost(NonZeroU32::MIN);
    /// The default limit of a letter: three retries.
    pub(super) const LETTER: Self = Self::AtMost(NonZeroU32::MIN.saturating_add(3));
    /// Maximum of a letter's `max_retries`.
    pub const LETTER_RETRIES_MAX: u32 = 100;
    /// Maximum of a queue's `max_attempts`.
    pub const QUEUE_ATTEMPTS_MAX: u32 = 65_536;

    pub fn at_most(attempts: u32) -> Result<Self, Invalid> {
        NonZeroU32::new(attempts).map(Self::AtMost).ok_or_else(|| {
            Invalid::new("max_attempts", Problem::OutOfRange, attempts, "1 or more (1 = no retry), or unlimited")
        })
    }

    /// From a letter's `max_retries`: retries after the first failure.
    pub fn of_letter(max_retries: u32) -> Result<Self, Invalid> {
        if max_retries > Self::LETTER_RETRIES_MAX {
            let allowed = format!("0 to {}", Self::LETTER_RETRIES_MAX);
            return Err(Invalid::new("max_retries", Problem::OutOfRange, max_retries, allowed));
        }
        Ok(Self::AtMost(NonZeroU32::MIN.saturating_add(max_retries)))
    }

    /// From the Kafka consumer's `max_retries`: the number of the last attempt.
    pub fn of_kafka_consumer(max_retries: u32) -> Result<Self, Invalid> {
        NonZeroU32::new(max_retries).map(Self::AtMost).ok_or_else(|| {
            Invalid::new("max_retries", Problem::OutOfRange, max_retries, "1 or more; for no retry, use 1")
        })
    }

    /// From a pipeline module's `max_retries`: total calls; values below 1 mean 1.
    pub fn of_pipeline_module(max_retries: i32) -> Self {
        let calls = u32::try_from(max_retries).ok().and_then(NonZeroU32::new);
        Self::AtMost(calls.unwrap_or(NonZeroU32::MIN))
    }

    /// From a queue's `max_attempts`: total attempts; 0 means unlimited.
    pub fn of_queue(max_attempts: i32) -> Result<Self, Invalid> {
        let attempts = u32::try_from(max_attempts).ok().filter(|attempts| *attempts <= Self::QUEUE_ATTEMPTS_MAX);
        let attempts = attempts.ok_or_else(|| {
            let allowed = format!("0 (unlimited) to {}", Self::QUEUE_ATTEMPTS_MAX);
            Invalid::new("max_attempts", Problem::OutOfRange, max_attempts, allowed)
        })?;
        Ok(NonZeroU32::new(attempts).map_or(Self::Unlimited, Self::AtMost))
    }

    /// From a mailbox's `max_delivery_count`: deliveries that reach the handler.
    pub fn of_mailbox(max_delivery_count: u32) -> Result<Self, Invalid> {
        NonZeroU32::new(max_delivery_count)
            .map(Self::AtMost)
            .ok_or_else(|| Invalid::new("max_delivery_count", Problem::OutOfRange, max_delivery_count, "1 or more"))
    }

    /// Whether `made` attempts reach the limit.
    pub fn is_reached(self, made: u32) -> bool {
        matches!(self, Self::AtMost(most) if made >= most.get())
    }
}

impl FromStr for AttemptLimit {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        if text.eq_ignore_ascii_case("unlimited") {
            return Ok(Self::Unlimited);
        }
        let malformed =
            |_| Invalid::new("max_attempts", Problem::Malformed, text, "1 or more (1 = no retry), or unlimited");
        Self::at_most(text.parse().map_err(malformed)?)
    }
}

impl Serialize for AttemptLimit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::AtMost(most) => serializer.serialize_u32(most.get()),
            Self::Unlimited => serializer.serialize_str("unlimited"),
        }
    }
}

impl<'de> Deserialize<'de> for AttemptLimit {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        NumberOrText::deserialize(deserializer)?.0.parse().map_err(serde::de::Error::custom)
    }
}

impl fmt::Display for AttemptLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtMost(most) => most.fmt(f),
            Self::Unlimited => f.write_str("unlimited"),
        }
    }
}

/// The attempts of a piece of work, including the one that just failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attempts {
    /// Attempts that count towards the limit, including the one that just failed.
    pub charged: u32,
    /// All deliveries, including those that spent no attempt.
    pub deliveries: u32,
    /// When the work was first due. The deadline counts from here.
    pub since: Time,
}

impl Attempts {
    /// Every delivery spent an attempt.
    pub const fn charged(attempts: u32, since: Time) -> Self {
        Self { charged: attempts, deliveries: attempts, since }
    }
}
