//! For the tests of clients: a clock that stands still, queues that stand still, behind a listener of its own.

mod clock;
mod control;
mod stills;
mod test_mode;

pub use clock::TestClock;
pub use test_mode::TestMode;

pub(crate) use control::serve;
pub(crate) use stills::Stills;
