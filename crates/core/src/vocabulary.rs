//! The small closed sets that letters, items and replies are described with.

use crate::closed_set::closed_set;

closed_set! {
    /// Where a letter is in its life.
    pub enum Status ("status") {
        Pending = "pending",
        Retrying = "retrying",
        Exhausted = "exhausted",
        Completed = "completed",
        Archived = "archived",
    }
}

impl Status {
    /// Whether a letter in this state still waits for an outcome and counts towards the queue's size.
    pub const fn is_live(self) -> bool {
        matches!(self, Self::Pending | Self::Retrying | Self::Exhausted)
    }
}

closed_set! {
    /// What a handler says of one attempt.
    pub enum Outcome ("outcome") {
        Success = "success",
        Failure = "failure",
        /// Some of the named parts failed; the next attempt gets only those.
        Partial = "partial",
        /// Not tried: later, and no attempt spent.
        Deferred = "deferred",
    }
}

closed_set! {
    /// What started an attempt.
    pub enum Trigger ("trigger") {
        Automatic = "automatic",
        Manual = "manual",
        Replay = "replay",
    }
}

closed_set! {
    /// Which of several waiting items is served first. Shares are 8:4:1, so low never starves.
    #[derive(Default)]
    pub enum Priority ("priority") {
        High = "high",
        #[default]
        Medium = "medium",
        Low = "low",
    }
}

closed_set! {
    /// What became of a request to store a letter: exactly one per request.
    pub enum PersistOutcome ("persist outcome") {
        /// Synced to the store.
        Persisted = "persisted",
        /// Accepted by a store that was configured without durability.
        InMemory = "in_memory",
        Rejected = "rejected",
    }
}

closed_set! {
    /// Where a letter's retry policy came from: a derived one follows the newest failure, the others stay.
    pub enum PolicySource ("policy source") {
        Explicit = "explicit",
        Default = "default",
        Derived = "derived",
    }
}

closed_set! {
    /// Why a failure did, or did not, become a letter. One counter each.
    pub enum CaptureReason ("capture reason") {
        Enqueued = "enqueued",
        Merged = "merged",
        SkippedByPolicy = "skipped_by_policy",
        SkippedByStrategy = "skipped_by_strategy",
        Disabled = "disabled",
        QueueFull = "queue_full",
        PersistFailed = "persist_failed",
        Duplicate = "duplicate",
        Invalid = "invalid",
        Denied = "denied",
        /// The failure belongs to a running retry: it settles that letter instead of making another.
        InRetry = "in_retry",
    }
}

closed_set! {
    /// How an attempt ended, where it was not its handler that said so.
    pub enum Cause ("cause") {
        /// Its claim ran out: a crash, a hang, a lost connection. Nobody knows what it did.
        Lost = "lost",
        /// It was stopped at a shutdown.
        Aborted = "aborted",
        /// It took longer than it may.
        TimedOut = "timed_out",
        /// Its result came when the claim was no longer its own; it changed nothing.
        Late = "late",
        /// It was no attempt: what the letter waited for will not be completed.
        LostDependency = "lost_dependency",
    }
}

closed_set! {
    /// Why an item of a queue died.
    pub enum DeathReason ("death reason") {
        /// Its attempts are spent.
        MaxAttempts = "max_attempts",
        /// Its time ran out before anybody took it.
        Expired = "expired",
        /// Its holder gave it up.
        GivenUp = "given_up",
    }
}

closed_set! {
    /// What a capture into a full queue gets.
    #[derive(Default)]
    pub enum OnFull ("on_full") {
        /// It is refused.
        #[default]
        Reject = "reject",
        /// It is kept, and scheduled when there is room.
        Overflow = "overflow",
    }
}

closed_set! {
    /// What a letter gets that waits for another one which is exhausted, archived or gone.
    #[derive(Default)]
    pub enum OnLostDependency ("on_lost_dependency") {
        /// It waits on, for that one to be completed after all.
        #[default]
        Wait = "wait",
        /// It goes on, as if that one were completed.
        Release = "release",
        /// It is exhausted, too.
        Exhaust = "exhaust",
    }
}

closed_set! {
    /// What a second failure of the same source id becomes while the first letter waits. While that one is retried, it is
    /// a record of that letter in any case.
    #[derive(Default)]
    pub enum OnDuplicate ("on_duplicate") {
        /// An attempt of the letter that is there.
        #[default]
        Merge = "merge",
        /// A conflict.
        Reject = "reject",
        /// A letter of the next generation, and the one that is there is archived.
        NewGeneration = "new_generation",
    }
}
