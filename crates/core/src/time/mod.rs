//! Time as Redrive stores it: whole microseconds, passed in, never read from a clock.

mod monotonic_time;
mod span;
mod time;

pub use monotonic_time::MonotonicTime;
pub use span::{Span, SpanError};
pub use time::Time;
