//! The width of the output.

use std::io::{IsTerminal, stdout};

/// The width of stdout in columns: the variable `COLUMNS`, else that of the terminal. `None` for a file or a pipe, whose
/// lines are not shortened.
pub(crate) fn output_width() -> Option<usize> {
    let given = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    given.filter(|columns| *columns > 0).or_else(terminal_width)
}

fn terminal_width() -> Option<usize> {
    let stdout = stdout();
    let size = stdout.is_terminal().then(|| rustix::termios::tcgetwinsize(&stdout).ok()).flatten()?;
    // A terminal that does not know its width reports 0.
    Some(usize::from(size.ws_col)).filter(|columns| *columns > 0)
}
