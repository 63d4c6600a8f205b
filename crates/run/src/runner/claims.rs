//! Claiming work from the source.
//!
//! The main claim covers all destinations except those that are paused. The probe claim asks for work for those. So a
//! destination that is down costs its waiting work neither attempts nor writes, and does not slow down other
//! destinations.

use std::sync::Arc;

use futures_util::future::{AbortHandle, Abortable, BoxFuture};
use futures_util::stream::FuturesUnordered;
use redrive_core::{MonotonicTime, Span};
use redrive_model::DestinationFilter;

use super::retry_delay::RetryDelay;
use crate::{ClaimSpec, Delivery, Source, SourceError};

/// Which of the two claims it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lane {
    Main,
    Probe,
}

type ClaimResult<F> = (Lane, Result<Vec<Delivery<F>>, SourceError>);

/// The pending claims of a runner.
pub(super) struct Claims<F> {
    pub(super) waiting: FuturesUnordered<Abortable<BoxFuture<'static, ClaimResult<F>>>>,
    main: Option<WaitingClaim>,
    probe: Option<WaitingClaim>,
    /// Delay after a failed claim.
    pub(super) retry_delay: RetryDelay,
    /// Delay after the handler returned work untouched.
    pub(super) untouched_delay: RetryDelay,
}

/// A claim that the source answers later than this was waiting for work to arrive.
pub(super) const ARRIVES_AFTER: Span = Span::from_millis(100);

/// What the claims of a runner should cover now.
pub(super) struct ClaimScope<'a> {
    /// Slots for the main claim.
    pub(super) free: usize,
    pub(super) paused: &'a [Arc<str>],
    /// The destinations of the probe claim, and how much work it asks for.
    pub(super) probed: Vec<Arc<str>>,
    pub(super) probes: usize,
}

/// A pending claim and the destinations that it covers.
struct WaitingClaim {
    scope: DestinationFilter,
    since: MonotonicTime,
    handle: AbortHandle,
}

impl<F: 'static> Claims<F> {
    pub(super) fn new() -> Self {
        let (retry_delay, untouched_delay) = (RetryDelay::default(), RetryDelay::default());
        Self { waiting: FuturesUnordered::new(), main: None, probe: None, retry_delay, untouched_delay }
    }

    /// Cancels claims with an outdated scope and starts the missing ones.
    pub(super) fn refresh<S: Source<Fence = F>>(
        &mut self,
        source: &Arc<S>,
        wanted: ClaimScope<'_>,
        now: MonotonicTime,
    ) {
        let ClaimScope { free, paused, probed, probes } = wanted;
        cancel_outdated(&mut self.main, |scope| matches!(scope, DestinationFilter::AllBut(held) if *held == paused));
        cancel_outdated(&mut self.probe, |scope| matches!(scope, DestinationFilter::Only(before) if *before == probed));
        let has_elapsed = self.retry_delay.has_elapsed(now) & self.untouched_delay.has_elapsed(now);
        if !has_elapsed || free == 0 {
            return;
        }
        if self.main.is_none() {
            let scope = DestinationFilter::AllBut(paused.to_vec());
            self.main = Some(self.start(source, Lane::Main, free, scope, now));
        }
        // The probe uses up no slot of the main claim: it may wait for long, and its work can wait for the next slot.
        if self.probe.is_none() && !probed.is_empty() && probes > 0 {
            self.probe = Some(self.start(source, Lane::Probe, probes, DestinationFilter::Only(probed), now));
        }
    }

    /// Since when the source has had no work for probes of this destination.
    pub(super) fn waiting_since(&self, destination: &Arc<str>) -> Option<MonotonicTime> {
        self.probe.as_ref().filter(|claim| claim.scope.covers(destination)).map(|claim| claim.since)
    }

    fn start<S: Source<Fence = F>>(
        &self,
        source: &Arc<S>,
        lane: Lane,
        count: usize,
        scope: DestinationFilter,
        now: MonotonicTime,
    ) -> WaitingClaim {
        let (handle, registration) = AbortHandle::new_pair();
        let (source, claim) = (Arc::clone(source), ClaimSpec { count, scope: scope.clone() });
        let claimed: BoxFuture<'static, ClaimResult<F>> = Box::pin(async move {
            let claimed = source.claim(claim).await;
            (lane, claimed)
        });
        self.waiting.push(Abortable::new(claimed, registration));
        WaitingClaim { scope, since: now, handle }
    }

    /// Notes that the source answered a claim. Returns whether the work has just arrived: the claim had to wait for it.
    pub(super) fn answered(&mut self, lane: Lane, now: MonotonicTime) -> bool {
        let claim = match lane {
            Lane::Main => self.main.take(),
            Lane::Probe => self.probe.take(),
        };
        claim.is_some_and(|claim| has_waited(claim.since, now))
    }

    /// Cancels every claim.
    pub(super) fn drop_all(&mut self) {
        self.main = None;
        self.probe = None;
        // Dropping a claim gives back what it had taken.
        self.waiting = FuturesUnordered::new();
    }

    /// When the delays before the next claim end; `None` if there is no delay.
    pub(super) fn next_try(&self) -> Option<MonotonicTime> {
        self.retry_delay.until().max(self.untouched_delay.until())
    }
}

fn has_waited(since: MonotonicTime, now: MonotonicTime) -> bool {
    now.since(since) >= ARRIVES_AFTER
}

/// Cancels a claim whose scope is not the current one.
fn cancel_outdated(claim: &mut Option<WaitingClaim>, is_current: impl FnOnce(&DestinationFilter) -> bool) {
    if let Some(waiting) = claim.take_if(|waiting| !is_current(&waiting.scope)) {
        waiting.handle.abort();
    }
}
