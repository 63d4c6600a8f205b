//! One queue: its settings, its partitions, its counts.

mod counts;
mod faults;
mod news;
mod order;
mod overdue;
mod pace;
mod partition;
mod queue;
mod settings;

pub use counts::{Ending, LetterCounts, Tally, Why};
pub use pace::{Event, Pace};
pub use settings::QueueSettings;

pub(crate) use counts::Group;
pub(crate) use news::{news, parting};
pub(crate) use order::Order;
pub(crate) use partition::Partition;
pub(crate) use queue::Queue;
