//! A request that may be repeated.

use redrive_core::Time;
use redrive_model::{Produce, Produced};

use super::ProducedAs;

/// A request and its answer.
#[derive(Debug, Clone)]
pub struct RememberedRequest {
    pub request: Produce,
    pub(super) queue: u32,
    pub(super) until: Time,
    pub(super) partition: u32,
    pub(super) items: Vec<ProducedAs>,
    /// The answer with the ids that the items had at that time.
    pub(super) answer: Option<Produced>,
}
