//! The failure path: from what a handler said to how the delivery is finished.
//!
//! The only place that asks the policy. Everything that consumes anything comes through here.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

use redrive_core::{
    Attempts, Category, Classification, DeadReason, Decision, Evidence, Failure, Fingerprint, IoKind, Kind, Outcome,
    Policy, Span, Time, Trigger,
};
use redrive_queue::{Attempt, Cause};

use super::task::words_of;
use crate::{Dead, Handled, Terms, Verb, Work};

/// How an attempt ended.
#[derive(Debug)]
pub(crate) enum End {
    Handled(Handled),
    Panicked(String),
    TimedOut(Span),
    /// Stopped by the end of a shutdown.
    Aborted,
}

/// How a delivery is finished, and what was learned.
#[derive(Debug)]
pub(crate) struct Judged {
    pub(crate) verb: Verb,
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
    /// A queue of a million letters knows a handful of terms.
    by_terms: BTreeMap<Terms, Policy>,
    keeps_successes: bool,
}

impl Judge {
    pub(crate) const fn new(policy: Policy, keeps_successes: bool) -> Self {
        Self { policy, by_terms: BTreeMap::new(), keeps_successes }
    }

    pub(crate) fn policy(&mut self, work: &Work) -> &Policy {
        match work.terms {
            None => &self.policy,
            Some(terms) => {
                let base = &self.policy;
                self.by_terms.entry(terms).or_insert_with(|| base.for_letter(terms.delays(), terms.limit))
            }
        }
    }

    pub(crate) fn judge(&mut self, work: &Work, end: End, times: Times, random: u64) -> Judged {
        let (failure, cause) = match end {
            End::Handled(Handled::Done { result }) => return self.done(work, result, times),
            End::Handled(Handled::Deferred { until }) => return untried(Verb::Defer { until }),
            End::Handled(Handled::Untouched) => return untried(Verb::Release),
            End::Handled(Handled::Failed(failure)) => (*failure, None),
            End::Panicked(words) => (panicked("handler", &words), None),
            End::TimedOut(after) => {
                let failure = of_kind("timeout.attempt", format!("the attempt timed out after {after}"));
                (failure.with_evidence(Evidence::Io(IoKind::TimedOut)), Some(Cause::TimedOut))
            }
            End::Aborted => {
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
            verb: dead_letter(DeadReason::Predicate { category, rule }, category, failure.clone()),
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
        Judged { verb: Verb::Ack { result }, attempt, learned: Learned::Answers }
    }

    fn failed(&mut self, work: &Work, mut failure: Failure, cause: Option<Cause>, times: Times, random: u64) -> Judged {
        let is_partial = keep_known_parts(&mut failure, &work.parts);
        let attempts = Attempts { charged: work.attempt, deliveries: work.deliveries, since: work.since };
        let decided = self.policy(work).decide(&failure, attempts, times.now, random);
        let category = decided.classification.category;
        let record = || {
            let record = record_of(work.trigger, &failure, &decided.classification, is_partial, times);
            Some(Box::new(Attempt { cause, ..record }))
        };
        match decided.decision {
            Decision::Defer { until } => untried(Verb::Defer { until }),
            Decision::Retry { at, charged } => {
                Judged { verb: Verb::Retry { at, charged }, attempt: record(), learned: Learned::Fails(category) }
            }
            Decision::Drop { .. } => Judged { verb: Verb::Drop, attempt: record(), learned: Learned::Fails(category) },
            Decision::DeadLetter { reason } => {
                let attempt = record();
                Judged { verb: dead_letter(reason, category, failure), attempt, learned: Learned::Fails(category) }
            }
        }
    }

    /// Work that is not tried any more: its attempts are spent, whoever spent them.
    pub(crate) fn spent(&mut self, work: &Work, times: Times, random: u64) -> Option<Judged> {
        let made = work.attempt.saturating_sub(1);
        let is_spent = work.trigger == Trigger::Automatic && self.policy(work).max_attempts().is_reached(made);
        if !is_spent {
            return None;
        }
        let failure = of_kind("delivery_count_exceeded", "its attempts were spent before this one began".to_owned());
        let attempts = Attempts { charged: made, deliveries: work.deliveries, since: work.since };
        let policy = self.policy(work);
        let decided = catch_unwind(AssertUnwindSafe(|| policy.decide(&failure, attempts, times.now, random))).ok()?;
        let category = decided.classification.category;
        let verb = match decided.decision {
            Decision::DeadLetter { reason } => dead_letter(reason, category, failure),
            Decision::Drop { .. } => Verb::Drop,
            // A predicate or a list of the user's wants it tried all the same.
            Decision::Retry { .. } | Decision::Defer { .. } => return None,
        };
        Some(Judged { verb, attempt: None, learned: Learned::Nothing })
    }

    /// Work that failed for good before, and whose letter was not taken then.
    pub(crate) fn condemned(&mut self, work: &Work) -> Judged {
        let failure = of_kind("condemned", "it failed for good before, and its letter was not taken".to_owned());
        let limit = self.policy(work).limit();
        let found = self.policy.classifier().classify(&failure, work.attempt);
        let reason =
            DeadReason::Exhausted { attempts: work.attempt, limit, category: found.category, rule: found.rule.clone() };
        let category = found.category;
        Judged { verb: dead_letter(reason, category, failure), attempt: None, learned: Learned::Nothing }
    }
}

const fn untried(verb: Verb) -> Judged {
    Judged { verb, attempt: None, learned: Learned::Nothing }
}

fn dead_letter(reason: DeadReason, category: Category, failure: Failure) -> Verb {
    Verb::DeadLetter(Box::new(Dead { reason, category, fingerprint: Fingerprint::of(&failure), failure }))
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
