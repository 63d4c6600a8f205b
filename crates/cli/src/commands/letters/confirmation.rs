//! The question before an act on letters.

use anyhow::Result;

use crate::cli_error::CliError;
use crate::console::{confirm, is_interactive, say};
use crate::session::{Interrupt, Session};

/// Asks whether to go on, unless `--yes` was given; without a terminal, `--yes` is required. Returns `false` if the user
/// declined: nothing is changed then, which is not an error.
pub(super) async fn is_confirmed(session: &Session, action: String, is_given: bool) -> Result<bool> {
    if is_given {
        return Ok(true);
    }
    if !is_interactive() {
        let error = CliError::usage(format!("this would {action}, which needs a confirmation"));
        return Err(error.remedy("there is no terminal for a prompt: confirm with --yes").into());
    }
    // On a separate thread, so that Ctrl-C can answer the prompt.
    let Some(answer) = session.interrupt.or(tokio::task::spawn_blocking(move || confirm(&action))).await else {
        return Err(Interrupt::error("interrupted; nothing was changed").into());
    };
    let is_confirmed = answer??;
    if !is_confirmed {
        say("nothing was changed");
    }
    Ok(is_confirmed)
}
