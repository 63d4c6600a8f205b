//! Whether a runner gets on.

use std::sync::Arc;

use redrive_core::{Span, Time};

/// How a runner fares at a moment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunnerHealth {
    /// It answered at all.
    pub is_responsive: bool,
    pub is_paused: bool,
    /// It takes nothing new and waits for its handlers.
    pub is_draining: bool,
    /// Handlers at work.
    pub running: usize,
    /// Results that the source has not taken yet.
    pub finishing: usize,
    /// Attempts that were stopped, by their timeout or a lost claim, and whose handlers do not end.
    pub stuck: usize,
    /// How long the longest attempt has been running.
    pub oldest: Option<Span>,
    /// Since when nothing could be claimed, and why.
    pub claim_trouble: Option<RunnerTrouble>,
    /// Since when results could not be handed in, and why.
    pub settle_trouble: Option<RunnerTrouble>,
    /// Destinations that are not called now.
    pub held: Vec<Arc<str>>,
}

/// Something that does not work, for the time being.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunnerTrouble {
    pub since: Time,
    pub error: String,
}

impl RunnerHealth {
    /// Whether it does what it is there for.
    pub fn is_progressing(&self) -> bool {
        self.is_responsive && self.stuck == 0 && self.claim_trouble.is_none() && self.settle_trouble.is_none()
    }
}
