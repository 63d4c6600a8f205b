//! A group of loops.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::Arc;

use redrive_core::Span;
use redrive_run::{HealthCheck, HealthServer};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::readiness::GroupReadiness;
use super::supervisor::Supervised;
use super::watchdog::Watchdog;
use super::{GroupReport, GroupSettings};
use crate::loops::{GroupError, Runnable, ShutdownSignal};

/// The time that is kept from the handlers, to settle what they leave: a quarter of the timeout, at most this.
const SETTLE_MAX: Span = Span::from_secs(5);

/// Runs loops in one process: starts them, watches them, and ends them together.
#[derive(Clone)]
pub struct LoopGroup {
    loops: Vec<Arc<dyn Runnable>>,
    settings: GroupSettings,
    shutdown: ShutdownSignal,
    /// Where health checks are served, while they are.
    health: watch::Sender<Option<SocketAddr>>,
}

impl LoopGroup {
    #[must_use]
    pub fn new(settings: GroupSettings) -> Self {
        Self { loops: Vec::new(), settings, shutdown: ShutdownSignal::new(), health: watch::Sender::new(None) }
    }

    /// Adds a loop.
    #[must_use]
    pub fn with(self, runnable: impl Runnable) -> Self {
        self.with_shared(Arc::new(runnable))
    }

    /// Adds a loop that the caller also uses.
    #[must_use]
    pub fn with_shared(mut self, runnable: Arc<dyn Runnable>) -> Self {
        self.loops.push(runnable);
        self
    }

    /// The signal that shuts the group down, and that calls back when it does.
    pub const fn shutdown_signal(&self) -> &ShutdownSignal {
        &self.shutdown
    }

    /// Waits until health checks are served, and returns where; `None` if they are not to be served.
    pub async fn health_address(&self) -> Option<SocketAddr> {
        self.settings.health_address?;
        let mut address = self.health.subscribe();
        address.wait_for(Option::is_some).await.ok().and_then(|address| *address)
    }

    /// Runs the loops until the group is shut down: by a signal, by [`shutdown_signal`](Self::shutdown_signal), or
    /// because a loop ended; or until all loops have ended.
    ///
    /// A process that has received one of the signals here does not end by them later: tokio keeps their handlers. If
    /// [`missed`](GroupReport::missed) names loops, a thread may hang in a handler, and the end of the runtime would wait for
    /// it: end the process with `std::process::exit`, or the runtime with `shutdown_background`.
    ///
    /// # Errors
    ///
    /// If times contradict each other, settings of a loop are not valid, or the group cannot start. No loop was started
    /// then.
    pub async fn run(&self) -> Result<GroupReport, GroupError> {
        self.check()?;
        let loops: Vec<_> = self.loops.iter().map(|one| Arc::new(Supervised::new(Arc::clone(one)))).collect();
        let readiness = Arc::new(GroupReadiness { loops: loops.clone(), beat_age_max: self.settings.readiness });
        let _health = self.serve_health(&readiness).await?;
        let watchdog = self.settings.watchdog.map(|settings| Watchdog::start(self.loops.clone(), settings));
        let _watchdog = watchdog.transpose().map_err(GroupError::Watchdog)?;
        // Last, and for as long as this future: a group that did not start, or was dropped, acts on no signal.
        let mut signals = JoinSet::new();
        if self.settings.handles_signals {
            signals.spawn(self.shutdown.give_on_signals().map_err(GroupError::Signals)?);
        }
        let mut tasks = JoinSet::new();
        for one in &loops {
            let (one, settings, shutdown) = (Arc::clone(one), self.settings.clone(), self.shutdown.clone());
            tasks.spawn(async move { one.run(&settings, &shutdown).await });
        }
        let mut measuring = JoinSet::new();
        measuring.spawn(async move { readiness.measure_depths().await });
        tokio::select! {
            biased;
            () = self.shutdown.given() => {}
            () = async { while tasks.join_next().await.is_some() {} } => tracing::info!("all loops have ended"),
        }
        drop(measuring);
        Ok(self.end(tasks, &loops).await)
    }

    fn check(&self) -> Result<(), GroupError> {
        if self.loops.is_empty() {
            return Err(GroupError::Empty);
        }
        let mut names = BTreeSet::new();
        if let Some(twice) = self.loops.iter().find(|one| !names.insert(one.name())) {
            return Err(GroupError::SameName(twice.name().to_owned()));
        }
        self.settings.check()?;
        for one in &self.loops {
            let name = || one.name().to_owned();
            self.settings.check_loop(&**one).map_err(|source| GroupError::LoopTiming { name: name(), source })?;
            one.check(self.settings.timing).map_err(|source| GroupError::Loop { name: name(), source })?;
        }
        Ok(())
    }

    async fn serve_health(&self, readiness: &Arc<GroupReadiness>) -> Result<Option<HealthServer>, GroupError> {
        let Some(address) = self.settings.health_address else { return Ok(None) };
        let check = Arc::clone(readiness) as Arc<dyn HealthCheck>;
        let server = HealthServer::start(address, check).await;
        let server = server.map_err(|source| GroupError::Health { address, source })?;
        self.health.send_replace(Some(server.address()));
        Ok(Some(server))
    }

    /// Tells every loop to end before it waits for any, and waits for all until one deadline.
    async fn end(&self, mut tasks: JoinSet<()>, loops: &[Arc<Supervised>]) -> GroupReport {
        self.shutdown.give();
        let timeout = self.settings.shutdown_timeout;
        let deadline = Instant::now() + timeout.into();
        let settle = Span::from_micros(timeout.as_micros() / 4).min(SETTLE_MAX);
        for one in loops {
            one.runnable.shutdown(timeout.saturating_sub(settle));
        }
        let all_ended = async { while tasks.join_next().await.is_some() {} };
        let is_late = tokio::time::timeout_at(deadline, all_ended).await.is_err();
        let reports = loops.iter().map(|one| {
            let mut report = one.report().clone();
            if is_late && one.runnable.is_running() {
                report.report = None;
                report.has_missed_deadline = true;
            }
            report
        });
        let report = GroupReport { loops: reports.collect() };
        let missed = report.missed();
        if missed.is_empty() {
            tracing::info!("all loops were shut down");
        } else {
            tracing::error!(?missed, within = %timeout, "loops were not shut down in time");
        }
        report
    }
}

impl std::fmt::Debug for LoopGroup {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<&str> = self.loops.iter().map(|one| one.name()).collect();
        f.debug_struct("LoopGroup").field("loops", &names).field("settings", &self.settings).finish_non_exhaustive()
    }
}
