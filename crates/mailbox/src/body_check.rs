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
