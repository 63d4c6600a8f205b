//! Circuit breakers: one, and a keyed table of many.

mod breaker;
mod config;
mod keyed;

pub use breaker::{Admission, Breaker, BreakerChange, BreakerState, Permit};
pub use config::BreakerConfig;
pub use keyed::{Breakers, KeyedPermit};
