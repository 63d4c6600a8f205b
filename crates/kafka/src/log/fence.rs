//! The identity of a claim.

/// Identifies one claim of one record: the assignment of its partition, the record, and the number of its delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordFence {
    pub(crate) epoch: u64,
    pub(crate) seq: u64,
    pub(crate) delivery: u32,
}
