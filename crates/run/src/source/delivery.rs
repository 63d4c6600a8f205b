//! Claimed work.

use std::sync::Arc;

use redrive_core::{Failure, Time};

use super::Cancel;
use crate::Work;

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
    /// The work fails without an attempt, for this reason: it cannot be decoded, blocked its source for too long, or an
    /// operator gave it up. The policy decides about it as about any failure.
    pub unrun: Option<Box<Failure>>,
    /// Set if the source can signal the end of a claim at once. Otherwise the holder finds out when it extends.
    pub cancel: Option<Cancel>,
    /// When the attempt was due, if the source knows.
    pub due: Option<Time>,
}

impl<F> Delivery<F> {
    /// Work for its first or next attempt, whose claim ends at its deadline.
    pub const fn new(fence: F, work: Arc<Work>, deadline: Option<Time>) -> Self {
        Self { fence, work, deadline, is_hand_over_only: false, unrun: None, cancel: None, due: None }
    }
}
