//! The settings of a queue between a store's words and the wire's.

use redrive_core::{NamespaceName, QueueName, Span};
use redrive_model::{QueueSettings, UpdateQueue};
use redrive_proto::querator::QueueInfo;

use super::item::number;

/// The namespace that nobody has to name.
const SYSTEM: &str = "_system";

pub(super) fn queue_info(settings: &QueueSettings) -> QueueInfo {
    QueueInfo {
        queue_name: settings.name.to_string(),
        dead_queue: settings.dead_queue.as_ref().map(ToString::to_string).unwrap_or_default(),
        reference: settings.reference.clone(),
        lease_timeout: settings.lease_timeout.to_string(),
        expire_timeout: settings.expire_timeout.to_string(),
        max_attempts: number(settings.max_attempts),
        requested_partitions: number(settings.partitions),
        namespace: settings.namespace.as_ref().map(ToString::to_string).unwrap_or_default(),
        ..QueueInfo::default()
    }
}

/// What a queue is to be like after an update: the wire takes all of it.
pub(super) fn merged(before: QueueSettings, update: &UpdateQueue) -> QueueInfo {
    let wanted = QueueSettings {
        max_attempts: update.max_attempts.unwrap_or(before.max_attempts),
        reference: update.reference.clone().unwrap_or(before.reference),
        dead_queue: update.dead_queue.clone().unwrap_or(before.dead_queue),
        ..QueueSettings::new(before.name)
    };
    // What is left out, or zero, stays.
    let timeout = |given: Option<Span>| given.as_ref().map(Span::to_string).unwrap_or_default();
    QueueInfo {
        lease_timeout: timeout(update.lease_timeout),
        expire_timeout: timeout(update.expire_timeout),
        requested_partitions: update.requested_partitions.map(number).unwrap_or_default(),
        ..queue_info(&wanted)
    }
}

/// `None` where it is not how a server shows one.
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

/// The requests by which one waits for so long: each within what a request may ask for.
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
    fn a_wait_is_made_of_requests_that_a_server_takes() {
        let times = |wait| times_of_wait(wait).map(|time| time.to_string()).collect::<Vec<_>>();
        assert_eq!(times(Span::ZERO), ["10ms"]);
        assert_eq!(times(Span::from_mins(15)), ["15m0s"]);
        assert_eq!(times(Span::from_mins(40)), ["15m0s", "15m0s", "10m0s"]);
    }
}
