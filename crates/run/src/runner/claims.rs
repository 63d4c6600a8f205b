//! Asking the source for work.
//!
//! One claim takes all that may run, but for destinations whose breaker is not closed. Each of those has a claim of its
//! own, for one piece of work at a time, once it may be tried again: so a destination that is down costs its waiting
//! work neither attempts nor writes, and slows nobody else.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::future::{AbortHandle, Abortable, BoxFuture};
use futures_util::stream::FuturesUnordered;
use redrive_core::Time;
use redrive_queue::Scope;

use super::health::Trouble;
use super::outbox::pause;
use crate::{Claim, Delivery, Source, SourceError};

/// So many destinations are tried at a time; the others get their turn when one of these has answered.
const PROBES_MAX: usize = 16;

/// Which claim it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Lane {
    Main,
    Probe(Arc<str>),
}

type Claimed<F> = (Lane, Result<Vec<Delivery<F>>, SourceError>);

/// The claims that wait.
pub(super) struct Claims<F> {
    pub(super) waiting: FuturesUnordered<Abortable<BoxFuture<'static, Claimed<F>>>>,
    main: Option<(Vec<Arc<str>>, AbortHandle)>,
    probes: BTreeMap<Arc<str>, AbortHandle>,
    trouble: Option<Trouble>,
    failures: u32,
    not_before: Option<Time>,
}

impl<F: 'static> Claims<F> {
    pub(super) fn new() -> Self {
        Self {
            waiting: FuturesUnordered::new(),
            main: None,
            probes: BTreeMap::new(),
            trouble: None,
            failures: 0,
            not_before: None,
        }
    }

    /// Has the claims wait that should: for `free` pieces of work, none from destinations that are `not_closed`, and
    /// one each from those that may be tried.
    pub(super) fn ask<S: Source<Fence = F>>(
        &mut self,
        source: &Arc<S>,
        mut free: usize,
        not_closed: &[Arc<str>],
        may_be_tried: &[Arc<str>],
        now: Time,
    ) {
        if self.main.as_ref().is_some_and(|(held, _)| held != not_closed) {
            self.drop_main();
        }
        self.probes.retain(|destination, claim| {
            let is_wanted = may_be_tried.contains(destination);
            if !is_wanted {
                claim.abort();
            }
            is_wanted
        });
        if self.not_before.is_some_and(|not_before| now < not_before) {
            return;
        }
        // What waits already may take a place each.
        free = free.saturating_sub(self.probes.len());
        for destination in may_be_tried {
            if free > 0 && self.probes.len() < PROBES_MAX && !self.probes.contains_key(destination) {
                free -= 1;
                let claim = Claim { count: 1, scope: Scope::Only(Arc::clone(destination)) };
                let handle = self.start(source, Lane::Probe(Arc::clone(destination)), claim);
                self.probes.insert(Arc::clone(destination), handle);
            }
        }
        if free > 0 && self.main.is_none() {
            let claim = Claim { count: free, scope: Scope::AllBut(not_closed.to_vec()) };
            let handle = self.start(source, Lane::Main, claim);
            self.main = Some((not_closed.to_vec(), handle));
        }
    }

    fn start<S: Source<Fence = F>>(&self, source: &Arc<S>, lane: Lane, claim: Claim) -> AbortHandle {
        let (handle, registration) = AbortHandle::new_pair();
        let source = Arc::clone(source);
        let claimed: BoxFuture<'static, Claimed<F>> = Box::pin(async move {
            let claimed = source.claim(claim).await;
            (lane, claimed)
        });
        self.waiting.push(Abortable::new(claimed, registration));
        handle
    }

    /// A claim was answered.
    pub(super) fn answered(&mut self, lane: &Lane) {
        match lane {
            Lane::Main => self.main = None,
            Lane::Probe(destination) => drop(self.probes.remove(destination)),
        }
    }

    pub(super) fn went_well(&mut self) {
        self.failures = 0;
        self.trouble = None;
        self.not_before = None;
    }

    pub(super) fn went_wrong(&mut self, error: &SourceError, now: Time) {
        let since = self.trouble.as_ref().map_or(now, |trouble| trouble.since);
        self.trouble = Some(Trouble { since, error: error.to_string() });
        self.not_before = Some(now.saturating_add(pause(self.failures)));
        self.failures = self.failures.saturating_add(1);
    }

    /// Takes every claim back.
    pub(super) fn drop_all(&mut self) {
        self.main = None;
        self.probes.clear();
        // What they had taken goes back with them.
        self.waiting = FuturesUnordered::new();
    }

    fn drop_main(&mut self) {
        if let Some((_, claim)) = self.main.take() {
            claim.abort();
        }
    }

    /// Whether all places that are free are asked for, or none can be now.
    pub(super) fn next_try(&self) -> Option<Time> {
        self.not_before
    }

    pub(super) fn trouble(&self) -> Option<&Trouble> {
        self.trouble.as_ref()
    }
}
