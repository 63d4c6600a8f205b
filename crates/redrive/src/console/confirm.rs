//! Asking before something is gone for ever.

use std::io::{BufRead, IsTerminal, Write, stderr, stdin};

/// Whether there is somebody to ask.
pub(crate) fn can_ask() -> bool {
    stdin().is_terminal() && stderr().is_terminal()
}

/// What the user says to it. Waits for a line of the terminal.
pub(crate) fn ask(act: &str) -> std::io::Result<bool> {
    write!(stderr(), "This will {act}. Go on? [y/N] ")?;
    let mut answer = String::new();
    stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}
