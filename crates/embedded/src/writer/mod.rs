//! The writer thread: it gathers requests, admits those for which there is disk space, executes them and sends the
//! replies.

mod admit;
mod events;
mod failure;
#[cfg(feature = "test-mode")]
mod freeze;
mod gather;
mod limits;
mod listen;
mod read_ahead;
mod read_ahead_runs;
mod release;
mod serve;
mod set_aside;
mod sizes;
mod writer;

pub(crate) use limits::Limits;
pub(crate) use read_ahead_runs::ReadAheadRuns;
pub(crate) use writer::{Mode, Writer};
