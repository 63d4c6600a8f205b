//! The files that a target names.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::TargetError;

/// Maximum size of a file with certificates or a key.
pub(crate) const CERTIFICATE_BYTES_MAX: u64 = 1 << 20;

/// Reads a file of at most `bytes_max` bytes. `setting` names it.
pub(crate) fn read(setting: &str, file: &Path, bytes_max: u64) -> Result<Vec<u8>, TargetError> {
    let mut bytes = Vec::new();
    File::open(file)
        .and_then(|opened| opened.take(bytes_max + 1).read_to_end(&mut bytes))
        .map_err(|source| TargetError::Unreadable { setting: setting.to_owned(), file: file.to_owned(), source })?;
    if bytes.len() as u64 > bytes_max {
        return Err(TargetError::FileTooLong { setting: setting.to_owned(), file: file.to_owned(), bytes_max });
    }
    Ok(bytes)
}
