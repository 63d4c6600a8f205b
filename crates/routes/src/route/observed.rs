//! What is known of a route, shared by its supervisor with those who ask.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use redrive_core::{Span, Time};
use redrive_run::{RunReport, RunnerMonitor};
use tokio::sync::watch;

use super::source_status::{SourceMonitor, SourceStatus};
use super::started_route::StartedRoute;
use super::status::{RouteRates, RouteState, RouteTotals};

/// The time of [`RouteRates`].
const RECENT: Span = Span::from_mins(1);

pub(super) struct ObservedRoute {
    /// The state, and since when.
    state: watch::Sender<(RouteState, Time)>,
    runs: Mutex<Runs>,
}

#[derive(Default)]
struct Runs {
    current: Option<CurrentRun>,
    /// The number of runs that have ended.
    ended: u64,
    /// Their totals.
    totals: RouteTotals,
    samples: VecDeque<(Time, RouteTotals)>,
}

/// How to ask the current run.
#[derive(Clone)]
pub(super) struct CurrentRun {
    number: u64,
    pub(super) monitor: RunnerMonitor,
    source: Option<Arc<dyn SourceMonitor>>,
}

impl CurrentRun {
    /// The status of the source, if it has one and answers.
    pub(super) async fn source(&self) -> Option<SourceStatus> {
        self.source.as_ref()?.status().await
    }
}

impl ObservedRoute {
    pub(super) fn new(now: Time) -> Self {
        Self { state: watch::Sender::new((RouteState::Stopped, now)), runs: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, Runs> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn state(&self) -> (RouteState, Time) {
        self.state.borrow().clone()
    }

    pub(super) fn subscribe(&self) -> watch::Receiver<(RouteState, Time)> {
        self.state.subscribe()
    }

    pub(super) fn current(&self) -> Option<CurrentRun> {
        self.lock().current.clone()
    }

    /// The totals, with the report of a run, unless it has ended and is contained already.
    pub(super) fn totals(&self, report: Option<(&CurrentRun, &RunReport)>) -> RouteTotals {
        let runs = self.lock();
        let current = report.filter(|(run, _)| run.number == runs.ended).map(|(_, report)| report);
        runs.totals.plus(current)
    }

    /// What was done in the last minute.
    pub(super) fn recent(&self, totals: RouteTotals, now: Time) -> RouteRates {
        let mut runs = self.lock();
        runs.forget_before(now.saturating_sub(RECENT));
        match runs.samples.front() {
            Some((at, then)) => RouteRates { counts: totals.minus(*then), over: now.since(*at) },
            None => RouteRates::default(),
        }
    }

    pub(super) fn enter(&self, state: RouteState, now: Time) {
        self.state.send_if_modified(|current| {
            let is_new = current.0 != state;
            if is_new {
                *current = (state, now);
            }
            is_new
        });
    }

    pub(super) fn started(&self, route: &StartedRoute) {
        let mut runs = self.lock();
        let run = CurrentRun { number: runs.ended, monitor: route.monitor(), source: route.source_monitor() };
        runs.current = Some(run);
    }

    pub(super) fn ended(&self, report: &RunReport) {
        let mut runs = self.lock();
        runs.totals = runs.totals.plus(Some(report));
        runs.ended += 1;
        runs.current = None;
    }

    pub(super) fn sample(&self, report: &RunReport, now: Time) {
        let mut runs = self.lock();
        runs.forget_before(now.saturating_sub(RECENT));
        let totals = runs.totals.plus(Some(report));
        runs.samples.push_back((now, totals));
    }
}

impl Runs {
    fn forget_before(&mut self, time: Time) {
        while self.samples.front().is_some_and(|(at, _)| *at < time) {
            self.samples.pop_front();
        }
    }
}
