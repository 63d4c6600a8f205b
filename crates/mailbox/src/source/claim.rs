//! The claim of a message.

use std::sync::Arc;

use tokio::sync::Mutex;

use crate::RawMessage;
use crate::body_check::BodyIds;

/// The claim of a message: its delivery, with what a letter about it needs.
#[derive(Debug, Clone)]
pub struct MailboxClaim(pub(super) Arc<ClaimedMessage>);

#[derive(Debug)]
pub(super) struct ClaimedMessage {
    pub(super) message: RawMessage,
    pub(super) ids: BodyIds,
    /// Held while the claim is settled: between the steps of a hand-over, no other settlement may take effect.
    pub(super) settling: Mutex<Settling>,
}

#[derive(Debug, Default)]
pub(super) struct Settling {
    /// The type of the error about which a letter could not be handed over.
    pub(super) error_type: Option<Arc<str>>,
}

impl MailboxClaim {
    pub(super) fn new(message: RawMessage, ids: BodyIds) -> Self {
        Self(Arc::new(ClaimedMessage { message, ids, settling: Mutex::default() }))
    }
}

impl From<RawMessage> for MailboxClaim {
    fn from(message: RawMessage) -> Self {
        Self::new(message, BodyIds::default())
    }
}
