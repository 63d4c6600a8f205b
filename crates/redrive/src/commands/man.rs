//! `redrive man`: a page of the manual, for whoever packs this program.

use std::io::{Write, stdout};

use anyhow::Result;
use clap::Command;

use crate::complaint::Complaint;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Of which command, as in `redrive man queue create`; of the whole program, if nothing is said.
    command: Vec<String>,
}

/// `program` is the whole command line, with every command.
pub(crate) fn run(arguments: &Arguments, program: Command) -> Result<()> {
    let mut command = program;
    command.build();
    for name in &arguments.command {
        let Some(found) = command.find_subcommand(name) else {
            let complaint = Complaint::usage(format!("there is no command '{name}'"));
            return Err(complaint.advise("list them with: redrive help").into());
        };
        command = found.clone();
    }
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    Ok(stdout().lock().write_all(&page)?)
}
