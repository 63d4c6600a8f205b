//! Whom to trust.

use std::sync::Arc;

use rustls::crypto::aws_lc_rs;
use rustls::pki_types::CertificateDer;
use rustls::{ClientConfig, RootCertStore};

use crate::BuildError;

/// The machine's certificates, and those that were named.
pub(super) fn settings(trusted: &[CertificateDer<'static>]) -> Result<ClientConfig, BuildError> {
    let mut roots = RootCertStore::empty();
    let native = rustls_native_certs::load_native_certs();
    for error in &native.errors {
        tracing::debug!(%error, "some of the machine's certificates could not be read");
    }
    // Machines have certificates that nobody can read; the others count.
    roots.add_parsable_certificates(native.certs);
    for certificate in trusted {
        roots.add(certificate.clone()).map_err(|_| BuildError::Certificate)?;
    }
    if roots.is_empty() {
        return Err(BuildError::NoRoots);
    }
    let builder = ClientConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()));
    let builder = builder.with_safe_default_protocol_versions().map_err(BuildError::Tls)?;
    Ok(builder.with_root_certificates(roots).with_no_client_auth())
}
