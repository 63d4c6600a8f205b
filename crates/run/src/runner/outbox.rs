//! Results that are sent to the source.
//!
//! Results are sent in batches: while calls are in flight, the next batch gathers. Results that the source did not take
//! are sent again after a growing delay, for as long as the claims may hold.

use std::collections::VecDeque;

use redrive_core::MonotonicTime;

use super::clock_reading::ClockReading;
use super::retry_delay::RetryDelay;
use crate::{FinishedDelivery, SettleError};

/// A result and the entry that it belongs to.
#[derive(Debug)]
pub(super) struct PendingSettlement<F> {
    pub(super) entry: usize,
    pub(super) settlement: FinishedDelivery<F>,
    /// The result was sent before, and it is unknown whether it took effect.
    pub(super) is_uncertain: bool,
}

#[derive(Debug)]
pub(super) struct Outbox<F> {
    waiting: VecDeque<PendingSettlement<F>>,
    /// Calls in flight.
    pub(super) calls: usize,
    calls_max: usize,
    pub(super) retry_delay: RetryDelay,
}

impl<F> Outbox<F> {
    /// Maximum number of results in one call.
    const BATCH_MAX: usize = 1024;
    /// Maximum number of concurrent calls: of results, and of letters, whose calls may take long.
    pub(super) const RESULT_CALLS_MAX: usize = 2;
    pub(super) const HAND_OVER_CALLS_MAX: usize = 16;

    pub(super) fn new(calls_max: usize) -> Self {
        Self { waiting: VecDeque::new(), calls: 0, calls_max, retry_delay: RetryDelay::default() }
    }

    pub(super) fn push(&mut self, pending: PendingSettlement<F>) {
        self.waiting.push_back(pending);
    }

    /// The next batch, if one is to be sent now.
    pub(super) fn take(&mut self, now: MonotonicTime) -> Option<Vec<PendingSettlement<F>>> {
        let calls_max = if self.retry_delay.trouble().is_some() { 1 } else { self.calls_max };
        if self.waiting.is_empty() || self.calls >= calls_max || !self.retry_delay.has_elapsed(now) {
            return None;
        }
        self.calls += 1;
        Some(self.waiting.drain(..self.waiting.len().min(Self::BATCH_MAX)).collect())
    }

    /// When the delay after a failure ends, if there are results to send.
    pub(super) fn next_try(&self) -> Option<MonotonicTime> {
        self.retry_delay.until().filter(|_| !self.waiting.is_empty())
    }

    /// Queues results again, in front, after the source was not available.
    pub(super) fn retry_later(&mut self, pending: Vec<PendingSettlement<F>>, error: &SettleError, now: ClockReading) {
        self.retry_delay.failed(error, now);
        for one in pending.into_iter().rev() {
            self.waiting.push_front(one);
        }
    }
}
