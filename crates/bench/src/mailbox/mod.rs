//! Mailboxes in memory and on Redis, with 64 callers on both sides.

mod figures;
mod memory;
mod raw_scripts;
mod throughput;
mod wake_up;

pub(crate) use figures::figures;
