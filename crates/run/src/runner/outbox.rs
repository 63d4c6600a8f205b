//! Results on their way to the source.
//!
//! Those that are there go together: while one call is on its way, the next gathers. A source that does not answer
//! gets them again, less and less often, for as long as the claims may hold.

use std::collections::VecDeque;

use redrive_core::Time;

use super::patience::Patience;
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
    pub(super) patience: Patience,
}

impl<F> Outbox<F> {
    /// So many results go in one call.
    const BATCH_MAX: usize = 1024;
    /// So many calls are on their way at a time.
    const CALLS_MAX: usize = 2;

    pub(super) fn new() -> Self {
        Self { waiting: VecDeque::new(), calls: 0, patience: Patience::default() }
    }

    pub(super) fn push(&mut self, parcel: Parcel<F>) {
        self.waiting.push_back(parcel);
    }

    /// What is sent now, if anything is.
    pub(super) fn take(&mut self, now: Time) -> Option<Vec<Parcel<F>>> {
        let calls_max = if self.patience.trouble().is_some() { 1 } else { Self::CALLS_MAX };
        if self.waiting.is_empty() || self.calls >= calls_max || !self.patience.is_over(now) {
            return None;
        }
        self.calls += 1;
        Some(self.waiting.drain(..self.waiting.len().min(Self::BATCH_MAX)).collect())
    }

    /// When to try again, while there is trouble and something to send.
    pub(super) fn next_try(&self) -> Option<Time> {
        self.patience.until().filter(|_| !self.waiting.is_empty())
    }

    /// The source was not available: these go again, in front.
    pub(super) fn went_wrong(&mut self, parcels: Vec<Parcel<F>>, error: &SettleError, now: Time) {
        self.patience.went_wrong(error, now);
        for parcel in parcels.into_iter().rev() {
            self.waiting.push_front(parcel);
        }
    }
}
