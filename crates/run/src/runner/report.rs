//! What a runner did.

/// What a runner did from its start to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RunReport {
    /// Attempts that ended in success.
    pub done: u64,
    /// Attempts that failed and are made again.
    pub retried: u64,
    /// Work that failed for good and became a letter.
    pub dead_lettered: u64,
    /// Work that failed for good and whose letter nobody wants.
    pub dropped: u64,
    /// Work that was given back untried, for now or for later.
    pub deferred: u64,
    /// Attempts that the end of the shutdown stopped: they count as failed, and among those that became of them.
    pub aborted: u64,
    /// Attempts whose claim ended before them; their results were dropped.
    pub lost: u64,
    /// Results whose answer was lost: the source took them, or the claim had ended.
    pub uncertain: u64,
    /// Work that failed for good, and waits to be handed over.
    pub condemned: u64,
    /// Results that the source had not taken when time was up.
    pub unsettled: u64,
}

impl RunReport {
    /// Attempts that came to an end of their own.
    pub const fn finished(&self) -> u64 {
        (self.done + self.retried + self.dead_lettered + self.dropped).saturating_sub(self.aborted)
    }
}
