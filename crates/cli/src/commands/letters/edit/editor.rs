//! The user's editor.

use std::fs::OpenOptions;
use std::io::{IsTerminal, Write, stdin};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};
use redrive_store::random_seed;

use crate::cli_error::CliError;
use crate::commands::payload::read_file;
use crate::console::say;
use crate::exit::Exit;
use crate::session::Interrupt;

/// The editor if the environment names none and a terminal is there for it.
const DEFAULT: &str = "vi";

/// The command of the user's editor: `$VISUAL`, `$EDITOR`, else `vi` on a terminal.
pub(super) fn command() -> Option<String> {
    let named = ["VISUAL", "EDITOR"].into_iter().filter_map(|name| std::env::var(name).ok());
    let mut named = named.filter(|command| !command.trim().is_empty());
    named.next().or_else(|| stdin().is_terminal().then(|| DEFAULT.to_owned()))
}

/// A file for the editor that only its owner can read. It is removed when the edit is stored, and kept if it is not: the
/// user's work must not be lost.
#[derive(Debug)]
pub(super) struct EditedFile {
    path: PathBuf,
    is_kept: bool,
}

impl EditedFile {
    /// Writes the text to a new file.
    pub(super) fn new(text: &str, extension: &str) -> Result<Self> {
        let path = std::env::temp_dir().join(format!("redrive-{:016x}.{extension}", random_seed()));
        let shown = path.display();
        let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path);
        let mut file = file.with_context(|| format!("cannot create {shown}"))?;
        let edited = Self { path: path.clone(), is_kept: false };
        file.write_all(text.as_bytes()).with_context(|| format!("cannot write {shown}"))?;
        Ok(edited)
    }

    /// Lets the user edit the file, and returns its content. The shell runs the command, which may have arguments.
    pub(super) async fn edit(&mut self, editor: &str, interrupt: &Interrupt) -> Result<Vec<u8>> {
        // The editor gets a Ctrl-C, too, and decides what it means.
        let _suspended = interrupt.suspend();
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(format!("{editor} \"$1\"")).arg("sh").arg(&self.path);
        let status = tokio::task::spawn_blocking(move || shell.status()).await?.context("cannot start a shell")?;
        if !status.success() {
            let message = format!("the editor '{editor}' failed ({status}); nothing was changed");
            return Err(CliError::new(Exit::Error, message).remedy("set another one in VISUAL or EDITOR").into());
        }
        self.is_kept = true;
        read_file(&self.path)
    }

    /// Removes the file: the edit is stored, or there is none.
    pub(super) fn discard(mut self) {
        self.is_kept = false;
    }
}

impl Drop for EditedFile {
    fn drop(&mut self) {
        if self.is_kept {
            say(format_args!("the edited payload is kept in {}", self.path.display()));
        } else if let Err(error) = std::fs::remove_file(&self.path) {
            say(format_args!("cannot remove {}: {error}", self.path.display()));
        }
    }
}
