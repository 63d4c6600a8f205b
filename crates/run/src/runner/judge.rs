//! The failure path: from the end of an attempt to the resolution of its delivery.
//!
//! The only place in a runner that asks the policy. The work of every source passes through here.

use std::collections::BTreeSet;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use redrive_core::{
    Answer, AttemptLimit, Attempts, Category, Classification, DeadReason, Decided, Decision, Evidence, Failure,
    Fingerprint, IoKind, Outcome, Policy, Span, Time, Trigger,
};
use redrive_model::{Attempt, Cause};

use super::task::panic_message;
use crate::{DeadWork, Handled, Resolution, Work};

/// How an attempt ended.
#[derive(Debug)]
pub(crate) enum AttemptEnd {
    Handled(Handled),
    Panicked(String),
    TimedOut(Span),
    /// Stopped because the drain of a shutdown was over.
    Aborted,
}

/// How a delivery is finished, and what the circuit breaker of its destination learns from it.
#[derive(Debug)]
pub(crate) struct Judged {
    pub(crate) resolution: Resolution,
    pub(crate) attempt: Option<Box<Attempt>>,
    pub(crate) signal: CallSignal,
    /// When the work is retried without a charge if its destination is to blame, and not the work.
    pub(crate) spared_until: Option<Time>,
}

/// What a call reports to the circuit breaker of its destination.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallSignal {
    /// The destination answered: by a success, or by a failure that does not pass with time.
    Served,
    /// A failure that may pass with time, and the delay that the destination asked for.
    Failed { category: Category, retry_after: Option<Span> },
    /// No call was made, or its result is unknown.
    Inconclusive,
}

/// When an attempt started, and when it is judged.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Times {
    pub(crate) started_at: Time,
    pub(crate) now: Time,
}

type Decide = dyn Fn(&Work, &Failure) -> Option<Answer> + Send + Sync;

/// A function that is asked about failed work before the policy.
#[derive(Clone)]
pub(crate) struct WorkDecision(pub(crate) Arc<Decide>);

impl fmt::Debug for WorkDecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WorkDecision")
    }
}

/// Decides by the runner's policy, or by the work's own terms where it has them.
#[derive(Debug)]
pub(crate) struct Judge {
    policy: Policy,
    decision: Option<WorkDecision>,
    keeps_successes: bool,
}

impl Judge {
    pub(crate) const fn new(policy: Policy, decision: Option<WorkDecision>, keeps_successes: bool) -> Self {
        Self { policy, decision, keeps_successes }
    }

    fn max_attempts(&self, work: &Work) -> AttemptLimit {
        work.terms.as_ref().map_or_else(|| self.policy.max_attempts(), |terms| terms.limit)
    }

