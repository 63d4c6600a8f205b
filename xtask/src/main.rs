//! Redrive's developer commands. `cargo xtask --help` lists them.

mod bench;
mod cargo;
mod dist;
mod generate;
mod services;
mod soak;
mod source_lines;
mod structure;
mod test;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", about = "Redrive's developer commands")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run every check: format, structure, clippy, documentation, and all tests with the services they need.
    Test(test::Arguments),
    /// Check the rules about layers, names and files that the compiler does not check.
    Structure,
    /// Run a benchmark and print one line per figure.
    Bench(bench::Arguments),
    /// Build the program as it is shipped: without symbols, and its symbols in a file beside it.
    Dist,
    /// Run tests longer than usual: the same code with more seeds.
    Soak(soak::Arguments),
    /// Generate the checked-in code and documents from the definitions in proto/: types, JSON, docs/openapi.json.
    Generate,
    /// Start, stop or list the services that tests and benchmarks use.
    Services(services::Arguments),
}

fn main() -> ExitCode {
    if let Some(code) = bench::wrap_compiler() {
        return code;
    }
    let outcome = match Arguments::parse().command {
        Command::Test(arguments) => test::run(&arguments),
        Command::Structure => structure::check(),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Dist => dist::run(),
        Command::Soak(arguments) => soak::run(&arguments),
        Command::Generate => generate::run(),
        Command::Services(arguments) => services::run(&arguments),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
