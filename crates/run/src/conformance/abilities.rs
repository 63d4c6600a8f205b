//! The optional features of a source.

use std::sync::Arc;

use redrive_core::Span;

/// The features of a source. Cases about a feature that the source does not have are skipped.
#[derive(Debug, Clone)]
pub struct Abilities {
    /// Length of a claim, at least a minute; `None` if claims do not expire.
    pub lease: Option<Span>,
    /// The attempt number and delivery count of the first delivery of new work: 1, or more if the work failed before it
    /// came to the source.
    pub first_attempt: u32,
    pub destinations: Destinations,
    /// Work of a key waits for earlier work of the same key.
    pub is_ordered: bool,
    /// A release undoes the delivery, which is then not counted.
    pub uncounts_releases: bool,
    /// Work carries a key. If false, the suite puts in work without keys.
    pub carries_keys: bool,
    /// Work carries headers. If false, the suite puts in work without headers.
    pub carries_headers: bool,
    /// Work may have named parts.
    pub takes_parts: bool,
    /// Work may be scheduled for a later time.
    pub takes_schedule: bool,
    /// Which attempt records a letter keeps.
    pub records: Records,
    /// [`SourceUnderTest::revoke`](super::SourceUnderTest::revoke) is implemented.
    pub can_revoke: bool,
    /// The cancel signal notifies the holder of a revoked claim.
    pub signals_revocation: bool,
    /// [`SourceUnderTest::lose_next_answer`](super::SourceUnderTest::lose_next_answer) is implemented.
    pub can_lose_answers: bool,
    /// [`SourceUnderTest::refuse_letters`](super::SourceUnderTest::refuse_letters) is implemented.
    pub can_refuse_letters: bool,
    /// A hand-over that fails leaves its work for hand-over only: its first step has noted the failure.
    pub notes_hand_over: bool,
    /// [`SourceUnderTest::restart`](super::SourceUnderTest::restart) is implemented.
    pub can_restart: bool,
    /// Counts, due times, failed parts and `is_hand_over_only` survive a restart. If false, work starts anew.
    pub remembers: bool,
}

/// The destinations of the work of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Destinations {
    /// Each piece of work has its own.
    Many,
    /// All work has this one.
    One(Arc<str>),
}

/// Which attempt records a letter keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Records {
    /// Only the error text of the newest record.
    NewestError,
    /// The newest record.
    Newest,
    /// All records, up to a limit.
    All,
}

impl Default for Abilities {
    /// Claims that do not expire, no order, every delivery counted, many destinations, keys and headers, the newest
    /// record, and no other optional feature.
    fn default() -> Self {
        Self {
            lease: None,
            first_attempt: 1,
            destinations: Destinations::Many,
            is_ordered: false,
            uncounts_releases: false,
            carries_keys: true,
            carries_headers: true,
            takes_parts: false,
            takes_schedule: false,
            records: Records::Newest,
            can_revoke: false,
            signals_revocation: false,
            can_lose_answers: false,
            can_refuse_letters: false,
            notes_hand_over: false,
            can_restart: false,
            remembers: false,
        }
    }
}
