//! Conversion of queue settings between the model and the API.

use redrive_core::{NamespaceName, QueueName, Span};
use redrive_model::{LetterOverrides, QueueSettings, Rejection};
use redrive_proto::querator::QueueInfo;

use super::{count, number};

/// The default namespace.
const SYSTEM: &str = "_system";
const NOT_SENT: &str =
    "settings are invalid; a queue is created and updated without letter settings and not paused, set both afterwards";

/// Rejects settings that the message cannot carry.
pub(crate) fn queue_info(settings: &QueueSettings) -> Result<QueueInfo, Rejection> {
    if settings.is_paused || settings.letters != LetterOverrides::default() {
        return Err(Rejection::Elsewhere(NOT_SENT.into()));
    }
    Ok(QueueInfo {
        queue_name: settings.name.to_string(),
        dead_queue: settings.dead_queue.as_ref().map(ToString::to_string).unwrap_or_default(),
        reference: settings.reference.clone(),
        lease_timeout: timeout(settings.lease_timeout),
        expire_timeout: timeout(settings.expire_timeout),
        max_attempts: number(settings.max_attempts),
        requested_partitions: number(settings.requested_partitions),
        namespace: settings.namespace.as_ref().map(ToString::to_string).unwrap_or_default(),
        max_items: Some(i64::try_from(settings.max_items).unwrap_or(i64::MAX)),
        ..QueueInfo::default()
    })
}

/// A timeout as text. Servers of earlier versions accept at most 15 characters, so that long ones are sent in microseconds.
fn timeout(span: Span) -> String {
    const CHARS_MAX: usize = 15;
    Some(span.to_string()).filter(|text| text.len() <= CHARS_MAX).unwrap_or_else(|| format!("{}us", span.as_micros()))
}

pub(crate) fn queue_settings(info: &QueueInfo) -> Option<QueueSettings> {
    let partitions = count(info.requested_partitions)?;
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
        max_attempts: count(info.max_attempts)?,
        max_items: u64::try_from(info.max_items.unwrap_or_default()).ok()?,
        partitions,
        requested_partitions: partitions,
        created_at: info.created_at?.time()?,
        updated_at: info.updated_at?.time()?,
        ..QueueSettings::new(QueueName::new(&info.queue_name).ok()?)
    })
}
