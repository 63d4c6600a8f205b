//! Time as Redrive stores it: whole microseconds, passed in, never read from a clock.

mod span;
mod time;

pub use span::{Span, SpanError};
pub use time::Time;
