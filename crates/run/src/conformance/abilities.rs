//! What a source has and what it does not have.

use std::sync::Arc;

use redrive_core::Span;

/// What a source has. A rule about something that it does not have is not tried.
#[derive(Debug, Clone)]
pub struct Abilities {
    /// Claims end by themselves after this long, a minute or more, unless they are extended; `None` where they do not.
    pub lease: Option<Span>,
    /// What the first delivery of fresh work says of its attempt, and of its deliveries: 1; more, where it failed before
    /// it came here.
    pub first_attempt: u32,
    pub destinations: Destinations,
    /// The next of a key waits for the earlier one.
    pub is_ordered: bool,
    /// Work carries a key; where it does not, none is given to it.
    pub carries_keys: bool,
    /// Work carries headers; where it does not, none are given to it.
    pub carries_headers: bool,
    /// Work may come with named parts.
    pub takes_parts: bool,
    /// Work may come for a later time.
    pub takes_schedule: bool,
    /// How much of its attempts a letter keeps.
    pub records: Records,
    /// [`SourceBench::revoke`](super::SourceBench::revoke) does something.
    pub can_revoke: bool,
    /// Whoever holds a claim that is revoked is told by its cancel signal.
    pub tells_revoked: bool,
    /// [`SourceBench::lose_next_answer`](super::SourceBench::lose_next_answer) does something.
    pub can_lose_answers: bool,
    /// [`SourceBench::refuse_letters`](super::SourceBench::refuse_letters) does something.
    pub can_refuse_letters: bool,
    /// [`SourceBench::restart`](super::SourceBench::restart) does something.
    pub can_restart: bool,
    /// Counts, due times, failed parts and condemnations survive a restart; otherwise work begins anew.
    pub remembers: bool,
}

/// Whom the work of a source is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Destinations {
    /// Each piece says it itself.
    Many,
    /// All of it is for this one.
    One(Arc<str>),
}

/// How much of its attempts a letter keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Records {
    /// The text of the newest error.
    NewestError,
    /// The newest record, whole.
    Newest,
    /// All of them, as far as a limit allows.
    All,
}

impl Default for Abilities {
    /// Claims that do not end, in no order, for many destinations, with keys and headers, and nothing else that a source
    /// need not have.
    fn default() -> Self {
        Self {
            lease: None,
            first_attempt: 1,
            destinations: Destinations::Many,
            is_ordered: false,
            carries_keys: true,
            carries_headers: true,
            takes_parts: false,
            takes_schedule: false,
            records: Records::Newest,
            can_revoke: false,
            tells_revoked: false,
            can_lose_answers: false,
            can_refuse_letters: false,
            can_restart: false,
            remembers: false,
        }
    }
}
