//! What a route does, and how it is.

use redrive_core::{Span, Time};
use redrive_kafka::ConsumerSnapshot;
use redrive_run::RunnerHealth;

use super::RouteDefinition;

/// What an operator wants of a route.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum RouteIntent {
    #[default]
    Run,
    /// It stays a member of its group and claims nothing.
    Pause,
    Stop,
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

/// Where a route is defined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RouteOrigin {
    /// In the configuration file: the API cannot change it.
    File,
    Api,
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
    /// What a Kafka consumer holds and waits for.
    pub consumer: Option<ConsumerSnapshot>,
    /// What it did since the server started.
    pub totals: RouteTotals,
    /// What it did in the last minute.
    pub recent: RecentRates,
}

/// Counts of a route.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RouteTotals {
    pub done: u64,
    pub retried: u64,
    pub letters: u64,
}

/// Counts of a time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RecentRates {
    pub counts: RouteTotals,
    pub over: Span,
}
