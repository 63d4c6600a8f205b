//! Asking before something is gone for ever.

use std::io::{BufRead, IsTerminal, Write, stderr, stdin};

use anyhow::Result;

use crate::complaint::Complaint;
use crate::exit::Exit;

/// Goes on if the user says so. Where nobody can be asked, `--yes` has to be on the command line.
pub(crate) fn confirm(act: &str, is_said: bool) -> Result<()> {
    if is_said {
        return Ok(());
    }
    if !(stdin().is_terminal() && stderr().is_terminal()) {
        let complaint = Complaint::usage(format!("this would {act}, and there is nobody to ask"));
        return Err(complaint.advise("say that it is wanted with --yes").into());
    }
    write!(stderr(), "This will {act}. Go on? [y/N] ")?;
    let mut answer = String::new();
    stdin().lock().read_line(&mut answer)?;
    let is_yes = matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes");
    if is_yes { Ok(()) } else { Err(Complaint::new(Exit::Error, "nothing was done").into()) }
}
