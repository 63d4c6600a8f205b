//! The receipt handle of a delivery.

use std::fmt;
use std::sync::Arc;

use super::MessageId;

/// Identifies one delivery of one message: `id:nonce`. Two deliveries never share a handle.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReceiptHandle {
    id: MessageId,
    nonce: Arc<str>,
}

impl ReceiptHandle {
    pub fn new(id: MessageId, nonce: Arc<str>) -> Self {
        Self { id, nonce }
    }

    pub fn id(&self) -> &MessageId {
        &self.id
    }

    /// Distinguishes the deliveries of a message.
    pub fn nonce(&self) -> &str {
        &self.nonce
    }
}

impl fmt::Display for ReceiptHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.id, self.nonce)
    }
}

impl fmt::Debug for ReceiptHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
