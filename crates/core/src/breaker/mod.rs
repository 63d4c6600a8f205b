//! Circuit breakers: one, and a keyed table of many.

mod breaker;
mod config;
mod failed_call;
mod keyed;
mod past;
mod row;

pub use breaker::{Breaker, BreakerState, Failed, Permit, RowVerdict, RowVerdicts, Served};
pub use config::BreakerConfig;
pub use failed_call::FailedCall;
pub use keyed::{Breakers, KeyedPermit};
