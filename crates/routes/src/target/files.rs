//! The files that a target names.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use redrive_run::ClientCertificate;

use super::TargetError;

const CERTIFICATE: &str = "client_certificate_file";
const KEY: &str = "client_key_file";

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

/// Reads the certificate of a client and its key. One of them is not enough.
pub(crate) fn read_client_certificate(
    certificate: Option<&Path>,
    key: Option<&Path>,
) -> Result<Option<ClientCertificate>, TargetError> {
    match (certificate, key) {
        (None, None) => Ok(None),
        (Some(certificate), Some(key)) => {
            let certificate = read(CERTIFICATE, certificate, CERTIFICATE_BYTES_MAX)?;
            Ok(Some(ClientCertificate { certificate, key: read(KEY, key, CERTIFICATE_BYTES_MAX)? }))
        }
        (Some(_), None) => Err(TargetError::Needs { setting: CERTIFICATE, needed: KEY }),
        (None, Some(_)) => Err(TargetError::Needs { setting: KEY, needed: CERTIFICATE }),
    }
}
