//! How the writer executes each operation, and how much disk space the operation needs.

mod bytes_max;
mod execute;

pub(crate) use bytes_max::bytes_max;
pub(crate) use execute::Executor;
