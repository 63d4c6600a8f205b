//! The task of one route: brings what runs in line with what is wanted.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use redrive_core::{Backoff, Span, Time};
use redrive_kafka::{KafkaSource, TroubleKind};
use redrive_run::{RunReport, RunnerMonitor};
use redrive_store::random_seed;
use tokio::sync::watch;

use super::environment::RouteEnvironment;
use super::started_route::StartedRoute;
use super::status::{RecentRates, RouteIntent, RouteState, RouteTotals};
use super::{RouteDefinition, RouteId};

/// Between two samples of the totals.
const SAMPLE_EVERY: Duration = Duration::from_secs(5);
/// The longest wait before a route that failed is started again.
const LONGEST_WAIT: Span = Span::from_mins(1);
/// The samples of a minute.
const SAMPLES_MAX: usize = 13;

/// What is wanted of a route.
#[derive(Debug, Clone)]
pub(super) struct WantedRoute {
    pub(super) definition: Arc<RouteDefinition>,
    pub(super) intent: RouteIntent,
    /// Raised to start the route anew: what it refers to has changed.
    pub(super) edition: u64,
    /// The route is removed, or the process ends.
    pub(super) is_closing: bool,
}

/// What is known of a route, shared with those who ask.
#[derive(Debug)]
pub(super) struct ObservedRoute {
    inner: Mutex<Observed>,
}

#[derive(Debug)]
struct Observed {
    state: RouteState,
    since: Time,
    monitor: Option<RunnerMonitor>,
    consumer: Option<KafkaSource>,
    /// The number of runs that have ended.
    runs: u64,
    /// Their totals.
    before: RouteTotals,
    samples: VecDeque<(Time, RouteTotals)>,
}

impl ObservedRoute {
    pub(super) fn new(now: Time) -> Self {
        let (before, samples) = (RouteTotals::default(), VecDeque::new());
        let observed = Observed {
            state: RouteState::Stopped,
            since: now,
            monitor: None,
            consumer: None,
            runs: 0,
            before,
            samples,
        };
        Self { inner: Mutex::new(observed) }
    }

    fn lock(&self) -> MutexGuard<'_, Observed> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn state(&self) -> (RouteState, Time) {
        let observed = self.lock();
        (observed.state.clone(), observed.since)
    }

    /// The monitor of the current run, and the number of the run.
    pub(super) fn monitor(&self) -> Option<(u64, RunnerMonitor)> {
        let observed = self.lock();
        Some((observed.runs, observed.monitor.clone()?))
    }

    pub(super) fn consumer(&self) -> Option<KafkaSource> {
        self.lock().consumer.clone()
    }

    /// The totals, with the report of a run, unless it has ended and is contained already.
    pub(super) fn totals(&self, report: Option<(u64, &RunReport)>) -> RouteTotals {
        let observed = self.lock();
        let current = report.filter(|(run, _)| *run == observed.runs).map(|(_, report)| report);
        observed.before.plus(current)
    }

    /// What was done since the oldest sample.
    pub(super) fn recent(&self, totals: RouteTotals, now: Time) -> RecentRates {
        match self.lock().samples.front() {
            Some((at, then)) => RecentRates { counts: totals.minus(*then), over: now.since(*at) },
            None => RecentRates::default(),
        }
    }

    fn enter(&self, state: RouteState, now: Time) {
        let mut observed = self.lock();
        if observed.state != state {
            observed.state = state;
            observed.since = now;
        }
    }

    fn started(&self, route: &StartedRoute) {
        let mut observed = self.lock();
        observed.monitor = Some(route.monitor());
        observed.consumer = route.consumer();
    }

    fn ended(&self, report: &RunReport) {
        let mut observed = self.lock();
        observed.before = observed.before.plus(Some(report));
        observed.runs += 1;
        observed.monitor = None;
        observed.consumer = None;
    }

    fn sample(&self, report: &RunReport, now: Time) {
        let mut observed = self.lock();
        let totals = observed.before.plus(Some(report));
        if observed.samples.len() >= SAMPLES_MAX {
            observed.samples.pop_front();
        }
        observed.samples.push_back((now, totals));
    }
}

impl RouteTotals {
    fn plus(self, report: Option<&RunReport>) -> Self {
        let Some(report) = report else { return self };
        Self {
            done: self.done + report.done,
            retried: self.retried + report.retried,
            letters: self.letters + report.dead_lettered,
        }
    }

