//! Worker processes: their answers, their crashes, and that no process is left behind.

mod answers;
mod crashes;
pub(crate) mod fixture;
mod log;
mod protocol;
mod sharing;
mod start;
mod stop;
mod under_runner;
mod unstarted;
