//! Redrive's vocabulary and all of its decisions.
//!
//! [`Failure`] describes what failed, [`Classifier`] assigns it a category, [`Policy`] and [`Backoff`] decide whether
//! and when it is retried, [`Breaker`] decides whether its destination is called at all, and [`Fingerprint`] groups
//! failures with the same cause. All of them are values and pure functions, and every source uses them.
//!
//! It is not a runtime: this crate has no IO, no clock, no random number generator and no global counters. Time and
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
mod time;
mod vocabulary;

pub use backoff::{
    Backoff, BackoffSpec, Curve, CustomBackoff, CustomDelay, Factor, Formula, Jitter, JitterSpec, MovedPolicy,
    RetryPolicy,
};
pub use breaker::{Admission, Breaker, BreakerChange, BreakerConfig, BreakerState, Breakers, KeyedPermit, Permit};
pub use category::Category;
pub use classify::{BrokenRule, Classification, Classifier, Grounds, Overrides, Rule, RuleField, RuleSpec};
pub use condition::{Condition, Operand};
pub use condition_fields::ConditionFields;
pub use explain::{Explanation, PlannedRetry};
pub use failure::{Evidence, Failure, GrpcCode, IoKind, Kind, Link, SqlState};
pub use fingerprint::{Fingerprint, Frame, Trace, normalise};
pub use ids::{
    ClaimToken, Generator, ItemId, Ksuid, KsuidError, LetterId, NameError, NamespaceName, QueueName, TargetName,
};
pub use invalid::{Invalid, Problem};
pub use metadata::Metadata;
pub use policy::{
    Answer, AttemptLimit, Attempts, Blame, CapturedBy, DeadReason, Decided, Decision, DelayHint, DropReason,
    ErrorMatcher, LetterDelays, LetterTerms, Policy, PolicyBuilder, PolicySpec, PredicateInput, RequestedRetry,
    RetryTerms, Strategy, Template,
};
pub use random::SplitMix64;
pub use time::{MonotonicTime, Span, SpanError, Time, TimeOrAge};
pub use vocabulary::{
    CaptureReason, Cause, DeathReason, OnDuplicate, OnFull, OnLostDependency, OnOutage, Outcome, PersistOutcome,
    PolicySource, Priority, Status, Trigger,
};
