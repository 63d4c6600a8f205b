//! The client itself.

use std::fmt;
use std::sync::Arc;

use http::HeaderValue;
use redrive_core::{Backoff, Span};

use crate::reason::header_of;
use crate::transport::{Address, Transport};
use crate::{BuildError, ClientBuilder, Letters, Queue};

/// A client of one server. Clones share their connections.
#[derive(Clone)]
pub struct Client {
    pub(crate) inner: Arc<Inner>,
    /// Why its calls are made, for their records.
    pub(crate) reason: Option<HeaderValue>,
}

pub(crate) struct Inner {
    pub(crate) address: Address,
    pub(crate) authorization: Option<HeaderValue>,
    pub(crate) deadline: Span,
    pub(crate) tries: u32,
    pub(crate) backoff: Backoff,
    pub(crate) answer_bytes_max: usize,
    pub(crate) transport: Transport,
}

impl Client {
    /// The most that a server keeps of a reason.
    pub const REASON_BYTES_MAX: usize = 512;

    /// A client with the usual settings. `127.0.0.1:2319`, `http://…` and `https://…` are addresses.
    pub fn new(address: &str) -> Result<Self, BuildError> {
        Self::builder(address).build()
    }

    pub fn builder(address: &str) -> ClientBuilder {
        ClientBuilder::new(address)
    }

    /// Whom it calls.
    pub fn address(&self) -> &str {
        &self.inner.address.shown
    }

    /// The calls about one queue, with its name filled in.
    pub fn queue(&self, name: impl Into<String>) -> Queue {
        Queue::new(self.clone(), name.into())
    }

    /// The calls about the letters of one queue, with its name filled in.
    pub fn letters(&self, queue: impl Into<String>) -> Letters {
        Letters::new(self.clone(), queue.into())
    }

    /// A client whose calls say why they are made: the server keeps it with the record of an act, and shows a payload to
    /// nobody who does not say it. Plain text, up to [`REASON_BYTES_MAX`](Self::REASON_BYTES_MAX) bytes.
    ///
    /// # Look at the payload of a letter
    ///
    /// ```no_run
    /// # async fn look(client: redrive_client::Client) -> Result<(), Box<dyn std::error::Error>> {
    /// let shown = client.because("support case 9")?.letters("orders-dead").reveal("2PqKcMkQhVbFQ0dQ4mC3nCyaQWz").await?;
    /// println!("{} bytes", shown.content.unwrap_or_default().payload.len());
    /// # Ok(())
    /// # }
    /// ```
    pub fn because(&self, reason: &str) -> Result<Self, BuildError> {
        Ok(Self { inner: Arc::clone(&self.inner), reason: Some(header_of(reason)?) })
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("address", &self.inner.address.shown)
            .field("has_key", &self.inner.authorization.is_some())
            .field("has_reason", &self.reason.is_some())
            .field("deadline", &self.inner.deadline)
            .field("tries", &self.inner.tries)
            .finish_non_exhaustive()
    }
}
