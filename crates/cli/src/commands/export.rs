//! Exports, to stdout or to a new file.

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use anyhow::{Context, Result};

use crate::session::Session;

/// Writes an export to the file that `create` makes for the path, or else to stdout.
pub(super) async fn write_export<T>(
    path: Option<&Path>,
    create: impl FnOnce(&Path) -> Result<File>,
    session: &Session,
    write: impl AsyncFnOnce(&mut dyn Write) -> Result<T>,
) -> Result<T> {
    let Some(path) = path else {
        let mut out = session.out();
        let done = write(&mut out).await?;
        out.flush()?;
        return Ok(done);
    };
    let mut out = BufWriter::new(create(path)?);
    let done = write(&mut out).await?;
    // The export must be durable: what was exported may be deleted next.
    let file = out.into_inner().with_context(|| format!("cannot write {}", path.display()))?;
    file.sync_all().with_context(|| format!("cannot write {}", path.display()))?;
    Ok(done)
}

/// Creates the file, readable by its owner only: exports have payloads. Fails if it exists: an earlier export must not be
/// overwritten.
pub(super) fn create_new(path: &Path) -> Result<File> {
    let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
    file.with_context(|| format!("cannot create the file {}", path.display()))
}
