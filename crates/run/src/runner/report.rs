//! The report of a run.

/// What a runner did from its start to its end, in number of deliveries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RunReport {
    /// Attempts that succeeded.
    pub done: u64,
    /// Calls that failed and were or will be repeated.
    pub retried: u64,
    /// Work that failed permanently and became a letter.
    pub dead_lettered: u64,
    /// Work that failed permanently and of which the policy wants no letter.
    pub dropped: u64,
    /// Work that was released or deferred without an attempt.
    pub deferred: u64,
    /// Attempts that were stopped at the end of the drain. They are also counted by their resolution.
    pub aborted: u64,
    /// Attempts whose claim ended first; their results were dropped.
    pub lost: u64,
    /// Results whose answer was lost: either the source took them, or the claim had ended.
    pub uncertain: u64,
    /// Work that failed permanently and waits for another hand-over.
    pub hand_over_pending: u64,
    /// Attempts that outages have not charged. They are also counted by their resolution.
    pub refunded: u64,
    /// Results that the source had not taken when the runner ended.
    pub unsettled: u64,
}

impl RunReport {
    /// Attempts that ended before the drain stopped them.
    pub const fn finished(&self) -> u64 {
        (self.done + self.retried + self.dead_lettered + self.dropped).saturating_sub(self.aborted)
    }
}
