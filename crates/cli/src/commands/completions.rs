//! `redrive completions`.

use std::io::{Write, stdout};

use anyhow::Result;
use clap::Command;
use clap_complete::Shell;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive completions bash > ~/.local/share/bash-completion/completions/redrive
  redrive completions zsh > ~/.zfunc/_redrive
  redrive completions fish > ~/.config/fish/completions/redrive.fish")]
pub(crate) struct Arguments {
    /// Shell to print the script for.
    shell: Shell,
}

/// `program` is the command line with all of its commands.
pub(crate) fn run(arguments: &Arguments, program: &mut Command) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, program, "redrive", &mut script);
    Ok(stdout().lock().write_all(&script)?)
}
