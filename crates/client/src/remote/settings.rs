//! Conversion of queue settings between the model and the API.

use redrive_core::{NamespaceName, QueueName, Span};
use redrive_model::QueueSettings;
use redrive_proto::querator::QueueInfo;

/// The default namespace.
const SYSTEM: &str = "_system";

/// `None` if the message is invalid.
pub(super) fn queue_settings(info: &QueueInfo) -> Option<QueueSettings> {
    let partitions = u32::try_from(info.requested_partitions).ok()?;
    let is_system = info.namespace.is_empty() || info.namespace == SYSTEM;
    let namespace = if is_system { None } else { Some(NamespaceName::new(&info.namespace).ok()?) };
    let has_dead_queue = !info.dead_queue.is_empty();
    let dead_queue = if has_dead_queue { Some(QueueName::new(&info.dead_queue).ok()?) } else { None };
    Some(QueueSettings {
        namespace,
        dead_queue,
        reference: info.reference.clone(),
        lease_timeout: info.lease_timeout.parse().ok()?,
        expire_timeout: info.expire_timeout.parse().ok()?,
        max_attempts: u32::try_from(info.max_attempts).ok()?,
        partitions,
        requested_partitions: partitions,
        created_at: info.created_at?.time()?,
        updated_at: info.updated_at?.time()?,
        ..QueueSettings::new(QueueName::new(&info.queue_name).ok()?)
    })
}

/// The timeouts of the requests that together wait for this time, each within the limits of a request.
pub(super) fn times_of_wait(wait: Span) -> impl Iterator<Item = Span> {
    const LEAST: Span = Span::from_millis(10);
    const MOST: Span = Span::from_mins(15);
    let mut left = Some(wait);
    std::iter::from_fn(move || {
        let now = left?;
        left = Some(now.saturating_sub(MOST)).filter(|left| !left.is_zero());
        Some(now.clamp(LEAST, MOST))
    })
}

#[cfg(test)]
mod tests {
    use super::{Span, times_of_wait};

    #[test]
    fn a_wait_is_split_into_requests_within_the_limits() {
        let times = |wait| times_of_wait(wait).map(|time| time.to_string()).collect::<Vec<_>>();
        assert_eq!(times(Span::ZERO), ["10ms"]);
        assert_eq!(times(Span::from_mins(15)), ["15m0s"]);
        assert_eq!(times(Span::from_mins(40)), ["15m0s", "15m0s", "10m0s"]);
    }
}
