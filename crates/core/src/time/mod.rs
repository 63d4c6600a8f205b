//! Time as Redrive stores it: whole microseconds, passed in, never read from a clock.

mod instant;
mod span;

pub use instant::Time;
pub use span::{Span, SpanError};
