//! What would become of a failure, before it happens.

use crate::{
    AttemptLimit, Attempts, Category, Decided, Decision, Failure, Fingerprint, Invalid, Policy, PolicySource,
    RetryPolicy, Rule, Span, Status, Terms, Time, WantedTerms,
};

/// A failure as a dead queue would see it, and what follows from it.
///
/// ```
/// use redrive_core::{Explanation, Failure, Policy, Span, Status, WantedTerms};
///
/// let failure = Failure::new("HTTP 503 Service Unavailable");
/// let told = Explanation::of(&failure, &Policy::builder().build()?, WantedTerms::default(), 3)?;
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
    pub terms: Terms,
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
    /// `max_retries` is what holds where neither the caller nor a rule says how often.
    ///
    /// # Errors
    ///
    /// When more retries are asked for than a letter may have.
    pub fn of(failure: &Failure, policy: &Policy, wanted: WantedTerms, max_retries: u32) -> Result<Self, Invalid> {
        let found = policy.classifier().classify(failure, 1);
        let terms = Terms::of(&found, wanted, max_retries);
        let limit = AttemptLimit::of_letter(terms.max_retries)?;
        let named = match terms.source {
            PolicySource::Derived => RetryPolicy::Custom,
            PolicySource::Explicit | PolicySource::Default => terms.policy,
        };
        let (schedule, ends) = foretold(failure, &policy.for_letter(named, limit), terms.max_retries);
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
fn foretold(failure: &Failure, policy: &Policy, max_retries: u32) -> (Vec<PlannedRetry>, Status) {
    let (begin, mut now) = (Time::EPOCH, Time::EPOCH);
    let mut schedule = Vec::new();
    for number in 1..=max_retries.saturating_add(1) {
        let Decided { decision, .. } = policy.decide(failure, Attempts::charged(number, begin), now, 0);
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
