//! Whether a destination is called at all: one breaker, and many by their keys.

mod breaker;
mod config;
mod keyed;

pub use breaker::{Admission, Breaker, BreakerChange, BreakerState, Permit};
pub use config::BreakerConfig;
pub use keyed::{Breakers, KeyedPermit};
