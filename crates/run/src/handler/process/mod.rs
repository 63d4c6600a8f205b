//! Work done by other processes: a pool of workers that are asked over their standard input and output.
//!
//! Why processes? Because a handler may be written in any language, may leak, may hang in a library that knows no
//! timeout, or may take its whole process down; all of that then costs one attempt and one worker. What is said between
//! the pool and a worker is in `docs/worker-protocol.md`.

mod ahead;
#[cfg(test)]
mod ahead_tests;
mod command;
mod ending;
mod error;
mod error_report;
mod events;
mod failures;
mod frame;
mod haste;
mod pool;
mod pool_state;
mod process;
mod reply;
mod request;
mod roster;
mod stderr;
mod supervisor;
#[cfg(test)]
mod tests;
mod turn;
mod worker;

pub use command::WorkerCommand;
pub use error::WorkerError;
pub use pool::WorkerPool;
