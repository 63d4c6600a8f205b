//! The rules by which failed work is tried again, parked or given up.

mod attempts;
mod builder;
mod captures;
mod decide;
mod decision;
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
pub use error_matcher::ErrorMatcher;
pub use letter_terms::{LetterDelays, LetterTerms};
pub use policy::Policy;
pub use predicate::{Answer, Question};
pub use spec::PolicySpec;
pub use strategy::{CapturedBy, DropReason, Strategy};
pub use template::Template;
pub use terms::{RequestedRetry, RetryTerms};
