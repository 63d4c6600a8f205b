//! Work that was handed over to be tried.

use std::sync::Arc;

use redrive_core::Time;
use tokio_util::sync::CancellationToken;

use crate::Work;

/// Tells that a claim has ended before its work: revoked, archived, lost.
pub type Cancel = CancellationToken;

/// One piece of work under claim.
#[derive(Debug, Clone)]
pub struct Delivery<F> {
    /// Names the claim. Whoever finishes the delivery shows it.
    pub fence: F,
    pub work: Arc<Work>,
    /// When the claim ends unless it is extended; `None` where it does not end by itself.
    pub deadline: Option<Time>,
    /// It failed for good before and could not be handed over: the handler does not run again.
    pub is_hand_over_only: bool,
    /// Where the source can tell at once; elsewhere the holder learns it when it extends.
    pub cancel: Option<Cancel>,
    /// When it was to be tried, where the source knows.
    pub due: Option<Time>,
}
