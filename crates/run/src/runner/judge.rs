//! The failure path: from what a handler said to how the delivery is finished.
//!
//! The only place in a runner that asks the policy. Everything that consumes anything comes through here.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use redrive_core::{
    AttemptLimit, Attempts, Category, Classification, DeadReason, Decided, Decision, Evidence, Failure, Fingerprint,
    IoKind, Kind, Outcome, Policy, Span, Time, Trigger,
};
use redrive_model::{Attempt, Cause};

use super::task::words_of;
use crate::{DeadWork, Handled, Resolution, Work};

/// How an attempt ended.
#[derive(Debug)]
pub(crate) enum AttemptEnd {
    Handled(Handled),
    Panicked(String),
    TimedOut(Span),
    /// Stopped by the end of a shutdown.
    Aborted,
}

/// How a delivery is finished, and what was learned.
#[derive(Debug)]
pub(crate) struct Judged {
    pub(crate) resolution: Resolution,
    pub(crate) attempt: Option<Box<Attempt>>,
    pub(crate) learned: Learned,
}

/// What an attempt tells about its destination.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Learned {
    Answers,
    Fails(Category),
    Nothing,
}

/// When an attempt was made, and when its end is judged.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Times {
    pub(crate) started_at: Time,
    pub(crate) now: Time,
}

/// Decides by a policy, and by the terms that a piece of work brings along.
#[derive(Debug)]
pub(crate) struct Judge {
    policy: Policy,
    keeps_successes: bool,
}

impl Judge {
    pub(crate) const fn new(policy: Policy, keeps_successes: bool) -> Self {
        Self { policy, keeps_successes }
    }

    /// The most attempts that the work can get.
    fn max_attempts(&self, work: &Work) -> AttemptLimit {
        work.terms.as_ref().map_or_else(|| self.policy.max_attempts(), |terms| terms.limit)
    }

