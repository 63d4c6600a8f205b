//! Results on their way to the source.
//!
//! Those that are there go together: while one call is on its way, the next gathers. A source that does not answer
//! gets them again, less and less often, for as long as the claims may hold.

use std::collections::VecDeque;

use redrive_core::MonotonicTime;

use super::clock_reading::ClockReading;
use super::patience::Patience;
use crate::{FinishedDelivery, SettleError};

/// A result, and whose it is.
#[derive(Debug)]
pub(super) struct PendingSettlement<F> {
    pub(super) entry: usize,
    pub(super) settlement: FinishedDelivery<F>,
    /// It was sent before, and nobody knows whether that took effect.
    pub(super) is_uncertain: bool,
}

#[derive(Debug)]
pub(super) struct Outbox<F> {
    waiting: VecDeque<PendingSettlement<F>>,
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

    pub(super) fn push(&mut self, pending: PendingSettlement<F>) {
        self.waiting.push_back(pending);
    }

    /// What is sent now, if anything is.
    pub(super) fn take(&mut self, now: MonotonicTime) -> Option<Vec<PendingSettlement<F>>> {
        let calls_max = if self.patience.trouble().is_some() { 1 } else { Self::CALLS_MAX };
        if self.waiting.is_empty() || self.calls >= calls_max || !self.patience.is_over(now) {
            return None;
        }
        self.calls += 1;
        Some(self.waiting.drain(..self.waiting.len().min(Self::BATCH_MAX)).collect())
    }

    /// When to try again, while there is trouble and something to send.
    pub(super) fn next_try(&self) -> Option<MonotonicTime> {
        self.patience.until().filter(|_| !self.waiting.is_empty())
    }

    /// The source was not available: these go again, in front.
    pub(super) fn went_wrong(&mut self, pending: Vec<PendingSettlement<F>>, error: &SettleError, now: ClockReading) {
        self.patience.went_wrong(error, now);
        for one in pending.into_iter().rev() {
            self.waiting.push_front(one);
        }
    }
}
