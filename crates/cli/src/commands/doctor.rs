//! `redrive doctor`.

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;
use redrive_embedded::doctor::{self, Diagnosis};
use redrive_journal::{Disk, RealDisk};
use serde_json::json;

use crate::cli_error::CliError;
use crate::console::Format;
use crate::exit::Exit;

#[derive(clap::Subcommand)]
pub(crate) enum Action {
    /// Read a whole store and report damaged and lost records. Changes nothing. Exits with 1 on damage.
    #[command(after_help = "Examples:
  redrive doctor check redrive-data
  redrive doctor check redrive-data --json")]
    Check {
        /// Data directory of the store. The server must be stopped.
        directory: PathBuf,
    },
    /// Copy the readable records of a damaged store into a new store. The damaged store is not changed. Lost records are
    /// printed, and listed in salvage-report.txt in the new directory.
    #[command(after_help = "Example:
  redrive doctor salvage redrive-data salvaged")]
    Salvage {
        /// Data directory of the damaged store. The server must be stopped.
        directory: PathBuf,
        /// Empty directory for the new store.
        target: PathBuf,
    },
}

pub(crate) fn run(action: &Action, format: Format) -> Result<()> {
    let mut out = stdout().lock();
    match action {
        Action::Check { directory } => {
            let diagnosis = doctor::check(&RealDisk, directory)?;
            match format {
                Format::Table => write!(out, "{diagnosis}")?,
                Format::Json => writeln!(out, "{}", object(directory, &diagnosis, None))?,
            }
            if !diagnosis.is_healthy() {
                let shown = directory.display();
                let remedy = format!("copy the readable records with: redrive doctor salvage {shown} NEW_DIRECTORY");
                return Err(CliError::new(Exit::Error, format!("{shown} is damaged")).remedy(remedy).into());
            }
        }
        Action::Salvage { directory, target } => {
            let disk: Arc<dyn Disk> = Arc::new(RealDisk);
            let diagnosis = doctor::salvage(&disk, directory, target)?;
            match format {
                Format::Table => {
                    write!(out, "{diagnosis}")?;
                    writeln!(out, "salvaged into {}", target.display())?;
                }
                Format::Json => writeln!(out, "{}", object(directory, &diagnosis, Some(target)))?,
            }
        }
    }
    Ok(())
}

fn object(directory: &Path, diagnosis: &Diagnosis, target: Option<&Path>) -> serde_json::Value {
    let Diagnosis { segments, records, items, damages, losses } = diagnosis;
    json!({
        "directory": directory.display().to_string(),
        "target": target.map(|target| target.display().to_string()),
        "is_healthy": diagnosis.is_healthy(),
        "segments": segments,
        "records": records,
        "items": items,
        "damages": damages.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "losses": losses.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}
