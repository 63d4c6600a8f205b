//! The certificate authorities that a client trusts.

use std::fmt;
use std::sync::Arc;

use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;

/// The certificate authorities that a client trusts.
#[derive(Clone)]
pub struct TlsRoots(Arc<RootCertStore>);

/// Why there are no usable certificate authorities.
#[derive(Debug, thiserror::Error)]
pub enum TlsRootsError {
    #[error("the certificates to trust are not certificates in PEM")]
    Certificate,
    #[error("the machine has no certificate authorities, and none were given")]
    Empty,
    #[error("TLS cannot be used")]
    Tls(#[source] rustls::Error),
}

impl TlsRoots {
    /// Trusts no authority: for plain HTTP, also on machines that have none.
    pub fn none() -> Self {
        Self(Arc::new(RootCertStore::empty()))
    }

    /// Trusts the authorities of the machine and the given ones.
    pub fn native_and(trusted: &[CertificateDer<'static>]) -> Result<Self, TlsRootsError> {
        let mut roots = RootCertStore::empty();
        let native = rustls_native_certs::load_native_certs();
        for error in &native.errors {
            tracing::debug!(%error, "skipped certificates of the machine");
        }
        // Machines have certificates that cannot be parsed; the others count.
        roots.add_parsable_certificates(native.certs);
        for certificate in trusted {
            roots.add(certificate.clone()).map_err(|_| TlsRootsError::Certificate)?;
        }
        if roots.is_empty() { Err(TlsRootsError::Empty) } else { Ok(Self(Arc::new(roots))) }
    }

    pub(crate) fn store(&self) -> Arc<RootCertStore> {
        Arc::clone(&self.0)
    }
}

impl fmt::Debug for TlsRoots {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TlsRoots").field("authorities", &self.0.len()).finish()
    }
}

/// The certificates of a PEM file, at least one.
pub fn certificates_from_pem(pem: &[u8]) -> Result<Vec<CertificateDer<'static>>, TlsRootsError> {
    let certificates = CertificateDer::pem_slice_iter(pem).collect::<Result<Vec<_>, _>>();
    certificates.ok().filter(|found| !found.is_empty()).ok_or(TlsRootsError::Certificate)
}
