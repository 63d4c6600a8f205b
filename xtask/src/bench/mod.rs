//! Builds and runs the benchmarks, alone or against another revision.

mod against;
mod build;
mod cold_build;
mod command;
mod compare;
mod figure;
mod revision;

pub(crate) use cold_build::wrap_compiler;
pub(crate) use command::{Arguments, run};
