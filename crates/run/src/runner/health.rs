//! The health of a runner.

use std::sync::Arc;

use redrive_core::{BreakerState, Span, Time};

use super::RunReport;

/// A snapshot of a runner's health.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunnerHealth {
    /// The runner answered the health request in time.
    pub is_responsive: bool,
    pub is_paused: bool,
    /// Work for a destination waits for the end of its outage ([`OnOutage::Pause`](redrive_core::OnOutage::Pause)); its
    /// [`trouble`](DestinationHealth::trouble) says since when and why.
    pub is_paused_by_outage: bool,
    /// The runner claims nothing new and waits for its handlers.
    pub is_draining: bool,
    /// Running handlers.
    pub running: usize,
    /// Claimed work that waits for its destination: it may not be called now, or its row of failures has not ended.
    pub waiting: usize,
    /// Results that the source has not taken yet.
    pub finishing: usize,
    /// Attempts that were stopped, by their timeout or a lost claim, and whose handlers have not ended.
    pub stuck: usize,
    /// How long the longest attempt has been running.
    pub oldest: Option<Span>,
    /// Set while claims fail: since when, and the last error.
    pub claim_trouble: Option<RunnerTrouble>,
    /// Set while the source does not take results: since when, and the last error.
    pub settle_trouble: Option<RunnerTrouble>,
    /// Set while letters cannot be handed over: since when, and the last error. Their work waits.
    pub hand_over_trouble: Option<RunnerTrouble>,
    /// Number of attempts that outages have not charged, since the start of the runner.
    pub refunded: u64,
    /// Paused destinations: they get probes only.
    pub held: Vec<Arc<str>>,
    /// The destinations that were called, by name: the most recent ones, as many as have a circuit breaker.
    pub destinations: Vec<DestinationHealth>,
    /// What the runner did so far.
    pub report: RunReport,
}

/// The health of a destination.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DestinationHealth {
    pub name: Arc<str>,
    pub breaker: BreakerState,
    /// When the breaker opened, if it is not closed. A failed probe does not change it.
    pub open_since: Option<Time>,
    /// When the destination is called again, if it is not called now.
    pub next_probe_at: Option<Time>,
    /// Set while calls of the destination fail: since when, and the last error.
    pub trouble: Option<RunnerTrouble>,
}

/// A failure that the runner keeps retrying.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunnerTrouble {
    pub since: Time,
    pub error: String,
}

impl RunnerHealth {
    /// False if the runner does not respond, has stuck attempts, or cannot claim, settle or hand letters over.
    pub fn is_progressing(&self) -> bool {
        let troubles = [&self.claim_trouble, &self.settle_trouble, &self.hand_over_trouble];
        self.is_responsive && self.stuck == 0 && troubles.into_iter().all(Option::is_none)
    }
}
