//! A dry run: how a failure would be classified and retried.

use crate::{
    AttemptLimit, Attempts, Backoff, BrokenRule, Category, Classification, Decided, Decision, Failure, Fingerprint,
    Invalid, LetterDelays, LetterTerms, Policy, PolicySource, Problem, RequestedRetry, RetryPolicy, RetryTerms, Rule,
    Span, Status, Time,
};

/// How a dead queue would classify a failure, and the retry schedule that follows.
///
/// ```
/// use redrive_core::{Explanation, Failure, LetterTerms, Policy, RequestedRetry, Span, Status};
///
/// let (failure, policy) = (Failure::new("HTTP 503 Service Unavailable"), Policy::builder().build()?);
/// let interval = LetterTerms::RETRY_INTERVAL;
/// let classify = |attempt| policy.classifier().classify(&failure, attempt);
/// let explanation = Explanation::of(&failure, &policy, classify, RequestedRetry::default(), 3, None, interval)?;
/// assert_eq!(explanation.rule.to_string(), "http-text:503");
/// let delays: Vec<Span> = explanation.schedule.iter().map(|retry| retry.delay).collect();
/// assert_eq!((delays, explanation.ends), ([1, 2, 4].map(Span::from_mins).to_vec(), Status::Exhausted));
/// # Ok::<(), redrive_core::Invalid>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    pub category: Category,
    pub rule: Rule,
    /// The part of the failure that the rule matched.
    pub evidence: String,
    /// A user rule that cannot be evaluated on this failure and is skipped.
    pub broken_rule: Option<BrokenRule>,
    pub fingerprint: Fingerprint,
    pub terms: RetryTerms,
    /// The status of a new letter for this failure.
    pub begins: Status,
    /// The automatic retries, without jitter.
    pub schedule: Vec<PlannedRetry>,
    /// The status of the letter after all of them have failed.
    pub ends: Status,
}

/// One future retry of a schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlannedRetry {
    /// Counted from 1.
    pub number: u32,
    /// Delay since the previous failure.
    pub delay: Span,
    /// Delay since the first failure.
    pub after: Span,
}

impl Explanation {
    /// Explains `failure`. `classify` classifies the failure of the given attempt. `max_retries` is the default limit
    /// if neither the caller nor a rule sets one, `custom` the delays of the policy `custom`, and `retry_interval` one
    /// cycle of the retry processor.
    ///
    /// # Errors
    ///
    /// If more retries are requested than a letter may have, or the policy `custom` without custom delays.
    pub fn of<'f>(
        failure: &'f Failure,
        policy: &Policy,
        classify: impl Fn(u32) -> Classification<'f>,
        requested: RequestedRetry,
        max_retries: u32,
        custom: Option<&Backoff>,
        retry_interval: Span,
    ) -> Result<Self, Invalid> {
        let found = classify(1);
        let terms = RetryTerms::of(&found, requested, max_retries);
        let limit = AttemptLimit::of_letter(terms.max_retries)?;
        if terms.policy == RetryPolicy::Custom && custom.is_none() {
            let allowed = "never, linear, exponential, immediate; custom where a queue has a custom_backoff";
            return Err(Invalid::new("retry_policy", Problem::Contradiction, terms.policy, allowed));
        }
        let delays = match terms.source {
            PolicySource::Derived => LetterDelays::ByCategory,
            PolicySource::Explicit | PolicySource::Default => LetterDelays::named(terms.policy, custom),
        };
        let letter = LetterTerms { delays, limit, retry_interval };
        let (schedule, ends) = simulate(failure, policy, classify, letter, terms.max_retries);
        Ok(Self {
            category: found.category,
            evidence: found.grounds.to_string(),
            broken_rule: found.broken_rule,
            fingerprint: Fingerprint::of(failure),
            terms,
            begins: if schedule.is_empty() { ends } else { Status::Pending },
            schedule,
            ends,
            rule: found.rule,
        })
    }
}

/// The decisions of the policy if every retry fails like the first attempt.
fn simulate<'f>(
    failure: &'f Failure,
    policy: &Policy,
    classify: impl Fn(u32) -> Classification<'f>,
    terms: LetterTerms<'_>,
    max_retries: u32,
) -> (Vec<PlannedRetry>, Status) {
    let (begin, mut now) = (Time::EPOCH, Time::EPOCH);
    let mut schedule = Vec::new();
    for number in 1..=max_retries.saturating_add(1) {
        let attempts = Attempts::charged(number, begin);
        let Decided { decision, .. } = policy.decide_letter(failure, classify(number), terms, attempts, now, 0);
        match decision {
            Decision::Retry { at, .. } if number <= max_retries => {
                schedule.push(PlannedRetry { number, delay: at.since(now), after: at.since(begin) });
                now = at;
            }
            // A decision that spends no attempt repeats indefinitely.
            Decision::Retry { .. } | Decision::Defer { .. } => return (schedule, Status::Pending),
            Decision::DeadLetter { reason } | Decision::Drop { reason, .. } => {
                return (schedule, reason.letter_status());
            }
        }
    }
    (schedule, Status::Exhausted)
}
