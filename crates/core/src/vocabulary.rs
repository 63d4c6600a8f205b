//! The closed sets of values in letters, items and replies.

use crate::closed_set::closed_set;

closed_set! {
    /// The status of a letter.
    pub enum Status ("status") {
        Pending = "pending",
        Retrying = "retrying",
        Exhausted = "exhausted",
        Completed = "completed",
        Archived = "archived",
    }
}

impl Status {
    /// Whether a letter with this status has no final outcome yet and counts towards the queue's size.
    pub const fn is_live(self) -> bool {
        matches!(self, Self::Pending | Self::Retrying | Self::Exhausted)
    }
}

closed_set! {
    /// The result of one attempt, as reported by its handler.
    pub enum Outcome ("outcome") {
        Success = "success",
        Failure = "failure",
        /// Some of the named parts failed; the next attempt gets only those.
        Partial = "partial",
        /// Not attempted: tried again later, without spending an attempt.
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
    /// The priority of a waiting item. Priorities are served in the ratio 8:4:1, so low priority never starves.
    #[derive(Default)]
    pub enum Priority ("priority") {
        High = "high",
        #[default]
        Medium = "medium",
        Low = "low",
    }
}

closed_set! {
    /// The result of a request to store a letter: exactly one per request.
    pub enum PersistOutcome ("persist outcome") {
        /// Synced to the store.
        Persisted = "persisted",
        /// Accepted by a store that is configured without durability.
        InMemory = "in_memory",
        Rejected = "rejected",
    }
}

closed_set! {
    /// The origin of a letter's retry policy. A derived policy changes with the newest failure; the others are fixed.
    pub enum PolicySource ("policy source") {
        Explicit = "explicit",
        Default = "default",
        Derived = "derived",
    }
}

closed_set! {
    /// Why a failure became a letter or did not. Each reason has a counter.
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
        /// The failure belongs to a running retry: it settles that letter instead of creating another.
        InRetry = "in_retry",
    }
}

closed_set! {
    /// How an attempt ended without a result from its handler.
    pub enum Cause ("cause") {
        /// The claim expired: a crash, a hang, a lost connection. The effect of the attempt is unknown.
        Lost = "lost",
        /// A shutdown stopped the attempt.
        Aborted = "aborted",
        /// The attempt exceeded its timeout.
        TimedOut = "timed_out",
        /// The result arrived after the claim had ended, and changed nothing.
        Late = "late",
        /// Not an attempt: the letter that this one depends on will not be completed.
        LostDependency = "lost_dependency",
        /// Not an attempt: an operator gave an exhausted letter its retries back.
        Resumed = "resumed",
    }
}

closed_set! {
    /// Why an item of a queue died.
    pub enum DeathReason ("death reason") {
        /// All attempts are spent.
        MaxAttempts = "max_attempts",
        /// The item expired before a consumer leased it.
        Expired = "expired",
        /// The holder of the lease gave the item up.
        GivenUp = "given_up",
    }
}

closed_set! {
    /// The effect of a capture into a full queue.
    #[derive(Default)]
    pub enum OnFull ("on_full") {
        /// The capture is rejected.
        #[default]
        Reject = "reject",
        /// The letter is stored, and scheduled once the queue has space.
        Overflow = "overflow",
    }
}

closed_set! {
    /// The effect of an outage of a destination on the work for it. Its circuit breaker tells when there is one.
    #[derive(Default)]
    pub enum OnOutage ("on_outage") {
        /// Every failure spends an attempt, except those of probes while its breaker has found an outage: work whose
        /// attempts are spent becomes a letter.
        #[default]
        DeadLetter = "dead_letter",
        /// What a failure costs is decided when the destination serves other work: an outage makes no letters, and the work
        /// waits for its end.
        Pause = "pause",
    }
}

closed_set! {
    /// The effect on a dependent letter when its dependency is exhausted, archived or deleted.
    #[derive(Default)]
    pub enum OnLostDependency ("on_lost_dependency") {
        /// The letter keeps waiting, in case the dependency is completed after all.
        #[default]
        Wait = "wait",
        /// The letter is scheduled as if the dependency were completed.
        Release = "release",
        /// The letter is exhausted, too.
        Exhaust = "exhaust",
    }
}

closed_set! {
    /// The effect of a second failure of the same source id while the first letter waits. While that letter is retried,
    /// the failure is always recorded on it.
    #[derive(Default)]
    pub enum OnDuplicate ("on_duplicate") {
        /// The failure is added to the existing letter as an attempt.
        #[default]
        Merge = "merge",
        /// The capture is rejected as a conflict.
        Reject = "reject",
        /// The failure becomes a letter of the next generation, and the existing letter is archived.
        NewGeneration = "new_generation",
    }
}
