//! The policy that decides whether failed work is retried, deferred, dead-lettered or dropped.

mod attempts;
mod builder;
mod captures;
mod decide;
mod decision;
mod delay_hint;
mod error_matcher;
mod letter_terms;
mod policy;
mod predicate;
mod spec;
mod strategy;
mod template;
mod terms;

pub use attempts::{AttemptLimit, Attempts};
pub use builder::PolicyBuilder;
pub use decision::{DeadReason, Decided, Decision};
pub use delay_hint::DelayHint;
pub use error_matcher::ErrorMatcher;
pub use letter_terms::{LetterDelays, LetterTerms};
pub use policy::Policy;
pub use predicate::{Answer, PredicateInput};
pub use spec::PolicySpec;
pub use strategy::{CapturedBy, DropReason, Strategy};
pub use template::Template;
pub use terms::{RequestedRetry, RetryTerms};
