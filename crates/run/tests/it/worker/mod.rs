//! Worker processes: what they answer, how they die, and that nothing is left of them.

mod answers;
mod crashes;
mod log;
mod protocol;
pub(crate) mod rig;
mod sharing;
mod start;
mod stop;
mod under_runner;
mod unstarted;
