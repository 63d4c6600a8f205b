//! A user-defined function that is evaluated before the error lists and the attempt limit.

use std::fmt;
use std::sync::Arc;

use crate::{Attempts, Classification, Failure};

/// The argument of a predicate.
#[derive(Debug, Clone, Copy)]
pub struct PredicateInput<'a, 'f> {
    pub failure: &'f Failure,
    pub found: &'a Classification<'f>,
    pub attempts: Attempts,
}

/// The result of a predicate. If it returns `None`, the rest of the policy decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// Retry without spending an attempt.
    Retry,
    DeadLetter,
}

type Function = dyn Fn(&PredicateInput<'_, '_>) -> Option<Answer> + Send + Sync;

/// A user-defined function. It must be pure: the same input gives the same answer.
#[derive(Clone)]
pub(super) struct Predicate(Arc<Function>);

impl Predicate {
    pub(super) fn new(predicate: impl Fn(&PredicateInput<'_, '_>) -> Option<Answer> + Send + Sync + 'static) -> Self {
        Self(Arc::new(predicate))
    }

    pub(super) fn evaluate(&self, input: &PredicateInput<'_, '_>) -> Option<Answer> {
        (self.0)(input)
    }
}

impl fmt::Debug for Predicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Predicate")
    }
}
