//! What would become of a failure, before it happens.

use crate::{
    AttemptLimit, Attempts, Backoff, Category, Decided, Decision, Failure, Fingerprint, Invalid, LetterDelays,
    LetterTerms, Policy, PolicySource, Problem, RequestedRetry, RetryPolicy, RetryTerms, Rule, Span, Status, Time,
};

/// A failure as a dead queue would see it, and what follows from it.
///
/// ```
/// use redrive_core::{Explanation, Failure, LetterTerms, Policy, RequestedRetry, Span, Status};
///
/// let (failure, policy) = (Failure::new("HTTP 503 Service Unavailable"), Policy::builder().build()?);
/// let interval = LetterTerms::RETRY_INTERVAL;
/// let told = Explanation::of(&failure, &policy, RequestedRetry::default(), 3, None, interval)?;
/// assert_eq!(told.rule.to_string(), "http-text:503");
/// let delays: Vec<Span> = told.schedule.iter().map(|retry| retry.delay).collect();
/// assert_eq!((delays, told.ends), ([1, 2, 4].map(Span::from_mins).to_vec(), Status::Exhausted));
/// # Ok::<(), redrive_core::Invalid>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    pub category: Category,
    pub rule: Rule,
    /// On what the rule decided.
    pub evidence: String,
    pub fingerprint: Fingerprint,
    pub terms: RetryTerms,
    /// What a letter about it is at first.
    pub begins: Status,
    /// The retries that happen by themselves, jitter left out.
    pub schedule: Vec<PlannedRetry>,
    /// What the letter is when all of them have failed.
    pub ends: Status,
}

/// A retry that is still to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlannedRetry {
    /// From 1 on.
    pub number: u32,
    /// After the failure before it.
    pub delay: Span,
    /// After the first failure.
    pub after: Span,
}

impl Explanation {
    /// `max_retries` is what holds where neither the caller nor a rule says how often, `custom` are the delays of the
    /// policy `custom`, and `retry_interval` is one cycle of the retry processor.
    ///
    /// # Errors
    ///
    /// When more retries are asked for than a letter may have, or delays that there are not.
    pub fn of(
        failure: &Failure,
        policy: &Policy,
        wanted: RequestedRetry,
        max_retries: u32,
        custom: Option<&Backoff>,
        retry_interval: Span,
    ) -> Result<Self, Invalid> {
        let found = policy.classifier().classify(failure, 1);
        let terms = RetryTerms::of(&found, wanted, max_retries);
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
        let (schedule, ends) = foretold(failure, policy, letter, terms.max_retries);
        Ok(Self {
            category: found.category,
            evidence: found.grounds.to_string(),
            fingerprint: Fingerprint::of(failure),
            terms,
            begins: if schedule.is_empty() { ends } else { Status::Pending },
            schedule,
            ends,
            rule: found.rule,
        })
    }
}

/// What is decided each time, if every retry fails like the first attempt.
fn foretold(
    failure: &Failure,
    policy: &Policy,
    terms: LetterTerms<'_>,
    max_retries: u32,
) -> (Vec<PlannedRetry>, Status) {
    let (begin, mut now) = (Time::EPOCH, Time::EPOCH);
    let mut schedule = Vec::new();
    for number in 1..=max_retries.saturating_add(1) {
        let Decided { decision, .. } = policy.decide_letter(failure, terms, Attempts::charged(number, begin), now, 0);
        match decision {
            Decision::Retry { at, .. } if number <= max_retries => {
                schedule.push(PlannedRetry { number, delay: at.since(now), after: at.since(begin) });
                now = at;
            }
            // What costs no attempt goes on like that.
            Decision::Retry { .. } | Decision::Defer { .. } => return (schedule, Status::Pending),
            Decision::DeadLetter { reason } | Decision::Drop { reason, .. } => {
                return (schedule, reason.letter_status());
            }
        }
    }
    (schedule, Status::Exhausted)
}
