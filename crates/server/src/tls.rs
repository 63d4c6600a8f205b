//! The TLS configuration of the server.

use std::path::Path;
use std::sync::Arc;

use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

use crate::settings::TlsFiles;

/// Certificate or key cannot be used for TLS.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    #[error("{file} cannot be read as PEM; it must hold {what}")]
    File { file: String, what: &'static str, source: rustls::pki_types::pem::Error },
    #[error("{file} holds no certificate")]
    NoCertificate { file: String },
    #[error("certificate and key do not go together, or are of a kind that is not supported")]
    Pair(#[source] rustls::Error),
}

pub(crate) fn config(files: &TlsFiles) -> Result<Arc<ServerConfig>, TlsError> {
    let certificates = certificates(&files.certificate)?;
    let key = PrivateKeyDer::from_pem_file(&files.key).map_err(|source| {
        let file = files.key.display().to_string();
        TlsError::File { file, what: "a private key", source }
    })?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let config = config.map_err(TlsError::Pair)?.with_no_client_auth();
    let mut config = config.with_single_cert(certificates, key).map_err(TlsError::Pair)?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let file = || path.display().to_string();
    let failed = |source| TlsError::File { file: file(), what: "a certificate", source };
    let certificates = CertificateDer::pem_file_iter(path).map_err(failed)?;
    let certificates = certificates.collect::<Result<Vec<_>, _>>().map_err(failed)?;
    if certificates.is_empty() { Err(TlsError::NoCertificate { file: file() }) } else { Ok(certificates) }
}
