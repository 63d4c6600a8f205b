//! Handlers in other processes: a pool of workers, called over their standard input and output.
//!
//! A handler in a process may be written in any language; if it leaks, hangs in a library without timeouts or crashes,
//! that costs one attempt and one worker. `docs/worker-protocol.md` describes the protocol between pool and worker.

mod command;
mod error;
mod error_report;
mod events;
mod exit;
mod failures;
mod frame;
mod idle_workers;
mod pool;
mod pool_state;
mod process;
mod reply;
mod request;
mod stderr;
mod supervisor;
#[cfg(test)]
mod tests;
mod worker;

pub use command::WorkerCommand;
pub use error::WorkerError;
pub use pool::WorkerPool;
