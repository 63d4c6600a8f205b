//! What kind of fault a failure is: the one thing that retrying depends on.

use crate::RetryPolicy;
use crate::closed_set::closed_set;

closed_set! {
    /// Why an attempt failed, as far as retrying is concerned.
    pub enum Category ("category") {
        /// The other side is there but cannot serve just now: throttling, locks, restarts.
        Transient = "transient",
        /// The other side was not reached, or its answer was not.
        Network = "network",
        /// Memory, disk, quota: needs time or an operator.
        Resource = "resource",
        /// The caller may not do this.
        Permission = "permission",
        /// The input is wrong and stays wrong.
        Validation = "validation",
        /// Everything else. Retrying something unknown blindly is how one fault becomes a thousand.
        Permanent = "permanent",
    }
}

impl Category {
    /// The retry policy that a letter of this category gets when nobody named one.
    pub const fn derived_policy(self) -> RetryPolicy {
        match self {
            Self::Transient | Self::Network => RetryPolicy::Exponential,
            Self::Resource => RetryPolicy::Linear,
            Self::Permission | Self::Validation | Self::Permanent => RetryPolicy::Never,
        }
    }

    /// Whether time may heal it: the same work may succeed later without anybody changing it.
    ///
    /// These are the failures that a breaker counts and that the selective strategy captures: the
    /// others blame the work and say nothing about the destination.
    pub const fn is_passing(self) -> bool {
        matches!(self, Self::Transient | Self::Network | Self::Resource)
    }
}
