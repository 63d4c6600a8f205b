//! `redrive completions`: what a shell needs to complete the command line.

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
    shell: Shell,
}

/// `program` is the whole command line, with every command.
pub(crate) fn run(arguments: &Arguments, program: &mut Command) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, program, "redrive", &mut script);
    Ok(stdout().lock().write_all(&script)?)
}
