//! `redrive doctor`.

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
    /// Read a whole store and report damaged and lost records. Changes nothing. Exits with 1 on damage.
    Check {
        /// Data directory of the store. The server must be stopped.
        directory: PathBuf,
    },
    /// Copy the readable records of a damaged store into a new store. The damaged store is not changed. Lost records are
    /// printed, and listed in salvage-report.txt in the new directory.
    Salvage {
        /// Data directory of the damaged store. The server must be stopped.
        directory: PathBuf,
        /// Empty directory for the new store.
        target: PathBuf,
    },
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let mut out = stdout().lock();
    match &arguments.action {
        Action::Check { directory } => {
            let diagnosis = doctor::check(&RealDisk, directory)?;
            write!(out, "{diagnosis}")?;
            if !diagnosis.is_healthy() {
                bail!(
                    "{} is damaged\n  copy the readable records with: redrive doctor salvage {} NEW_DIRECTORY",
                    directory.display(),
                    directory.display(),
                );
            }
        }
        Action::Salvage { directory, target } => {
            let disk: Arc<dyn Disk> = Arc::new(RealDisk);
            let diagnosis = doctor::salvage(&disk, directory, target)?;
            write!(out, "{diagnosis}")?;
            writeln!(out, "salvaged into {}", target.display())?;
        }
    }
    Ok(())
}
