//! The delay before the next attempt: a curve, a cap, and jitter.

mod backoff;
mod curve;
mod custom;
mod factor;
mod formula;
mod jitter;
mod moved_policy;
mod retry_policy;
mod spec;

pub use backoff::Backoff;
pub use curve::{Curve, CustomDelay};
pub use custom::CustomBackoff;
pub use factor::Factor;
pub use formula::Formula;
pub use jitter::Jitter;
pub use moved_policy::MovedPolicy;
pub use retry_policy::RetryPolicy;
pub use spec::{BackoffSpec, JitterSpec};
pub(crate) use spec::{optional_span, span};
