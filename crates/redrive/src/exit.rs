//! How the program ends.

use std::process::ExitCode;

/// The exit codes; documented in `docs/cli.md` and in `redrive --help`, and never given another meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    Error = 1,
    /// The same that the parser of arguments ends with.
    Usage = 2,
    NotFound = 3,
    Refused = 4,
    Unreachable = 5,
    /// A lease waited for as long as it was told to.
    Nothing = 6,
    /// As a shell reports a process that Ctrl-C ended.
    Interrupted = 130,
}

/// What `--help` says of them.
pub(crate) const HELP: &str = "Exit codes:
    0  done
    1  an error
    2  wrong usage
    3  there is no such queue, item, letter or namespace
    4  the server refused: the request is invalid, conflicts with what is there, or is not allowed
    5  the server cannot be reached, shuts down, or did not answer in time
    6  a lease waited, and nothing came
  130  interrupted";

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
