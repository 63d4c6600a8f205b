//! The state of a consumer without its client: open records, order, commits.

mod claimed_record;
mod completion_map;
mod done_runs;
mod fence;
mod log;
mod partition;
mod slot;
#[cfg(test)]
mod tests;
mod topic_partition;

pub(crate) use claimed_record::ClaimedRecord;
pub(crate) use completion_map::CompletionMap;
pub use fence::RecordFence;
pub(crate) use log::{CommitPoint, HandOver, Log};
pub(crate) use partition::Partition;
pub(crate) use slot::{History, Slot, SlotState};
pub use topic_partition::TopicPartition;
