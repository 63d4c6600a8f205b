//! Asking the source for work.
//!
//! One claim takes all that may run, but for destinations whose breaker is not closed. Another asks for one piece of
//! work of those among them that may be tried again. So a destination that is down costs its waiting work neither
//! attempts nor writes, and slows nobody else.

use std::sync::Arc;

use futures_util::future::{AbortHandle, Abortable, BoxFuture};
use futures_util::stream::FuturesUnordered;
use redrive_core::MonotonicTime;
use redrive_model::DestinationFilter;

use super::gates::Gates;
use super::patience::Patience;
use crate::{ClaimSpec, Delivery, Source, SourceError};

/// Which claim it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lane {
    Main,
    Probe,
}

type ClaimResult<F> = (Lane, Result<Vec<Delivery<F>>, SourceError>);

/// The claims that wait.
pub(super) struct Claims<F> {
    pub(super) waiting: FuturesUnordered<Abortable<BoxFuture<'static, ClaimResult<F>>>>,
    main: Option<WaitingClaim>,
    probe: Option<WaitingClaim>,
    /// With the source.
    pub(super) patience: Patience,
    /// With a handler that begins nothing.
    pub(super) rest: Patience,
}

/// A claim that waits, and for which destinations.
struct WaitingClaim {
    scope: DestinationFilter,
    handle: AbortHandle,
}

impl<F: 'static> Claims<F> {
    pub(super) fn new() -> Self {
        let (patience, rest) = (Patience::default(), Patience::default());
        Self { waiting: FuturesUnordered::new(), main: None, probe: None, patience, rest }
    }

    /// Has the claims wait that should: one for all `free` places, and one for a destination that may be tried.
    pub(super) fn ask<S: Source<Fence = F>>(
        &mut self,
        source: &Arc<S>,
        free: usize,
        gates: &Gates,
        now: MonotonicTime,
    ) {
        take_back(
            &mut self.main,
            |scope| matches!(scope, DestinationFilter::AllBut(held) if *held == gates.not_closed),
        );
        take_back(
            &mut self.probe,
            |scope| matches!(scope, DestinationFilter::Only(tried) if *tried == gates.may_be_tried),
        );
        let is_over = self.patience.is_over(now) & self.rest.is_over(now);
        if !is_over || free == 0 {
            return;
        }
        if self.main.is_none() {
            self.main = Some(self.start(source, Lane::Main, free, DestinationFilter::AllBut(gates.not_closed.clone())));
        }
        // It takes no place of the other: it may wait for long, and what it gets may wait for the next place.
        if self.probe.is_none() && !gates.may_be_tried.is_empty() {
            self.probe = Some(self.start(source, Lane::Probe, 1, DestinationFilter::Only(gates.may_be_tried.clone())));
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

    /// A claim was answered.
    pub(super) fn answered(&mut self, lane: Lane) {
        match lane {
            Lane::Main => self.main = None,
            Lane::Probe => self.probe = None,
        }
    }

    /// Takes every claim back.
    pub(super) fn drop_all(&mut self) {
        self.main = None;
        self.probe = None;
        // What they had taken goes back with them.
        self.waiting = FuturesUnordered::new();
    }

    /// When to ask again, while nothing is asked.
    pub(super) fn next_try(&self) -> Option<MonotonicTime> {
        self.patience.until().max(self.rest.until())
    }
}

/// Takes a claim back whose scope is no longer the one that is wanted.
fn take_back(claim: &mut Option<WaitingClaim>, is_wanted: impl FnOnce(&DestinationFilter) -> bool) {
    if let Some(waiting) = claim.take_if(|waiting| !is_wanted(&waiting.scope)) {
        waiting.handle.abort();
    }
}
