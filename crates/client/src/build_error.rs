//! What can be wrong with the settings of a client.

/// A client could not be made.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    #[error("the server's address '{address}' is invalid: {why}; write it as http://127.0.0.1:2319")]
    Address { address: String, why: &'static str },
    #[error("the key is invalid: it is empty, or has characters that no key has")]
    Key,
    #[error("the reason is invalid: it is to be 1 to {most} letters, digits and signs of ASCII, on one line")]
    Reason { most: usize },
    #[error("tries is invalid; one is the least")]
    Tries,
    #[error("the certificate to trust is invalid; it is to be one or more of PEM's CERTIFICATE")]
    Certificate,
    #[error("this machine trusts no certificates; install its root certificates, or name one to trust")]
    NoRoots,
    #[error("TLS cannot be set up")]
    Tls(#[source] rustls::Error),
}
