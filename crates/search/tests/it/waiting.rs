//! Waits for a projection.

use std::time::Duration;

use redrive_search::{Projection, ProjectionNumbers, ProjectionState};
use tokio::time::timeout;

/// The limit of every wait.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(120);

/// Waits until the condition holds.
pub(crate) async fn until(
    projection: &Projection,
    condition: impl Fn(&ProjectionNumbers) -> bool,
) -> ProjectionNumbers {
    let reached = timeout(TIMEOUT, projection.until(condition)).await;
    reached.unwrap_or_else(|_| panic!("{:?}", projection.numbers()))
}

/// Waits until all changes are in the index.
pub(crate) async fn settled(projection: &Projection) -> ProjectionNumbers {
    until(projection, |n| n.state == ProjectionState::Ok && n.outbox_depth == 0).await
}
