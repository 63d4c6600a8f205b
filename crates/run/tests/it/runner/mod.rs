//! The runner, over queues and over letters.

mod attempts;
mod breaker;
mod claims;
mod control;
mod dead_on_arrival;
mod decisions;
mod identity;
mod idle;
mod killed;
mod parts;
mod random;
mod stepped_clock;
mod targets;
mod trouble;
