//! Settings of a client.

use std::fmt;
use std::sync::Arc;

use http::HeaderValue;
use redrive_core::{Backoff, Span};

use crate::client::Inner;
use crate::transport::{Address, Transport};
use crate::{BuildError, Client};

impl Client {
    /// Creates a client with default settings. An address is `127.0.0.1:2319` (HTTP), `http://…` or `https://…`.
    pub fn new(address: &str) -> Result<Self, BuildError> {
        Self::builder(address).build()
    }

    pub fn builder(address: &str) -> ClientBuilder {
        ClientBuilder::new(address)
    }
}

/// The settings of a [`Client`].
///
/// ```
/// use redrive_client::{Client, Span};
///
/// # fn main() -> Result<(), redrive_client::BuildError> {
/// let client = Client::builder("https://redrive.example.com")
///     .key("rdr-live-…")
///     .deadline(Span::from_secs(5))
///     .tries(2)
///     .build();
/// # assert!(client.is_err(), "a key is ASCII");
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct ClientBuilder {
    address: String,
    key: Option<String>,
    deadline: Span,
    connect_timeout: Span,
    tries: u32,
    backoff: Backoff,
    idle_connections_max: usize,
    answer_bytes_max: usize,
    trusted: Vec<rustls::pki_types::CertificateDer<'static>>,
}

impl ClientBuilder {
    /// Default deadline of a call, in addition to its `request_timeout`.
    pub const DEADLINE: Span = Span::from_secs(30);
    pub const CONNECT_TIMEOUT: Span = Span::from_secs(10);
    /// Default number of tries, including the first one.
    pub const TRIES: u32 = 4;
    pub const IDLE_CONNECTIONS_MAX: usize = 256;
    /// Default maximum size of an answer; larger than any answer of a server with default settings.
    pub const ANSWER_BYTES_MAX: usize = 256 << 20;

    fn new(address: &str) -> Self {
        Self {
            address: address.to_owned(),
            key: None,
            deadline: Self::DEADLINE,
            connect_timeout: Self::CONNECT_TIMEOUT,
            tries: Self::TRIES,
            backoff: Backoff::reconnect(Span::from_millis(50), Span::from_secs(2)),
            idle_connections_max: Self::IDLE_CONNECTIONS_MAX,
            answer_bytes_max: Self::ANSWER_BYTES_MAX,
            trusted: Vec::new(),
        }
    }

    /// Sets the API key.
    #[must_use]
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }

    /// Sets the maximum duration of a call including all tries, in addition to its `request_timeout`.
    #[must_use]
    pub const fn deadline(mut self, deadline: Span) -> Self {
        self.deadline = deadline;
        self
    }

    /// Sets the maximum time to open a connection.
    #[must_use]
    pub const fn connect_timeout(mut self, timeout: Span) -> Self {
        self.connect_timeout = timeout;
        self
    }

    /// Sets the number of tries of a call that may be repeated; at least 1.
    #[must_use]
    pub const fn tries(mut self, tries: u32) -> Self {
        self.tries = tries;
        self
    }

    /// Sets the delays between tries.
    #[must_use]
    pub fn backoff(mut self, backoff: Backoff) -> Self {
        self.backoff = backoff;
        self
    }

    /// Sets the maximum number of idle connections.
    #[must_use]
    pub const fn idle_connections_max(mut self, most: usize) -> Self {
        self.idle_connections_max = most;
        self
    }

    /// Sets the maximum size of an answer.
    #[must_use]
    pub const fn answer_bytes_max(mut self, most: usize) -> Self {
        self.answer_bytes_max = most;
        self
    }

    /// Trusts these certificates in addition to those of the operating system, for example a self-signed one.
    pub fn trust_pem(mut self, pem: &[u8]) -> Result<Self, BuildError> {
        use rustls::pki_types::pem::PemObject;
        let read = rustls::pki_types::CertificateDer::pem_slice_iter(pem).collect::<Result<Vec<_>, _>>();
        let certificates = read.map_err(|_| BuildError::Certificate)?;
        if certificates.is_empty() {
            return Err(BuildError::Certificate);
        }
        self.trusted.extend(certificates);
        Ok(self)
    }

    /// Builds the client. It connects at its first call.
    pub fn build(self) -> Result<Client, BuildError> {
        let address = Address::parse(&self.address)?;
        if self.tries == 0 {
            return Err(BuildError::Tries);
        }
        let authorization = self.key.as_deref().map(authorization).transpose()?;
        let transport = Transport::new(&address, self.connect_timeout, self.idle_connections_max, &self.trusted)?;
        let inner = Inner {
            address,
            authorization,
            deadline: self.deadline,
            tries: self.tries,
            backoff: self.backoff,
            answer_bytes_max: self.answer_bytes_max,
            transport,
        };
        Ok(Client { inner: Arc::new(inner), reason: None })
    }
}

fn authorization(key: &str) -> Result<HeaderValue, BuildError> {
    let is_plain = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_graphic());
    let value = is_plain.then(|| HeaderValue::from_str(&format!("Bearer {key}")).ok()).flatten();
    let mut value = value.ok_or(BuildError::Key)?;
    value.set_sensitive(true);
    Ok(value)
}

impl fmt::Debug for ClientBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientBuilder")
            .field("address", &self.address)
            .field("has_key", &self.key.is_some())
            .field("deadline", &self.deadline)
            .field("tries", &self.tries)
            .finish_non_exhaustive()
    }
}
