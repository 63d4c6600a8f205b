//! The check of a body before its handler runs.

use std::sync::Arc;

use serde::Deserialize;

/// Decodes a body without using it. Returns the ids in it, or why it cannot be decoded.
pub(crate) type BodyCheck = Arc<dyn Fn(&[u8]) -> Result<BodyIds, String> + Send + Sync>;

/// What a body says about itself.
#[derive(Debug, Clone, Default, Deserialize)]
pub(crate) struct BodyIds {
    pub(crate) request_id: Option<String>,
    pub(crate) trace_id: Option<String>,
}

impl BodyIds {
    /// Maximum length of an id in bytes. Letters and log lines contain the ids besides the body, and have room for ids
    /// only.
    pub(crate) const BYTES_MAX: usize = 256;

    /// The ids of a body that is a JSON object with `request_id` and `trace_id`.
    pub(crate) fn read(body: &[u8]) -> Self {
        let Self { request_id, trace_id } = serde_json::from_slice(body).unwrap_or_default();
        Self::new(request_id, trace_id)
    }

    /// Ids that are longer than the maximum are ignored.
    pub(crate) fn new(request_id: Option<String>, trace_id: Option<String>) -> Self {
        let bounded = |id: Option<String>| id.filter(|id| id.len() <= Self::BYTES_MAX);
        Self { request_id: bounded(request_id), trace_id: bounded(trace_id) }
    }
}
