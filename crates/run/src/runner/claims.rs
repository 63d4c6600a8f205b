//! Claiming work from the source.
//!
//! The main claim covers all destinations except those whose breaker is not closed. The probe claim asks for one piece
//! of work for those of them that may be probed. So a destination that is down costs its waiting work neither attempts
//! nor writes, and does not slow down other destinations.

use std::sync::Arc;

use futures_util::future::{AbortHandle, Abortable, BoxFuture};
use futures_util::stream::FuturesUnordered;
use redrive_core::MonotonicTime;
use redrive_model::DestinationFilter;

use super::destination_breakers::DestinationBreakers;
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

/// A pending claim and the destinations that it covers.
struct WaitingClaim {
    scope: DestinationFilter,
    handle: AbortHandle,
}

impl<F: 'static> Claims<F> {
    pub(super) fn new() -> Self {
        let (retry_delay, untouched_delay) = (RetryDelay::default(), RetryDelay::default());
        Self { waiting: FuturesUnordered::new(), main: None, probe: None, retry_delay, untouched_delay }
    }

    /// Cancels claims with an outdated scope and starts the missing ones: the main claim for `free` slots, and the
    /// probe claim if a destination may be probed.
    pub(super) fn refresh<S: Source<Fence = F>>(
        &mut self,
        source: &Arc<S>,
        free: usize,
        breakers: &DestinationBreakers,
        now: MonotonicTime,
    ) {
        cancel_outdated(
            &mut self.main,
            |scope| matches!(scope, DestinationFilter::AllBut(held) if *held == breakers.not_closed),
        );
        cancel_outdated(
            &mut self.probe,
            |scope| matches!(scope, DestinationFilter::Only(probed) if *probed == breakers.may_be_probed),
        );
        let has_elapsed = self.retry_delay.has_elapsed(now) & self.untouched_delay.has_elapsed(now);
        if !has_elapsed || free == 0 {
            return;
        }
        if self.main.is_none() {
            let scope = DestinationFilter::AllBut(breakers.not_closed.clone());
            self.main = Some(self.start(source, Lane::Main, free, scope));
        }
        // The probe uses up no slot of the main claim: it may wait for long, and its work can wait for the next slot.
        if self.probe.is_none() && !breakers.may_be_probed.is_empty() {
            let scope = DestinationFilter::Only(breakers.may_be_probed.clone());
            self.probe = Some(self.start(source, Lane::Probe, 1, scope));
        }
    }

    fn start<S: Source<Fence = F>>(
        &self,
        source: &Arc<S>,
        lane: Lane,
        count: usize,
        scope: DestinationFilter,
    ) -> WaitingClaim {
        let (handle, registration) = AbortHandle::new_pair();
        let (source, claim) = (Arc::clone(source), ClaimSpec { count, scope: scope.clone() });
        let claimed: BoxFuture<'static, ClaimResult<F>> = Box::pin(async move {
            let claimed = source.claim(claim).await;
            (lane, claimed)
        });
        self.waiting.push(Abortable::new(claimed, registration));
        WaitingClaim { scope, handle }
    }

    /// Notes that the source answered a claim.
    pub(super) fn answered(&mut self, lane: Lane) {
        match lane {
            Lane::Main => self.main = None,
            Lane::Probe => self.probe = None,
        }
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

/// Cancels a claim whose scope is not the current one.
fn cancel_outdated(claim: &mut Option<WaitingClaim>, is_current: impl FnOnce(&DestinationFilter) -> bool) {
    if let Some(waiting) = claim.take_if(|waiting| !is_current(&waiting.scope)) {
        waiting.handle.abort();
    }
}
