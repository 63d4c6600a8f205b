//! What a health check finds.

use async_trait::async_trait;
use serde_json::{Map, Value};

/// The state of a process or of a part of it, from the best to the worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum HealthState {
    Healthy,
    /// It works, and something needs attention. A restart, or less work, would not help.
    Degraded,
    Unhealthy,
}

/// The result of a check.
#[derive(Debug, Clone, PartialEq)]
pub struct HealthReport {
    pub state: HealthState,
    /// The fields of the document besides `status`.
    pub fields: Map<String, Value>,
}

/// Decides about the health of a process.
#[async_trait]
pub trait HealthCheck: Send + Sync + 'static {
    async fn check(&self) -> HealthReport;

    /// Whether the process shuts down: it may be healthy, but is not ready for new work.
    fn is_closing(&self) -> bool {
        false
    }
}
