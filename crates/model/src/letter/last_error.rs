//! Short texts for the failures of a letter, the same for display and search.

use redrive_core::{Cause, DeathReason, Outcome};

use super::{Attempt, FullLetter};

impl FullLetter {
    /// The error of the first failure, or the death reason if no attempt reported an error. Empty if both are unknown.
    pub fn error(&self) -> &str {
        self.or_death(self.attempts.iter().find(|attempt| attempt.cause != Some(Cause::Resumed)))
    }

    /// The error of the newest failure with a known error, or the death reason. Empty if both are unknown.
    pub fn last_error(&self) -> &str {
        self.or_death(self.newest_failure())
    }

    /// The rule that classified the newest failure.
    pub fn matched_rule(&self) -> Option<&str> {
        self.newest_failure().and_then(|attempt| attempt.rule.as_deref())
    }

    fn newest_failure(&self) -> Option<&Attempt> {
        self.attempts.iter().rev().find(|attempt| is_failure(attempt) && error_text(attempt).is_some())
    }

    fn or_death<'l>(&'l self, attempt: Option<&'l Attempt>) -> &'l str {
        let death = self.context.as_ref().and_then(|context| context.death.as_ref());
        attempt.and_then(error_text).or(death.map(|death| reason(death.reason))).unwrap_or_default()
    }
}

/// Whether the attempt is a failure that took effect: a late result changes nothing.
fn is_failure(attempt: &Attempt) -> bool {
    matches!(attempt.outcome, Outcome::Failure | Outcome::Partial) && attempt.cause != Some(Cause::Late)
}

/// The error text, type or cause of a failed attempt. A lost attempt has a cause only.
fn error_text(attempt: &Attempt) -> Option<&str> {
    let cause = attempt.cause.map(|cause| match cause {
        Cause::Lost => "lost",
        Cause::Aborted => "aborted",
        Cause::TimedOut => "timed out",
        Cause::Late => "late",
        Cause::LostDependency => "lost dependency",
        Cause::Resumed => "resumed",
    });
    let error = Some(attempt.error.as_str()).filter(|error| !error.is_empty());
    error.or(attempt.error_type.as_deref()).or(cause)
}

const fn reason(reason: DeathReason) -> &'static str {
    match reason {
        DeathReason::MaxAttempts => "max attempts",
        DeathReason::Expired => "expired",
        DeathReason::GivenUp => "given up",
    }
}
