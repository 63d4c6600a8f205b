//! Which failures become letters.

use super::{CapturedBy, Policy, Strategy};
use crate::{CaptureReason, Classification, Failure};

impl Policy {
    /// Whether a failure becomes a letter of a queue with this strategy: the policy and the queue must agree.
    ///
    /// It is not what [`decide`](Self::decide) says: whoever does not retry keeps a failure for which that says "retry".
    ///
    /// # Errors
    ///
    /// With the reason why it does not.
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
