//! `redrive completions`: what a shell needs to complete the command line.

use std::io::{Write, stdout};

use anyhow::Result;
use clap::CommandFactory;
use clap_complete::Shell;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive completions bash > ~/.local/share/bash-completion/completions/redrive
  redrive completions zsh > ~/.zfunc/_redrive
  redrive completions fish > ~/.config/fish/completions/redrive.fish")]
pub(crate) struct Arguments {
    shell: Shell,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let mut script = Vec::new();
    let mut command = crate::arguments::Arguments::command();
    clap_complete::generate(arguments.shell, &mut command, "redrive", &mut script);
    Ok(stdout().lock().write_all(&script)?)
}
