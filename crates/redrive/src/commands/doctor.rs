//! `redrive doctor`: what is wrong with a store, and how much of it can be saved.

use std::io::{Write, stdout};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Result, bail};
use redrive_embedded::doctor;
use redrive_journal::{Disk, RealDisk};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Read every byte of a store and say what is damaged and lost. Changes nothing; exits with 1 on damage.
    Check { directory: PathBuf },
    /// Save what can be saved into an empty directory, which can be served. The damaged store is not changed. What is lost
    /// is printed, and is in salvage-report.txt in the new directory.
    Salvage { directory: PathBuf, target: PathBuf },
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let mut out = stdout().lock();
    match &arguments.action {
        Action::Check { directory } => {
            let diagnosis = doctor::check(&RealDisk, directory)?;
            write!(out, "{diagnosis}")?;
            if !diagnosis.is_healthy() {
                bail!(
                    "{} is damaged; save what is readable with: redrive doctor salvage {} NEW_DIRECTORY",
                    directory.display(),
                    directory.display(),
                );
            }
        }
        Action::Salvage { directory, target } => {
            let disk: Arc<dyn Disk> = Arc::new(RealDisk);
            let diagnosis = doctor::salvage(&disk, directory, target)?;
            write!(out, "{diagnosis}")?;
            writeln!(out, "saved to {}", target.display())?;
        }
    }
    Ok(())
}
