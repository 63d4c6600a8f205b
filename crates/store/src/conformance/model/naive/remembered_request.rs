//! A request that may be sent again.

use redrive_core::Time;
use redrive_model::{Produce, Produced};

use super::item::Number;

/// A request, and what it was answered.
#[derive(Debug, Clone)]
pub struct RememberedRequest {
    pub request: Produce,
    pub(super) queue: u32,
    pub(super) until: Time,
    pub(super) partition: u32,
    /// And whether each is new.
    pub(super) items: Vec<(Number, bool)>,
    /// The answer in the ids that the items had then: they get others later.
    pub(super) told: Option<Produced>,
}
