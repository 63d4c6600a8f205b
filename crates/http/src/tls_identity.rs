//! The certificate of a client.

use std::fmt;
use std::sync::Arc;

use rustls::crypto::ring::default_provider;
use rustls::pki_types::PrivateKeyDer;
use rustls::pki_types::pem::PemObject;
use rustls::sign::{CertifiedKey, SingleCertAndKey};

use crate::certificates_from_pem;

/// The certificate by which a client proves its identity to servers that ask for one, with its private key.
#[derive(Clone)]
pub struct TlsIdentity(Arc<CertifiedKey>);

/// Why a certificate and a key are not an identity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TlsIdentityError {
    #[error("the client certificate is not a certificate in PEM")]
    Certificate,
    #[error("the client key is not a private key in PEM")]
    Key,
    #[error("the client key is not the key of the client certificate")]
    Mismatch,
}

impl TlsIdentity {
    /// The certificate with its chain, and its private key.
    pub fn from_pem(certificate: &[u8], key: &[u8]) -> Result<Self, TlsIdentityError> {
        let chain = certificates_from_pem(certificate).map_err(|_| TlsIdentityError::Certificate)?;
        let key = PrivateKeyDer::from_pem_slice(key).map_err(|_| TlsIdentityError::Key)?;
        let key = CertifiedKey::from_der(chain, key, &default_provider()).map_err(|error| match error {
            rustls::Error::InconsistentKeys(_) => TlsIdentityError::Mismatch,
            rustls::Error::InvalidCertificate(_) => TlsIdentityError::Certificate,
            _ => TlsIdentityError::Key,
        })?;
        Ok(Self(Arc::new(key)))
    }

    pub(crate) fn resolver(&self) -> Arc<SingleCertAndKey> {
        Arc::new(SingleCertAndKey::from(Arc::clone(&self.0)))
    }
}

impl fmt::Debug for TlsIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TlsIdentity(…)")
    }
}
