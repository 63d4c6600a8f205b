//! The user's own word on a failure, before all lists and counts.

use std::fmt;
use std::sync::Arc;

use crate::{Attempts, Classification, Failure};

/// What a predicate is asked about.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a, 'f> {
    pub failure: &'f Failure,
    pub found: &'a Classification<'f>,
    pub attempts: Attempts,
}

/// What a predicate may answer; without an answer the rest of the policy decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// Try again, without charge.
    Retry,
    DeadLetter,
}

type Function = dyn Fn(&Question<'_, '_>) -> Option<Answer> + Send + Sync;

/// A function of the user's. It must be pure: the same question, the same answer.
#[derive(Clone)]
pub(super) struct Predicate(Arc<Function>);

impl Predicate {
    pub(super) fn new(predicate: impl Fn(&Question<'_, '_>) -> Option<Answer> + Send + Sync + 'static) -> Self {
        Self(Arc::new(predicate))
    }

    pub(super) fn answer(&self, question: &Question<'_, '_>) -> Option<Answer> {
        (self.0)(question)
    }
}

impl fmt::Debug for Predicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Predicate")
    }
}
