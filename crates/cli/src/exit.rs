//! The exit codes of the program.

use std::process::ExitCode;

/// An exit code. The codes are documented in `docs/cli.md` and in `redrive --help`; a code never changes its meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    Error = 1,
    /// Also the exit code of the argument parser.
    Usage = 2,
    NotFound = 3,
    Rejected = 4,
    Unreachable = 5,
    /// A lease waited for its whole `--wait` time without getting an item.
    NoItem = 6,
    /// The code that shells report for a process that Ctrl-C ended.
    Interrupted = 130,
}

/// The exit codes as `--help` prints them.
pub(crate) const HELP: &str = "Exit codes:
    0  success
    1  error
    2  invalid usage
    3  not found: queue, item, letter, namespace, user, key, role, binding, context or audit record
    4  request rejected by the server: invalid, in conflict with the current state, or not permitted
    5  server unreachable, shutting down, or no response in time
    6  lease timed out without an item
  130  interrupted";

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
