//! Ids of requests, for logs and audit records.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use http::HeaderValue;
use redrive_store::random_seed;

/// The id of a request: the caller's, from the header `X-Request-Id`, or a generated one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RequestId(Arc<str>);

impl RequestId {
    const BYTES_MAX: usize = 128;

    pub(crate) fn of(given: Option<&HeaderValue>, ids: &RequestIds) -> Self {
        let given = given.and_then(|value| value.to_str().ok());
        let is_plain = |text: &&str| !text.is_empty() && text.len() <= Self::BYTES_MAX;
        given.filter(is_plain).map_or_else(|| ids.next(), |text| Self(Arc::from(text)))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Generates request ids that are unique across requests and, in practice, across servers.
#[derive(Debug)]
pub(crate) struct RequestIds {
    server: u32,
    next: AtomicU64,
}

impl RequestIds {
    pub(crate) fn new() -> Self {
        // Only has to differ between servers; it is no secret.
        let server = u32::try_from(random_seed() >> 32).unwrap_or_default();
        Self { server, next: AtomicU64::new(1) }
    }

    fn next(&self) -> RequestId {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        RequestId(Arc::from(format!("{:08x}-{number:x}", self.server)))
    }
}