    const fn minus(self, earlier: Self) -> Self {
        Self {
            done: self.done.saturating_sub(earlier.done),
            retried: self.retried.saturating_sub(earlier.retried),
            letters: self.letters.saturating_sub(earlier.letters),
        }
    }
}

pub(super) struct Supervisor {
    pub(super) id: RouteId,
    pub(super) env: Arc<RouteEnvironment>,
    pub(super) wanted: watch::Receiver<WantedRoute>,
    pub(super) observed: Arc<ObservedRoute>,
}

/// A started route, and what it was started with.
struct Current {
    route: StartedRoute,
    definition: Arc<RouteDefinition>,
    edition: u64,
}

impl Supervisor {
    /// Runs until the route is to close. Each turn reads what is wanted, and does one thing about it.
    pub(super) async fn run(mut self) {
        let mut current: Option<Current> = None;
        let mut failures = 0;
        loop {
            let wanted = self.wanted.borrow_and_update().clone();
            let is_wanted = !wanted.is_closing && wanted.intent != RouteIntent::Stop;
            if let Some(started) = current.take() {
                let is_same = Arc::ptr_eq(&started.definition, &wanted.definition) && started.edition == wanted.edition;
                if is_wanted && is_same {
                    current = Some(started);
                } else {
                    self.stop(started.route).await;
                    continue;
                }
            }
            if wanted.is_closing {
                self.enter(RouteState::Stopped);
                return;
            }
            if !is_wanted {
                self.enter(RouteState::Stopped);
                if self.wanted.changed().await.is_err() {
                    return;
                }
                failures = 0;
                continue;
            }
            let Some(started) = &current else {
                self.enter(RouteState::Starting);
                match StartedRoute::start(&wanted.definition.settings, &self.env).await {
                    Ok(route) => {
                        tracing::info!(route = %self.id, "route started");
                        self.observed.started(&route);
                        current = Some(Current { route, definition: wanted.definition, edition: wanted.edition });
                    }
                    Err(error) => {
                        failures += 1;
                        self.wait_after_failure(error.to_string(), failures).await;
                    }
                }
                continue;
            };
            let is_paused = wanted.intent == RouteIntent::Pause;
            started.route.set_paused(is_paused).await;
            self.enter(if is_paused { RouteState::Paused } else { RouteState::Running });
            let has_ended = self.watch(&started.route).await;
            if has_ended && let Some(ended) = current.take() {
                let error = fatal_error(&ended.route);
                failures += 1;
                self.stop(ended.route).await;
                self.wait_after_failure(error, failures).await;
            }
        }
    }

    /// Waits until something else is wanted (`false`) or the route ends by itself (`true`), and samples its totals.
    async fn watch(&mut self, route: &StartedRoute) -> bool {
        let mut samples = tokio::time::interval(SAMPLE_EVERY);
        samples.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let monitor = route.monitor();
        loop {
            tokio::select! {
                biased;
                _wanted = self.wanted.changed() => return false,
                () = route.wait_for_end() => return true,
                _at = samples.tick() => {
                    let health = monitor.health().await;
                    self.observed.sample(&health.report, self.env.clock.now());
                }
            }
        }
    }

    async fn stop(&self, route: StartedRoute) {
        self.enter(RouteState::Draining);
        let report = route.stop().await;
        self.observed.ended(&report);
        tracing::info!(
            route = %self.id,
            done = report.done,
            retried = report.retried,
            letters = report.dead_lettered,
            "route stopped"
        );
    }

    async fn wait_after_failure(&mut self, error: String, failures: u32) {
        let backoff = Backoff::reconnect(Span::from_secs(1), LONGEST_WAIT);
        let delay = backoff.delay(failures, random_seed()).unwrap_or(LONGEST_WAIT);
        tracing::warn!(route = %self.id, error, retry_in = %delay, "route failed");
        let next_start_at = self.env.clock.now().saturating_add(delay);
        self.enter(RouteState::Failed { error, next_start_at });
        tokio::select! {
            () = tokio::time::sleep(delay.into()) => {}
            _wanted = self.wanted.changed() => {}
        }
    }

    fn enter(&self, state: RouteState) {
        self.observed.enter(state, self.env.clock.now());
    }
}

/// Why a route ended by itself.
fn fatal_error(route: &StartedRoute) -> String {
    let troubles = route.consumer().map(|consumer| consumer.snapshot().troubles).unwrap_or_default();
    let fatal = troubles.into_iter().find(|trouble| trouble.kind == TroubleKind::Fatal);
    fatal.map_or_else(|| "its source was closed".to_owned(), |trouble| trouble.error)
}
