//! TLS of a target.

use std::fmt;

/// Certificates of a target that is called over TLS, in PEM.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TargetTls {
    /// Certificate authorities to trust, in addition to those of the machine.
    pub ca_certificates: Option<Vec<u8>>,
    /// Sent to servers that ask for a certificate.
    pub client_certificate: Option<ClientCertificate>,
}

/// A certificate with its chain, and its private key.
#[derive(Clone, PartialEq, Eq)]
pub struct ClientCertificate {
    pub certificate: Vec<u8>,
    pub key: Vec<u8>,
}

impl fmt::Debug for ClientCertificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ClientCertificate(…)")
    }
}
