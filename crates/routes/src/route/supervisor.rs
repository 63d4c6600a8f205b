//! The task of one route: brings what runs in line with what is desired.

use std::sync::Arc;
use std::time::Duration;

use redrive_core::{Backoff, Span, Time};
use redrive_store::random_seed;
use tokio::sync::watch;

use super::environment::{CurrentConnections, RouteEnvironment};
use super::observed::ObservedRoute;
use super::source_status::SourceTrouble;
use super::started_route::{RouteStart, StartedRoute};
use super::status::{RouteIntent, RouteOrigin, RouteState};
use super::{RouteDefinition, RouteId, RouteStartError};

/// Between two samples of the totals.
const SAMPLE_EVERY: Duration = Duration::from_secs(5);
/// The longest wait before a route that failed is started again.
const LONGEST_WAIT: Span = Span::from_mins(1);

/// The state that a route should reach.
#[derive(Debug, Clone)]
pub(super) struct DesiredState {
    pub(super) definition: Arc<RouteDefinition>,
    pub(super) origin: RouteOrigin,
    pub(super) intent: RouteIntent,
    /// Raised to start the route again: what it refers to has changed.
    pub(super) edition: u64,
    pub(super) closing: Option<Closing>,
}

/// The end of a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Closing {
    /// It is removed.
    Removed,
    /// The process ends: running calls have at most this time.
    Within(Span),
}

impl DesiredState {
    pub(super) fn runs(&self) -> bool {
        self.closing.is_none() && self.intent != RouteIntent::Stop
    }

    const fn drains_within(&self) -> Option<Span> {
        match self.closing {
            Some(Closing::Within(span)) => Some(span),
            _ => None,
        }
    }
}

pub(super) struct Supervisor {
    pub(super) id: RouteId,
    pub(super) env: Arc<RouteEnvironment>,
    pub(super) connections: Arc<CurrentConnections>,
    /// Its sender lives as long as the route is not closed.
    pub(super) desired: watch::Receiver<DesiredState>,
    pub(super) observed: Arc<ObservedRoute>,
}

/// A started route, and what it was started with.
struct CurrentRoute {
    route: StartedRoute,
    definition: Arc<RouteDefinition>,
    origin: RouteOrigin,
    edition: u64,
    started_at: Time,
}

impl CurrentRoute {
    fn is(&self, desired: &DesiredState) -> bool {
        let is_same = Arc::ptr_eq(&self.definition, &desired.definition);
        is_same && self.origin == desired.origin && self.edition == desired.edition
    }
}

impl Supervisor {
    /// Runs until the route is to close. Each turn reads the desired state, and takes one step towards it.
    pub(super) async fn run(mut self) {
        let mut current: Option<CurrentRoute> = None;
        let mut failures = 0;
        loop {
            let desired = self.desired_state();
            if let Some(started) = current.take_if(|started| !desired.runs() || !started.is(&desired)) {
                self.stop(started.route).await;
                continue;
            }
            if !desired.runs() {
                self.enter(RouteState::Stopped);
                if desired.closing.is_some() || self.desired.changed().await.is_err() {
                    return;
                }
                failures = 0;
                continue;
            }
            let is_paused = desired.intent == RouteIntent::Pause;
            let Some(started) = &current else {
                self.enter(RouteState::Starting);
                match self.start(&desired, is_paused).await {
                    Ok(started) => current = Some(started),
                    Err(error) => {
                        failures += 1;
                        self.wait_after_failure(&error.to_string(), error.shown(), failures).await;
                    }
                }
                continue;
            };
            started.route.set_paused(is_paused).await;
            self.enter(if is_paused { RouteState::Paused } else { RouteState::Running });
            if self.watch(&started.route).await
                && let Some(ended) = current.take()
            {
                let lasted = self.env.clock.now().since(ended.started_at);
                failures = if lasted > LONGEST_WAIT { 1 } else { failures + 1 };
                let error = fatal_error(&ended.route).await;
                self.stop(ended.route).await;
                self.wait_after_failure(&error.clone(), error, failures).await;
            }
        }
    }

    fn desired_state(&mut self) -> DesiredState {
        let mut desired = self.desired.borrow_and_update().clone();
        if self.desired.has_changed().is_err() {
            desired.closing = desired.closing.or(Some(Closing::Removed));
        }
        desired
    }

    async fn start(&self, desired: &DesiredState, is_paused: bool) -> Result<CurrentRoute, RouteStartError> {
        let DesiredState { definition, origin, edition, .. } = desired.clone();
        let connections = Arc::clone(&self.connections.borrow());
        let start = RouteStart { route: &definition.settings, env: &self.env, connections, is_paused };
        let route = start.start(origin).await?;
        tracing::info!(route = %self.id, "route started");
        self.observed.started(&route);
        let started_at = self.env.clock.now();
        Ok(CurrentRoute { route, definition, origin, edition, started_at })
    }

    /// Waits until something else is desired (`false`) or the runner has ended (`true`), and samples its totals.
    async fn watch(&mut self, route: &StartedRoute) -> bool {
        let mut samples = tokio::time::interval(SAMPLE_EVERY);
        samples.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let monitor = route.monitor();
        loop {
            tokio::select! {
                biased;
                _changed = self.desired.changed() => return false,
                () = route.wait_for_end() => return true,
                _at = samples.tick() => {
                    let health = monitor.health().await;
                    self.observed.sample(&health.report, self.env.clock.now());
                }
            }
        }
    }

    /// Drains the route and leaves its source. The end of the process shortens the drain.
    async fn stop(&mut self, route: StartedRoute) {
        self.enter(RouteState::Draining);
        let within = self.desired.borrow().drains_within();
        route.drain(within).await;
        tokio::select! {
            () = route.wait_for_end() => {}
            Some(shorter) = self.process_end(), if within.is_none() => route.drain(Some(shorter)).await,
        }
        let report = route.close().await;
        self.observed.ended(&report);
        tracing::info!(
            route = %self.id,
            done = report.done,
            retried = report.retried,
            letters = report.dead_lettered,
            "route stopped"
        );
    }

    /// Waits until the process ends, and returns the time that running calls have. `None` if all others are gone.
    async fn process_end(&mut self) -> Option<Span> {
        self.desired.wait_for(|desired| desired.drains_within().is_some()).await.ok()?.drains_within()
    }

    /// Tells why the route failed, and waits until it is started again.
    async fn wait_after_failure(&mut self, logged: &str, shown: String, failures: u32) {
        let backoff = Backoff::reconnect(Span::from_secs(1), LONGEST_WAIT);
        let delay = backoff.delay(failures, random_seed()).unwrap_or(LONGEST_WAIT);
        tracing::warn!(route = %self.id, error = logged, retry_in = %delay, "route failed");
        let next_start_at = self.env.clock.now().saturating_add(delay);
        self.enter(RouteState::Failed { error: shown, next_start_at });
        tokio::select! {
            () = tokio::time::sleep(delay.into()) => {}
            _changed = self.desired.changed() => {}
        }
    }

    fn enter(&self, state: RouteState) {
        self.observed.enter(state, self.env.clock.now());
    }
}

/// Why the runner of a route ended.
async fn fatal_error(route: &StartedRoute) -> String {
    let status = match route.source_monitor() {
        Some(source) => source.status().await,
        None => None,
    };
    let troubles = status.map(|status| status.troubles).unwrap_or_default();
    let fatal = troubles.into_iter().find(|trouble| trouble.kind == SourceTrouble::FATAL);
    fatal.map_or_else(|| "its source was closed".to_owned(), |trouble| trouble.error)
}
