//! Test mode, for the tests of clients: a separate listener to freeze and move the clock and to freeze queues.

mod clock;
mod control;
mod frozen_queues;
mod test_mode;

pub use clock::TestClock;
pub use test_mode::TestMode;

pub(crate) use control::serve;
pub(crate) use frozen_queues::FrozenQueues;
