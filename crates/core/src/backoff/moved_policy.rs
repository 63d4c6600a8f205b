//! The retry policy of items that die in a queue and are moved to its dead queue.

use super::RetryPolicy;
use crate::closed_set::closed_set;

closed_set! {
    /// How the letters of dead items are retried: by a named policy, or by the category of their last failure.
    #[derive(Default)]
    pub enum MovedPolicy ("policy") {
        /// As `Category` if the dead queue has a target that retries its letters, else as `Never`.
        #[default]
        Auto = "auto",
        /// By the policy of the category.
        Category = "category",
        /// Manual retries only.
        Never = "never",
        Linear = "linear",
        Exponential = "exponential",
        Immediate = "immediate",
        Custom = "custom",
    }
}

impl MovedPolicy {
    /// The named policy; `None` if the category decides.
    pub const fn named(self) -> Option<RetryPolicy> {
        match self {
            Self::Auto | Self::Category => None,
            Self::Never => Some(RetryPolicy::Never),
            Self::Linear => Some(RetryPolicy::Linear),
            Self::Exponential => Some(RetryPolicy::Exponential),
            Self::Immediate => Some(RetryPolicy::Immediate),
            Self::Custom => Some(RetryPolicy::Custom),
        }
    }
}

impl From<RetryPolicy> for MovedPolicy {
    fn from(policy: RetryPolicy) -> Self {
        match policy {
            RetryPolicy::Never => Self::Never,
            RetryPolicy::Linear => Self::Linear,
            RetryPolicy::Exponential => Self::Exponential,
            RetryPolicy::Immediate => Self::Immediate,
            RetryPolicy::Custom => Self::Custom,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{MovedPolicy, RetryPolicy};

    #[test]
    fn every_retry_policy_has_the_same_name_here() {
        for policy in RetryPolicy::ALL {
            let moved = MovedPolicy::from(*policy);
            assert_eq!((moved.as_str(), moved.named()), (policy.as_str(), Some(*policy)));
        }
    }
}
