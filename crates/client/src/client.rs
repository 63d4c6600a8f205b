//! The client.

use std::fmt;
use std::sync::Arc;

use http::HeaderValue;
use redrive_core::{Backoff, Span};

use crate::transport::{Address, Transport};

/// A client of one server. Clones share their connections.
#[derive(Clone)]
pub struct Client {
    pub(crate) inner: Arc<Inner>,
    /// Reason of its calls, for their audit records.
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
    /// The address of the server.
    pub fn address(&self) -> &str {
        &self.inner.address.shown
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
