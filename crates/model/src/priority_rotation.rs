//! Selects the priority that is served next.
//!
//! High, medium and low get 8, 4 and 1 of every 13 turns, spread evenly, so that a burst of high-priority work slows
//! the rest down but never stops it. If a priority has nothing waiting, its turn goes to the next priority in the round
//! that has.

use redrive_core::Priority;

/// The turns of one round: 8 high, 4 medium, 1 low, with as few repetitions in a row as possible.
const ROUND: [Priority; 13] = {
    use Priority::{High, Low, Medium};
    [High, Medium, High, High, Medium, High, Low, High, Medium, High, High, Medium, High]
};

/// A weighted round robin over the priorities.
///
/// ```
/// use redrive_core::Priority;
/// use redrive_model::PriorityRotation;
///
/// let mut rotation = PriorityRotation::default();
/// let served: Vec<_> = (0..13).filter_map(|_| rotation.next(|_| true)).collect();
/// assert_eq!(served.iter().filter(|turn| **turn == Priority::High).count(), 8);
/// assert_eq!(rotation.next(|priority| priority == Priority::Low), Some(Priority::Low));
/// assert_eq!(rotation.next(|_| false), None);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PriorityRotation {
    next: u8,
}

impl PriorityRotation {
    /// The number of turns of the round that have been served.
    pub const fn position(self) -> u8 {
        self.next
    }

    /// Continues at this turn of the round.
    pub fn at(position: u8) -> Self {
        Self { next: position % 13 }
    }

    /// Records that this priority was served.
    pub fn served(&mut self, priority: Priority) {
        let _turn = self.next(|other| other == priority);
    }

    /// The priority of the next turn among those with waiting items; `None` if nothing waits.
    pub fn next(&mut self, has_waiting: impl Fn(Priority) -> bool) -> Option<Priority> {
        let start = usize::from(self.next);
        let turn =
            (0..ROUND.len()).map(|ahead| (start + ahead) % ROUND.len()).find(|turn| has_waiting(ROUND[*turn]))?;
        self.next = u8::try_from((turn + 1) % ROUND.len()).unwrap_or(0);
        Some(ROUND[turn])
    }
}
