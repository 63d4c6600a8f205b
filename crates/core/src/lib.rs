//! Redrive's vocabulary and all of its decisions.
//!
//! [`Failure`] describes what failed, [`Classifier`] assigns it a category, [`Policy`] and [`Backoff`] decide whether
//! and when it is retried, [`Breaker`] decides whether its destination is called at all, and [`Fingerprint`] groups
//! failures with the same cause. All of them are values and pure functions, and every source uses them.
//!
//! It is not a runtime: this crate has no IO, no clock, no source of randomness and no global counters. Time and
//! random numbers are arguments, so the same history gives the same decisions in production, in a test, in a
//! simulation and in recovery.
//!
//! ```
//! use redrive_core::{Attempts, Decision, Failure, Policy, Span, Time};
//!
//! let policy = Policy::builder().max_attempts(3).build().unwrap();
//! let now: Time = "2026-11-15T12:00:00Z".parse().unwrap();
//!
//! let failure = Failure::new("HTTP 429 Too Many Requests").with_retry_after(Span::from_mins(7));
//! let decided = policy.decide(&failure, Attempts::charged(1, now), now, 0);
//!
//! assert_eq!(decided.classification.rule.to_string(), "http-text:429");
//! assert_eq!(decided.decision.to_string(), "retry at 2026-11-15T12:07:00.000Z");
//! ```
//!
//! # Modules
//!
//! | module | content | start reading at |
//! |---|---|---|
//! | `failure` | a failure: the error, its causes, typed evidence | [`Failure`] |
//! | `classify` | from a failure to one of six categories, with the rule and the evidence | [`Classifier::classify`] |
//! | `policy` | whether work is retried: limits, lists, deadline, strategy, templates | `policy/decide.rs`: the order of the steps |
//! | `backoff` | delays: curve, cap, jitter | [`Backoff::delay`] |
//! | `breaker` | circuit breakers: whether the destination is called at all | [`Breaker`] |
//! | `fingerprint` | groups failures with the same cause | [`Fingerprint::of`] |
//! | `explain` | a dry run: how a failure would be classified and retried | [`Explanation`] |
//! | `ids` | KSUIDs, typed ids, names | [`Generator`] |
//! | `time` | microseconds: [`Time`] (of day), [`MonotonicTime`], [`Span`] | |
//! | `vocabulary`, `category` | the closed sets of names on the wire | |
//! | `expression`, `pattern`, `rewrite` | CEL expressions, compiled once and bounded in cost | `expression.rs` |
//! | `condition`, `condition_fields` | conditions over fields, with times, durations and keys that may be missing | [`Condition`] |
//! | `metadata`, `json` | metadata that callers attach to work, and how expressions read it | |
//! | `invalid` | the error of all configuration values | [`Invalid`] |
//! | `closed_set`, `as_text`, `number_or_text`, `random` | wire formats of several types; the numbers of a seed | |
//!
//! # Invariants
//!
//! - It has no IO and is deterministic. Time and random numbers are arguments, and there is no counter and no log.
//! - `policy/decide.rs` is the only place that decides whether failed work is retried; for a letter it decides as for
//!   work whose first attempt was the captured failure.
//! - Handlers report evidence, only this crate classifies. A surface with its own codes adds rules before the table,
//!   and not a second table.
//! - Internally an attempt limit is a total, `unlimited` or at least 1. Every surface that counts differently has one
//!   conversion, in `policy/attempts.rs`, and one test.
//! - External input is bounded: 8 KiB of a text are classified, 32 causes are kept, there are up to 1 000 user rules, 1
//!   KiB of CEL with a bounded cost, and a bounded number of circuit breakers. No input can cause a panic.

mod as_text;
mod backoff;
mod breaker;
mod category;
mod classify;
mod closed_set;
mod condition;
mod condition_fields;
mod explain;
mod expression;
mod failure;
mod fingerprint;
mod ids;
mod invalid;
mod json;
mod metadata;
mod number_or_text;
mod pattern;
mod policy;
mod random;
mod rewrite;
mod secret;
mod time;
mod vocabulary;

pub use backoff::{
    Backoff, BackoffSpec, Curve, CustomBackoff, CustomDelay, Factor, Formula, Jitter, JitterSpec, MovedPolicy,
    RetryPolicy,
};
pub use breaker::{
    Breaker, BreakerConfig, BreakerState, Breakers, Failed, FailedCall, KeyedPermit, Permit, RowVerdict, RowVerdicts,
    Served,
};
pub use category::Category;
pub use classify::{BrokenRule, Classification, Classifier, Grounds, Overrides, Rule, RuleField, RuleSpec};
pub use condition::{Condition, Operand};
pub use condition_fields::ConditionFields;
pub use explain::{Explanation, PlannedRetry};
pub use failure::{Evidence, Failure, GrpcCode, IoKind, Kind, Link, SqlState};
pub use fingerprint::{Fingerprint, Frame, Trace, normalise};
pub use ids::{Generator, ItemId, Ksuid, KsuidError, LetterId, NameError, NamespaceName, QueueName, TargetName};
pub use invalid::{Invalid, Problem};
pub use metadata::Metadata;
pub use policy::{
    Answer, AttemptLimit, Attempts, CapturedBy, DeadReason, Decided, Decision, DelayHint, DropReason, ErrorMatcher,
    LetterDelays, LetterTerms, Policy, PolicyBuilder, PolicySpec, PredicateInput, RequestedRetry, RetryTerms, Strategy,
    Template,
};
pub use random::SplitMix64;
pub use secret::Secret;
pub use time::{MonotonicTime, Span, SpanError, Time, TimeOrAge};
pub use vocabulary::{
    CaptureReason, Cause, DeathReason, OnDuplicate, OnFull, OnLostDependency, OnOutage, Outcome, PersistOutcome,
    PolicySource, Priority, Status, Trigger,
};