    fn decide<'f>(&self, work: &Work, failure: &'f Failure, charged: u32, now: Time, random: u64) -> Decided<'f> {
        let attempts = Attempts { charged, deliveries: work.deliveries, since: work.since };
        match &work.terms {
            Some(terms) => self.policy.decide_letter(failure, terms.terms(), attempts, now, random),
            None => self.policy.decide(failure, attempts, now, random),
        }
    }

    pub(crate) fn judge(&self, work: &Work, end: AttemptEnd, times: Times, random: u64) -> Judged {
        let (failure, cause) = match end {
            AttemptEnd::Handled(Handled::Done { result }) => return self.done(work, result, times),
            AttemptEnd::Handled(Handled::Deferred { until }) => return untried(Resolution::Defer { until }),
            AttemptEnd::Handled(Handled::Untouched) => return untried(Resolution::Release),
            AttemptEnd::Handled(Handled::Failed(failure)) => (*failure, None),
            AttemptEnd::Panicked(words) => (panicked("handler", &words), None),
            AttemptEnd::TimedOut(after) => {
                let failure = of_kind("timeout.attempt", format!("the attempt timed out after {after}"));
                (failure.with_evidence(Evidence::Io(IoKind::TimedOut)), Some(Cause::TimedOut))
            }
            AttemptEnd::Aborted => {
                let failure = of_kind("interrupted.shutdown", "the attempt was stopped at a shutdown".to_owned());
                (failure.with_evidence(Evidence::Io(IoKind::Interrupted)), Some(Cause::Aborted))
            }
        };
        // The policy may call a predicate of the user's, and that may panic.
        let decided = catch_unwind(AssertUnwindSafe(|| self.failed(work, failure.clone(), cause, times, random)));
        decided.unwrap_or_else(|panic| self.undecided(work, &failure, times, &words_of(&*panic)))
    }

    /// The policy itself failed: nobody knows whether to try again, so a person decides.
    fn undecided(&self, work: &Work, failure: &Failure, times: Times, words: &str) -> Judged {
        tracing::error!(id = %work.id, words, "the policy panicked; the work becomes a letter");
        let found = self.policy.classifier().classify(failure, work.attempt);
        let (category, rule) = (found.category, found.rule.clone());
        let attempt = record_of(work.trigger, failure, &found, false, times);
        Judged {
            resolution: dead_letter(DeadReason::Predicate { category, rule }, category, failure.clone()),
            attempt: Some(Box::new(attempt)),
            learned: Learned::Fails(category),
        }
    }

    fn done(&self, work: &Work, result: Option<bytes::Bytes>, times: Times) -> Judged {
        let attempt = self.keeps_successes.then(|| {
            let mut record = Attempt::new(work.trigger, Outcome::Success);
            record.started_at = Some(times.started_at);
            record.ended_at = Some(times.now);
            Box::new(record)
        });
        Judged { resolution: Resolution::Ack { result }, attempt, learned: Learned::Answers }
    }

    fn failed(&self, work: &Work, mut failure: Failure, cause: Option<Cause>, times: Times, random: u64) -> Judged {
        let is_partial = keep_known_parts(&mut failure, &work.parts);
        let decided = self.decide(work, &failure, work.attempt, times.now, random);
        let category = decided.classification.category;
        let record = || {
            let record = record_of(work.trigger, &failure, &decided.classification, is_partial, times);
            Some(Box::new(Attempt { cause, ..record }))
        };
        match decided.decision {
            Decision::Defer { until } => untried(Resolution::Defer { until }),
            Decision::Retry { at, charged } => Judged {
                resolution: Resolution::Retry { at, charged },
                attempt: record(),
                learned: Learned::Fails(category),
            },
            Decision::Drop { .. } => {
                Judged { resolution: Resolution::Drop, attempt: record(), learned: Learned::Fails(category) }
            }
            Decision::DeadLetter { reason } => {
                let attempt = record();
                Judged {
                    resolution: dead_letter(reason, category, failure),
                    attempt,
                    learned: Learned::Fails(category),
                }
            }
        }
    }

    /// Work that is not tried any more: its attempts are spent, whoever spent them.
    pub(crate) fn spent(&self, work: &Work, times: Times, random: u64) -> Option<Judged> {
        let made = work.attempt.saturating_sub(1);
        let is_spent = work.trigger == Trigger::Automatic && self.max_attempts(work).is_reached(made);
        if !is_spent {
            return None;
        }
        let failure = of_kind("delivery_count_exceeded", "its attempts were spent before this one began".to_owned());
        let decide = || self.decide(work, &failure, made, times.now, random);
        let decided = catch_unwind(AssertUnwindSafe(decide)).ok()?;
        let category = decided.classification.category;
        let resolution = match decided.decision {
            Decision::DeadLetter { reason } => dead_letter(reason, category, failure),
            Decision::Drop { .. } => Resolution::Drop,
            // A predicate or a list of the user's wants it tried all the same.
            Decision::Retry { .. } | Decision::Defer { .. } => return None,
        };
        Some(Judged { resolution, attempt: None, learned: Learned::Nothing })
    }

    /// Work that failed for good before, and whose letter was not taken then.
    pub(crate) fn hand_over_only(&self, work: &Work) -> Judged {
        let failure = of_kind("condemned", "it failed for good before, and its letter was not taken".to_owned());
        let limit = work.terms.as_ref().map_or_else(|| self.policy.limit(), |terms| terms.limit);
        let found = self.policy.classifier().classify(&failure, work.attempt);
        let reason =
            DeadReason::Exhausted { attempts: work.attempt, limit, category: found.category, rule: found.rule.clone() };
        let category = found.category;
        Judged { resolution: dead_letter(reason, category, failure), attempt: None, learned: Learned::Nothing }
    }
}

const fn untried(resolution: Resolution) -> Judged {
    Judged { resolution, attempt: None, learned: Learned::Nothing }
}

fn dead_letter(reason: DeadReason, category: Category, failure: Failure) -> Resolution {
    Resolution::DeadLetter(Box::new(DeadWork { reason, category, fingerprint: Fingerprint::of(&failure), failure }))
}

/// The record of an attempt that failed, of all or of some of its parts.
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

/// The failure of whoever panicked, with these words.
pub(crate) fn panicked(who: &str, words: &str) -> Failure {
    of_kind("panic", format!("the {who} panicked: {words}"))
}

fn of_kind(kind: &str, message: String) -> Failure {
    let mut failure = Failure::new(message);
    failure.error.kind = kind.parse::<Kind>().ok();
    failure
}

/// Keeps of the failed parts those that the work has; whether some of them did not fail.
pub(crate) fn keep_known_parts(failure: &mut Failure, parts: &[String]) -> bool {
    let mut seen = BTreeSet::new();
    failure.parts.retain(|part| (parts.is_empty() || parts.contains(part)) && seen.insert(part.clone()));
    !failure.parts.is_empty() && failure.parts.len() != parts.len()
}
