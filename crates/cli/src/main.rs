//! The `redrive` command.
//!
//! Data goes to stdout; messages, progress and errors go to stderr. The exit codes are in [`exit`].

mod arguments;
mod cli_error;
mod commands;
mod config;
mod console;
mod exit;
mod session;

use std::process::ExitCode;

use clap::Parser;

use crate::arguments::Arguments;
use crate::cli_error::CliError;
use crate::console::say;
use crate::exit::Exit;

/// Requests allocate small objects on many threads at once, which is slow with the system allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    match commands::run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        // A reader that stops early, as in `redrive classify < log | head`, is not an error.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            say(format_args!("error: {error:#}"));
            error.downcast_ref::<CliError>().map_or(Exit::Error, CliError::exit).into()
        }
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let io = error.downcast_ref::<std::io::Error>();
    io.is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}
