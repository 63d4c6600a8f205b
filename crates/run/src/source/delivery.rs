//! Claimed work.

use std::sync::Arc;

use redrive_core::Time;
use tokio_util::sync::CancellationToken;

use crate::Work;

/// Signals that a claim has ended before its work: it was revoked, archived or lost.
pub type Cancel = CancellationToken;

/// One piece of claimed work.
#[derive(Debug, Clone)]
pub struct Delivery<F> {
    /// Identifies the claim. The holder presents it to settle or extend the delivery.
    pub fence: F,
    pub work: Arc<Work>,
    /// When the claim expires unless it is extended; `None` if claims of this source do not expire.
    pub deadline: Option<Time>,
    /// The work failed permanently before and its hand-over failed: the handler does not run again.
    pub is_hand_over_only: bool,
    /// Set if the source can signal the end of a claim at once. Otherwise the holder finds out when it extends.
    pub cancel: Option<Cancel>,
    /// When the attempt was due, if the source knows.
    pub due: Option<Time>,
}
