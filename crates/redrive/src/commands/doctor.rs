//! `redrive doctor`: what is wrong with a journal, and how much of it can be saved.

use std::io::{Write, stdout};
use std::path::PathBuf;

use anyhow::{Result, bail};
use redrive_journal::RealDisk;
use redrive_journal::doctor::{self, Findings};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Read every byte of a journal and say what is damaged. Changes nothing; exits with 1 on damage.
    Check { directory: PathBuf },
    /// Copy what is readable into an empty directory, which can be opened. The damaged one is not changed.
    Salvage { directory: PathBuf, target: PathBuf },
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let mut out = stdout().lock();
    match &arguments.action {
        Action::Check { directory } => {
            let findings = doctor::check(&RealDisk, directory)?;
            tell(&findings, &mut out)?;
            if !findings.damages.is_empty() {
                bail!(
                    "{} is damaged; save what is readable with: redrive doctor salvage {} NEW_DIRECTORY",
                    directory.display(),
                    directory.display(),
                );
            }
        }
        Action::Salvage { directory, target } => {
            let findings = doctor::salvage(&RealDisk, directory, target)?;
            tell(&findings, &mut out)?;
            writeln!(out, "saved to {}", target.display())?;
        }
    }
    Ok(())
}

fn tell(findings: &Findings, out: &mut impl Write) -> Result<()> {
    writeln!(out, "{} records in {} segments can be read", findings.records, findings.segments)?;
    for damage in &findings.damages {
        writeln!(out, "{damage}")?;
    }
    Ok(())
}
