//! How long to wait before the next attempt: a curve, a cap, and jitter.

mod backoff;
mod curve;
mod factor;
mod jitter;
mod retry_policy;
mod spec;

pub use backoff::Backoff;
pub use curve::{Curve, CustomDelay};
pub use factor::Factor;
pub use jitter::Jitter;
pub use retry_policy::RetryPolicy;
pub(crate) use spec::optional_span;
pub use spec::{BackoffSpec, JitterSpec};
