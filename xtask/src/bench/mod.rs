//! Benchmarks are commands of their own; this builds and runs them, alone or against another revision.

mod against;
mod build;
mod command;
mod compare;
mod figure;
mod revision;

pub(crate) use command::{Arguments, run};
