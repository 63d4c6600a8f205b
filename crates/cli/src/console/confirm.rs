//! Confirmation before an action that cannot be undone.

use std::io::{BufRead, IsTerminal, Write, stderr, stdin};

/// Whether a user can be prompted: stdin and stderr are terminals.
pub(crate) fn is_interactive() -> bool {
    stdin().is_terminal() && stderr().is_terminal()
}

/// Prompts the user to confirm the action, and waits for a line from the terminal.
pub(crate) fn confirm(action: &str) -> std::io::Result<bool> {
    write!(stderr(), "This will {action}. Continue? [y/N] ")?;
    let mut answer = String::new();
    stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}
