//! One queue: its partitions and indexes.

mod failure_index;
mod order;
mod overdue;
mod partition;
mod queue;

pub(crate) use order::Order;
pub(crate) use partition::{Cleared, Partition};
pub(crate) use queue::Queue;
