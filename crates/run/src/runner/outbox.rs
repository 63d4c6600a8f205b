//! Results on their way to the source.
//!
//! Those that are there go together: while one call is on its way, the next gathers. A source that does not answer
//! gets them again, less and less often, for as long as the claims may hold.

use std::collections::VecDeque;

use redrive_core::{Span, Time};

use super::health::Trouble;
use crate::{SettleError, Settlement};

/// A result, and whose it is.
#[derive(Debug)]
pub(super) struct Parcel<F> {
    pub(super) entry: usize,
    pub(super) settlement: Settlement<F>,
    /// It was sent before, and nobody knows whether that took effect.
    pub(super) is_uncertain: bool,
}

#[derive(Debug)]
pub(super) struct Outbox<F> {
    waiting: VecDeque<Parcel<F>>,
    /// Calls on their way.
    pub(super) calls: usize,
    trouble: Option<Trouble>,
    failures: u32,
    not_before: Option<Time>,
}

impl<F> Outbox<F> {
    /// So many results go in one call.
    const BATCH_MAX: usize = 1024;
    /// So many calls are on their way at a time.
    const CALLS_MAX: usize = 2;

    pub(super) const fn new() -> Self {
        Self { waiting: VecDeque::new(), calls: 0, trouble: None, failures: 0, not_before: None }
    }

    pub(super) fn push(&mut self, parcel: Parcel<F>) {
        self.waiting.push_back(parcel);
    }

    /// What is sent now, if anything is.
    pub(super) fn take(&mut self, now: Time) -> Option<Vec<Parcel<F>>> {
        let is_time = self.not_before.is_none_or(|not_before| not_before <= now);
        let calls_max = if self.trouble.is_some() { 1 } else { Self::CALLS_MAX };
        if self.waiting.is_empty() || self.calls >= calls_max || !is_time {
            return None;
        }
        self.calls += 1;
        self.not_before = None;
        Some(self.waiting.drain(..self.waiting.len().min(Self::BATCH_MAX)).collect())
    }

    /// Tries again at once, whatever went wrong before: there is not much time left.
    pub(super) const fn hurry(&mut self) {
        self.not_before = None;
    }

    /// When to try again, while there is trouble and something to send.
    pub(super) fn next_try(&self) -> Option<Time> {
        self.not_before.filter(|_| !self.waiting.is_empty())
    }

    /// The source took what it was given.
    pub(super) fn went_well(&mut self) {
        self.failures = 0;
        self.trouble = None;
        self.not_before = None;
    }

    /// The source was not available: these go again, in front.
    pub(super) fn went_wrong(&mut self, parcels: Vec<Parcel<F>>, error: &SettleError, now: Time) {
        let since = self.trouble.as_ref().map_or(now, |trouble| trouble.since);
        self.trouble = Some(Trouble { since, error: error.to_string() });
        self.not_before = Some(now.saturating_add(pause(self.failures)));
        self.failures = self.failures.saturating_add(1);
        for parcel in parcels.into_iter().rev() {
            self.waiting.push_front(parcel);
        }
    }

    pub(super) fn trouble(&self) -> Option<&Trouble> {
        self.trouble.as_ref()
    }
}

/// How long to leave a source alone after so many failures: a tenth of a second, doubled each time, up to 5 s.
pub(super) fn pause(failures: u32) -> Span {
    Span::from_millis(100).saturating_mul(1 << failures.min(6)).min(Span::from_secs(5))
}
