//! The category of a failure, which decides whether it is retried.

use crate::RetryPolicy;
use crate::closed_set::closed_set;

closed_set! {
    /// Why an attempt failed, as far as retrying is concerned.
    pub enum Category ("category") {
        /// The destination is reachable but temporarily cannot serve the request: throttling, locks, restarts.
        Transient = "transient",
        /// The destination, or its response, could not be reached.
        Network = "network",
        /// Memory, disk or quota is exhausted: needs time or an operator.
        Resource = "resource",
        /// The caller lacks the permission.
        Permission = "permission",
        /// The input is invalid; the same input fails again.
        Validation = "validation",
        /// Everything else. Not retried: blind retries of an unknown error multiply one fault by every attempt.
        Permanent = "permanent",
    }
}

impl Category {
    /// The retry policy of a letter of this category that has no explicit policy.
    pub const fn derived_policy(self) -> RetryPolicy {
        match self {
            Self::Transient | Self::Network => RetryPolicy::Exponential,
            Self::Resource => RetryPolicy::Linear,
            Self::Permission | Self::Validation | Self::Permanent => RetryPolicy::Never,
        }
    }

    /// Whether the same work may succeed later without a change.
    ///
    /// A breaker counts only these failures, and the selective strategy captures only these. The other categories are
    /// caused by the work and say nothing about the destination.
    pub const fn is_passing(self) -> bool {
        matches!(self, Self::Transient | Self::Network | Self::Resource)
    }
}
