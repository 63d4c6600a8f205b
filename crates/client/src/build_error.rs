//! Errors in the settings of a client.

/// A client could not be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    #[error("the server's address '{address}' is invalid: {why}; write it as http://127.0.0.1:2319")]
    Address { address: String, why: &'static str },
    #[error("the key is invalid: it is empty, or contains characters that are not visible ASCII")]
    Key,
    #[error("the reason is invalid: it must be one line of 1 to {most} bytes")]
    Reason { most: usize },
    #[error("tries is invalid; it must be at least 1")]
    Tries,
    #[error("the certificate to trust is invalid; it must contain one or more CERTIFICATE blocks in PEM")]
    Certificate,
    #[error("the operating system trusts no certificates; install its root certificates, or configure one to trust")]
    NoRoots,
    #[error("TLS cannot be set up")]
    Tls(#[source] rustls::Error),
}
