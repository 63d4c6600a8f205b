//! The client itself.

use std::fmt;
use std::sync::Arc;

use http::HeaderValue;
use redrive_core::{Backoff, Span};

use crate::transport::{Address, Transport};
use crate::{BuildError, ClientBuilder, Queue};

/// A client of one server. Clones share their connections.
#[derive(Clone)]
pub struct Client(pub(crate) Arc<Inner>);

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
    /// A client with the usual settings. `127.0.0.1:2319`, `http://…` and `https://…` are addresses.
    pub fn new(address: &str) -> Result<Self, BuildError> {
        Self::builder(address).build()
    }

    pub fn builder(address: &str) -> ClientBuilder {
        ClientBuilder::new(address)
    }

    /// Whom it calls.
    pub fn address(&self) -> &str {
        &self.0.address.shown
    }

    /// The calls about one queue, with its name filled in.
    pub fn queue(&self, name: impl Into<String>) -> Queue {
        Queue::new(self.clone(), name.into())
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("address", &self.0.address.shown)
            .field("has_key", &self.0.authorization.is_some())
            .field("deadline", &self.0.deadline)
            .field("tries", &self.0.tries)
            .finish_non_exhaustive()
    }
}
