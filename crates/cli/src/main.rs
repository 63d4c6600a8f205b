//! The `redrive` command.
//!
//! Data goes to stdout; messages, progress and errors go to stderr, with `--output json` an error as one JSON object.
//! The exit codes are in [`exit`].
//!
//! # Modules
//!
//! | module | content | start reading at |
//! |---|---|---|
//! | `arguments`, `commands` | the command line; the commands of a noun in its folder, short ones in one file | `commands/run.rs` |
//! | `session` | a command's connection to a server: its address, Ctrl-C, and how errors are shown to users | `Session` |
//! | `console` | output: tables, progress, confirmations, results and errors as text or JSON | |
//! | `values` | parsers for the values of options; each error states the right form | |
//! | `cli_error`, `exit` | an error with its remedy, and the exit code | `CliError` |
//! | `config` | the settings of `serve`, and their sources | `config/load.rs` |
//!
//! # Invariants
//!
//! - Stdout is data: the results of commands. Everything else goes through `say`, to stderr.
//! - Every failure that a script may want to distinguish has an exit code, a member of `Exit` in `exit.rs`; no other
//!   file has the number of a code. The argument parser ends the process itself after invalid usage, with the code 2
//!   that `Exit` repeats.
//! - The content of a queue is never collected in memory: lists, exports and imports work page by page, and buffers
//!   between two threads are bounded in bytes.
//! - Adapters are features (`kafka`, `redis`, `grpc`, `search`), all on by default. Test mode is a feature that is off.

mod arguments;
mod cli_error;
mod commands;
mod config;
mod console;
mod exit;
mod session;
mod values;

use std::ffi::OsString;
use std::process::ExitCode;

use crate::arguments::Arguments;
use crate::console::{print_error, print_usage_error};
use crate::exit::Exit;

/// Requests allocate small objects on many threads at once, which is slow with the system allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let arguments = match Arguments::read() {
        Ok(arguments) => arguments,
        Err(error) if error.use_stderr() && is_json_requested(std::env::args_os()) => {
            print_usage_error(&error);
            return Exit::Usage.into();
        }
        // Help, the version, or invalid usage as text.
        Err(error) => error.exit(),
    };
    match commands::run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        // A reader that stops early, as in `redrive classify < log | head`, is not an error.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => print_error(&error, arguments.server.format()).into(),
    }
}

/// Whether arguments that could not be parsed ask for JSON.
fn is_json_requested(arguments: impl Iterator<Item = OsString>) -> bool {
    let arguments: Vec<OsString> = arguments.take_while(|argument| argument != "--").collect();
    let is_switch = |argument: &OsString| argument == "-j" || argument == "--json" || argument == "--output=json";
    arguments.iter().any(is_switch) || arguments.windows(2).any(|pair| pair[0] == "--output" && pair[1] == "json")
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let io = error.downcast_ref::<std::io::Error>();
    io.is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}
