//! Mailboxes in memory and on Redis, with 64 callers on both sides.
#![expect(clippy::disallowed_methods, reason = "a benchmark is about real time")]

mod figures;
mod memory;
mod raw_scripts;
mod throughput;
mod wake_up;

pub(crate) use figures::figures;