    fn decide<'f>(&self, work: &Work, failure: &'f Failure, attempts: Attempts, now: Time, random: u64) -> Decided<'f> {
        match &work.terms {
            Some(terms) => {
                let found = self.classify(work, failure, attempts.charged);
                self.policy.decide_letter(failure, found, terms.terms(), attempts, now, random)
            }
            None => {
                let answer = self.decision.as_ref().and_then(|WorkDecision(decide)| decide(work, failure));
                self.policy.decide_answered(answer, failure, attempts, now, random)
            }
        }
    }

    /// Classifies a failure. For a letter, the templates of its queue come before the classifier.
    fn classify<'f>(&self, work: &Work, failure: &'f Failure, attempt: u32) -> Classification<'f> {
        let classifier = self.policy.classifier();
        match &work.terms {
            Some(terms) => terms.settings.templates.classify(classifier, failure, attempt).found,
            None => classifier.classify(failure, attempt),
        }
    }

    /// `calls_before` is the number of calls that this delivery has already cost, in a row that has not ended.
    pub(crate) fn judge(&self, work: &Work, end: AttemptEnd, calls_before: u32, times: Times, random: u64) -> Judged {
        let (failure, cause) = match end {
            AttemptEnd::Handled(Handled::Done { result }) => return self.done(work, result, None, times),
            AttemptEnd::Handled(Handled::HandedBack { to }) => return self.done(work, None, Some(to), times),
            AttemptEnd::Handled(Handled::Deferred { until }) => return untried(Resolution::Defer { until }),
            AttemptEnd::Handled(Handled::Untouched) => return untried(Resolution::Release),
            AttemptEnd::Handled(Handled::Failed(failure)) => (*failure, None),
            AttemptEnd::Panicked(message) => (panicked("handler", &message), None),
            AttemptEnd::TimedOut(after) => {
                let failure = Failure::of_kind_named("timeout.attempt", format!("the attempt timed out after {after}"));
                (failure.with_evidence(Evidence::Io(IoKind::TimedOut)), Some(Cause::TimedOut))
            }
            AttemptEnd::Aborted => {
                let failure =
                    Failure::of_kind_named("interrupted.shutdown", "the attempt was stopped at a shutdown".to_owned());
                (failure.with_evidence(Evidence::Io(IoKind::Interrupted)), Some(Cause::Aborted))
            }
        };
        // A shutdown is no reason for a letter. A letter in retry is one already, and counts the attempt.
        if cause == Some(Cause::Aborted) && work.terms.is_none() {
            return self.interrupted(work, &failure, times);
        }
        // The policy may call a user-defined predicate, which may panic.
        let decided =
            catch_unwind(AssertUnwindSafe(|| self.failed(work, (failure.clone(), cause), calls_before, times, random)));
        decided.unwrap_or_else(|panic| self.undecided(work, &failure, times, &panic_message(&*panic)))
    }

    /// Returns work whose attempt was stopped at a shutdown: the attempt does not count.
    fn interrupted(&self, work: &Work, failure: &Failure, times: Times) -> Judged {
        let found = self.classify(work, failure, work.attempt);
        let record = Attempt { cause: Some(Cause::Aborted), ..record_of(work.trigger, failure, &found, false, times) };
        let resolution = Resolution::Retry { at: times.now, charged: false };
        Judged { attempt: Some(Box::new(record)), ..untried(resolution) }
    }

    /// Dead-letters work about which the policy could not decide, so that an operator can.
    fn undecided(&self, work: &Work, failure: &Failure, times: Times, message: &str) -> Judged {
        tracing::error!(id = %work.id, panic = message, "policy panicked; dead-lettering the work");
        let found = self.classify(work, failure, work.attempt);
        let (category, rule) = (found.category, found.rule.clone());
        let attempt = record_of(work.trigger, failure, &found, false, times);
        Judged {
            resolution: dead_letter(DeadReason::Predicate { category, rule }, category, failure.clone()),
            attempt: Some(Box::new(attempt)),
            signal: CallSignal::of(category, None),
            spared_until: None,
        }
    }

    fn done(
        &self,
        work: &Work,
        result: Option<bytes::Bytes>,
        handed_back_to: Option<Arc<str>>,
        times: Times,
    ) -> Judged {
        let attempt = self.keeps_successes.then(|| {
            let mut record = Attempt::new(work.trigger, Outcome::Success);
            record.started_at = Some(times.started_at);
            record.ended_at = Some(times.now);
            record.handed_back_to = handed_back_to;
            Box::new(record)
        });
        Judged { resolution: Resolution::Ack { result }, attempt, signal: CallSignal::Served, spared_until: None }
    }

    fn failed(
        &self,
        work: &Work,
        (mut failure, cause): (Failure, Option<Cause>),
        calls_before: u32,
        times: Times,
        random: u64,
    ) -> Judged {
        let is_partial = keep_known_parts(&mut failure, &work.parts);
        // Rules also see the metadata that was captured with the work.
        for (key, value) in &work.metadata {
            failure.metadata.entry(key.clone()).or_insert_with(|| value.clone());
        }
        let deliveries = work.deliveries.saturating_add(calls_before);
        let attempts = Attempts { deliveries, ..attempts(work, work.attempt) };
        let decided = self.decide(work, &failure, attempts, times.now, random);
        let category = decided.classification.category;
        let record = record_of(work.trigger, &failure, &decided.classification, is_partial, times);
        // The shutdown says nothing about the destination.
        let is_aborted = cause == Some(Cause::Aborted);
        let retry_after = decided.classification.retry_after;
        let signal = if is_aborted { CallSignal::Inconclusive } else { CallSignal::of(category, retry_after) };
        let attempt = Some(Box::new(Attempt { cause, ..record }));
        let spared_until = decided.spared_until.filter(|_| !is_aborted);
        let resolution = match decided.decision {
            Decision::Defer { until } => return untried(Resolution::Defer { until }),
            Decision::Retry { at, charged } => Resolution::Retry { at, charged },
            Decision::Drop { .. } => Resolution::Drop,
            Decision::DeadLetter { reason } => dead_letter(reason, category, failure),
        };
        Judged { resolution, attempt, signal, spared_until }
    }

    /// The resolution of work whose attempts are spent before this one starts, by this runner or by lost claims; `None`
    /// if an attempt is to be made.
    pub(crate) fn spent(&self, work: &Work, times: Times, random: u64) -> Option<Judged> {
        let made = work.attempt.saturating_sub(1);
        let is_spent = work.trigger == Trigger::Automatic && self.max_attempts(work).is_reached(made);
        if !is_spent {
            return None;
        }
        let failure = Failure::of_kind_named(
            "delivery_count_exceeded",
            "its attempts were spent before this one began".to_owned(),
        );
        let decide = || self.decide(work, &failure, attempts(work, made), times.now, random);
        let decided = match catch_unwind(AssertUnwindSafe(decide)) {
            Ok(decided) => decided,
            // No attempt was made, so there is none to record.
            Err(panic) => {
                let undecided = self.undecided(work, &failure, times, &panic_message(&*panic));
                return Some(Judged { attempt: None, signal: CallSignal::Inconclusive, ..undecided });
            }
        };
        let category = decided.classification.category;
        let resolution = match decided.decision {
            Decision::DeadLetter { reason } => dead_letter(reason, category, failure),
            Decision::Drop { .. } => Resolution::Drop,
            // A user-defined predicate or list overrides the limit.
            Decision::Retry { .. } | Decision::Defer { .. } => return None,
        };
        Some(untried(resolution))
    }

    /// The resolution of work that failed permanently before and whose hand-over failed.
    pub(crate) fn hand_over_only(&self, work: &Work) -> Judged {
        let failure =
            Failure::of_kind_named("condemned", "the work failed for good before, and its hand-over failed".to_owned());
        let limit = work.terms.as_ref().map_or_else(|| self.policy.limit(), |terms| terms.limit);
        let found = self.classify(work, &failure, work.attempt);
        let reason =
            DeadReason::Exhausted { attempts: work.attempt, limit, category: found.category, rule: found.rule.clone() };
        let category = found.category;
        untried(dead_letter(reason, category, failure))
    }
}

