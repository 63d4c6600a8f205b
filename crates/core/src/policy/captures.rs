//! Which failures become letters.

use super::{CapturedBy, Policy, Strategy};
use crate::{CaptureReason, Classification, Failure};

impl Policy {
    /// Checks whether a failure becomes a letter of a queue with this strategy. Both the policy and the queue must
    /// accept it.
    ///
    /// This is independent of [`decide`](Self::decide): a caller that does not retry captures failures for which
    /// `decide` returns a retry.
    ///
    /// # Errors
    ///
    /// The reason why the failure is not captured.
    pub fn captures(
        &self,
        failure: &Failure,
        found: &Classification<'_>,
        by: CapturedBy,
        queue: Strategy,
    ) -> Result<(), CaptureReason> {
        let is_excluded = || self.exclude.iter().any(|matcher| matcher.matches(failure, found));
        if by == CapturedBy::Automatic && is_excluded() {
            return Err(CaptureReason::SkippedByPolicy);
        }
        let refused = [self.strategy, queue].into_iter().find_map(|strategy| strategy.refuses(by, found.category));
        refused.map_or(Ok(()), |why| Err(why.into()))
    }
}
