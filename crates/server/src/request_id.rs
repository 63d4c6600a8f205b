//! How requests are told apart in logs.

use std::fmt;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use http::HeaderValue;

/// Names a request in logs: the caller's own name for it, or one that it is given.
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

/// Gives names that differ from request to request and from server to server.
#[derive(Debug)]
pub(crate) struct RequestIds {
    server: u32,
    next: AtomicU64,
}

impl RequestIds {
    pub(crate) fn new() -> Self {
        // Only told apart, never trusted: the upper half is as good as the lower.
        let server = u32::try_from(RandomState::new().build_hasher().finish() >> 32).unwrap_or_default();
        Self { server, next: AtomicU64::new(1) }
    }

    fn next(&self) -> RequestId {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        RequestId(Arc::from(format!("{:08x}-{number:x}", self.server)))
    }
}
