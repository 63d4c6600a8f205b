//! Empty a queue.
//!
//! Plain items go all at once, however many there are: whole orders are set aside, and their room is given
//! back by and by. Letters are counted in more ways than one, so each of them is taken out by itself.

use redrive_core::QueueName;

/// What is removed from all partitions of a queue.
#[derive(Debug, Clone)]
pub struct Clear {
    pub queue: QueueName,
    /// Items that nobody holds.
    pub ready: bool,
    /// With them, those that somebody holds.
    pub destructive: bool,
    /// Items that wait for their time.
    pub scheduled: bool,
}
