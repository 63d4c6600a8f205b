//! The check of a body before its handler runs.

use std::sync::Arc;

/// Decodes a body without using it. Returns the ids in it, or why it cannot be decoded.
pub(crate) type BodyCheck = Arc<dyn Fn(&[u8]) -> Result<BodyIds, String> + Send + Sync>;

/// What a body says about itself.
#[derive(Debug, Clone, Default)]
pub(crate) struct BodyIds {
    pub(crate) request_id: Option<String>,
    pub(crate) trace_id: Option<String>,
}

impl BodyIds {
    /// Maximum length of an id in bytes. Letters and log lines contain the ids besides the body, and have room for ids
    /// only.
    pub(crate) const BYTES_MAX: usize = 256;

    /// Ids that are longer than the maximum are ignored.
    pub(crate) fn new(request_id: Option<String>, trace_id: Option<String>) -> Self {
        let bounded = |id: Option<String>| id.filter(|id| id.len() <= Self::BYTES_MAX);
        Self { request_id: bounded(request_id), trace_id: bounded(trace_id) }
    }
}
