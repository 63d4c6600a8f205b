//! `redrive man`, for packagers.

use std::io::{Write, stdout};

use anyhow::Result;
use clap::Command;

use crate::cli_error::CliError;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Command, as in: redrive man queue create [default: the whole program].
    command: Vec<String>,
}

/// `program` is the command line with all of its commands.
pub(crate) fn run(arguments: &Arguments, program: Command) -> Result<()> {
    let mut command = program;
    command.build();
    for name in &arguments.command {
        let Some(found) = command.find_subcommand(name) else {
            let error = CliError::usage(format!("unknown command '{name}'"));
            return Err(error.remedy("list the commands with: redrive help").into());
        };
        command = found.clone();
    }
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    Ok(stdout().lock().write_all(&page)?)
}