impl CallSignal {
    const fn of(category: Category, retry_after: Option<Span>) -> Self {
        if category.is_passing() { Self::Failed { category, retry_after } } else { Self::Served }
    }
}

/// The attempts of the work so far, of which `charged` count.
fn attempts(work: &Work, charged: u32) -> Attempts {
    Attempts { deliveries: work.deliveries, ..Attempts::charged(charged, work.since) }
}

/// The result of work without an attempt to record.
pub(super) const fn untried(resolution: Resolution) -> Judged {
    Judged { resolution, attempt: None, signal: CallSignal::Inconclusive, spared_until: None }
}

fn dead_letter(reason: DeadReason, category: Category, failure: Failure) -> Resolution {
    Resolution::DeadLetter(Box::new(DeadWork { reason, category, fingerprint: Fingerprint::of(&failure), failure }))
}

/// The record of a failed or partially failed attempt.
pub(crate) fn record_of(
    trigger: Trigger,
    failure: &Failure,
    found: &Classification<'_>,
    is_partial: bool,
    times: Times,
) -> Attempt {
    Attempt {
        outcome: if is_partial { Outcome::Partial } else { Outcome::Failure },
        started_at: Some(times.started_at),
        ended_at: Some(times.now),
        ..Attempt::failed(trigger, failure, found)
    }
}

/// The failure for a panic with this message.
pub(crate) fn panicked(who: &str, message: &str) -> Failure {
    Failure::of_kind_named("panic", format!("the {who} panicked: {message}"))
}

/// Removes duplicates and failed parts that the work does not have. Returns whether the failure is partial: some, but
/// not all, of the parts failed.
pub(crate) fn keep_known_parts(failure: &mut Failure, parts: &[String]) -> bool {
    let mut seen = BTreeSet::new();
    failure.parts.retain(|part| (parts.is_empty() || parts.contains(part)) && seen.insert(part.clone()));
    !failure.parts.is_empty() && failure.parts.len() != parts.len()
}
