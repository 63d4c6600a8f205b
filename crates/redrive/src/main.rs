//! The `redrive` command.
//!
//! Data goes to stdout, everything else to stderr. Exit codes: 0 done, 1 an error, 2 wrong usage.

mod classify;
mod config;
mod config_command;
mod doctor;
mod policy;
mod serve;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Requests allocate small things on many threads at once, which the system's allocator is slow at.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[derive(Parser)]
#[command(name = "redrive", version, about = "A dead letter queue platform", propagate_version = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve queues over HTTP.
    Serve(serve::Arguments),
    /// Look at what can be set.
    Config(config_command::Arguments),
    /// Say what kind of fault an error is, and which rule says so.
    Classify(classify::Arguments),
    /// Look at retry policies; `classify --policy FILE --explain` tries one out.
    Policy(policy::Arguments),
    /// Check a journal on disk, or save what is readable of a damaged one.
    Doctor(doctor::Arguments),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Serve(arguments) => serve::run(&arguments),
        Command::Config(arguments) => config_command::run(&arguments),
        Command::Classify(arguments) => classify::run(&arguments),
        Command::Policy(arguments) => policy::run(&arguments),
        Command::Doctor(arguments) => doctor::run(&arguments),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        // A reader that has seen enough, as in `redrive classify < log | head`, is no error of ours.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let io = error.downcast_ref::<std::io::Error>();
    io.is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}
