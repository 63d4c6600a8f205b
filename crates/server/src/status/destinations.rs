//! The destinations of a runner, as the API shows them.

use redrive_core::BreakerState;
use redrive_proto::redrive::v1::DestinationStatus;
use redrive_run::{DestinationHealth, RunnerTrouble};

/// Maximum number of destinations that are listed for one runner.
const DESTINATIONS_MAX: usize = 20;

/// Those whose circuit breaker is not closed first, then those whose last call failed.
pub(crate) fn destinations(mut destinations: Vec<DestinationHealth>) -> Vec<DestinationStatus> {
    destinations
        .sort_by_key(|destination| (destination.breaker == BreakerState::Closed, destination.trouble.is_none()));
    destinations.truncate(DESTINATIONS_MAX);
    let status = |DestinationHealth { name, breaker, open_since, next_probe_at, trouble }| DestinationStatus {
        destination: name.to_string(),
        breaker: breaker.to_string(),
        next_probe_at: next_probe_at.map(Into::into),
        open_since: open_since.map(Into::into),
        failing_since: trouble.as_ref().map(|trouble: &RunnerTrouble| trouble.since.into()),
        last_error: trouble.map(|trouble| trouble.error).unwrap_or_default(),
    };
    destinations.into_iter().map(status).collect()
}
