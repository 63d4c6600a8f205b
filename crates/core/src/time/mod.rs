//! Times and durations in whole microseconds. Times are arguments; this crate reads no clock.

mod monotonic_time;
mod span;
mod time;
mod time_or_age;

pub use monotonic_time::MonotonicTime;
pub use span::{Span, SpanError};
pub use time::Time;
pub use time_or_age::TimeOrAge;
