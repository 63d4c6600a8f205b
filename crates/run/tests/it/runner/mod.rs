//! The runner, over queues and over due letters.

mod attempts;
mod breaker;
mod breaker_opens;
mod claims;
mod control;
mod dead_on_arrival;
mod decisions;
mod external_letters;
mod identity;
mod idle;
mod killed;
mod outage;
mod parts;
mod random;
mod source_faults;
mod stepped_clock;
mod targets;
mod waiting_work;

pub(crate) use breaker::{next_probe_at, until_open};
