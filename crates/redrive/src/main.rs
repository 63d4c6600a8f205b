//! The `redrive` command.
//!
//! Data goes to stdout, everything else to stderr. The exit codes are in [`exit`].

mod arguments;
mod commands;
mod complaint;
mod config;
mod console;
mod exit;
mod session;

use std::process::ExitCode;

use clap::Parser;

use crate::arguments::Arguments;
use crate::complaint::Complaint;
use crate::console::say;
use crate::exit::Exit;

/// Requests allocate small things on many threads at once, which the system's allocator is slow at.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    match commands::run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        // A reader that has seen enough, as in `redrive classify < log | head`, is no error of ours.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            say(format_args!("error: {error:#}"));
            error.downcast_ref::<Complaint>().map_or(Exit::Error, Complaint::exit).into()
        }
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let io = error.downcast_ref::<std::io::Error>();
    io.is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}
