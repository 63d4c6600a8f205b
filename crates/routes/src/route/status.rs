//! What a route does, and how it is.

use redrive_core::{Span, Time};
use redrive_run::{RunReport, RunnerHealth};
use serde::{Deserialize, Serialize};

use super::{RouteDefinition, SourceStatus};

/// What an operator last asked of a route.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RouteIntent {
    #[default]
    Run,
    /// It stays a member of its group and claims nothing.
    Pause,
    Stop,
}

impl RouteIntent {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Pause => "pause",
            Self::Stop => "stop",
        }
    }
}

/// What a route does at the moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RouteState {
    Stopped,
    Starting,
    Running,
    Paused,
    /// It claims nothing and waits for running calls.
    Draining,
    /// It could not start, or ended, and is started again at this time.
    Failed {
        error: String,
        next_start_at: Time,
    },
}

impl RouteState {
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Stopped => "stopped",
            Self::Starting => "starting",
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Draining => "draining",
            Self::Failed { .. } => "failed",
        }
    }
}

/// Where a route is defined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RouteOrigin {
    /// In the configuration file: the API cannot change it.
    File,
    Api,
}

impl RouteOrigin {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Api => "api",
        }
    }
}

/// A route at one moment.
#[derive(Debug, Clone)]
pub struct RouteStatus {
    pub definition: RouteDefinition,
    pub origin: RouteOrigin,
    pub intent: RouteIntent,
    pub state: RouteState,
    /// When the state began.
    pub since: Time,
    /// The health of a route that runs, drains or is paused.
    pub health: Option<RunnerHealth>,
    /// What its source holds and waits for, beyond what the runner knows.
    pub source: Option<SourceStatus>,
    /// What it did since the server started.
    pub totals: RouteTotals,
    /// What it did in the last minute.
    pub recent: RouteRates,
}

impl RouteStatus {
    /// Whether it runs and makes progress.
    pub fn is_healthy(&self) -> bool {
        self.state == RouteState::Running
            && self.health.as_ref().is_some_and(RunnerHealth::is_progressing)
            && self.source.as_ref().is_none_or(|source| source.is_healthy)
    }

    /// Work of the source that is not done yet, as far as it is known.
    pub fn lag(&self) -> Option<i64> {
        self.source.as_ref()?.lag
    }
}

/// Counts of a route.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RouteTotals {
    pub done: u64,
    pub retried: u64,
    pub letters: u64,
}

impl RouteTotals {
    pub(super) fn plus(self, report: Option<&RunReport>) -> Self {
        let Some(report) = report else { return self };
        Self {
            done: self.done + report.done,
            retried: self.retried + report.retried,
            letters: self.letters + report.dead_lettered,
        }
    }

    pub(super) const fn minus(self, earlier: Self) -> Self {
        Self {
            done: self.done.saturating_sub(earlier.done),
            retried: self.retried.saturating_sub(earlier.retried),
            letters: self.letters.saturating_sub(earlier.letters),
        }
    }
}

/// Counts of a time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RouteRates {
    pub counts: RouteTotals,
    pub over: Span,
}
