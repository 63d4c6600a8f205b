//! The settings of a queue as a message: every conversion, for the server and for its clients.

use std::num::TryFromIntError;

use redrive_core::{NamespaceName, QueueName, Span, Time};
use redrive_model::{QueueSettings, UpdateQueue};

use crate::querator::QueueInfo;

impl QueueInfo {
    /// The default namespace.
    pub const SYSTEM: &'static str = "_system";

    /// The message of a server that describes a queue.
    pub fn of(settings: &QueueSettings) -> Self {
        Self {
            queue_name: settings.name.to_string(),
            created_at: Some(settings.created_at.into()),
            updated_at: Some(settings.updated_at.into()),
            dead_queue: settings.dead_queue.as_ref().map(ToString::to_string).unwrap_or_default(),
            reference: settings.reference.clone(),
            lease_timeout: settings.lease_timeout.to_string(),
            expire_timeout: settings.expire_timeout.to_string(),
            max_attempts: i32::try_from(settings.max_attempts).unwrap_or(i32::MAX),
            requested_partitions: i32::try_from(settings.requested_partitions).unwrap_or(i32::MAX),
            partitions: Vec::new(),
            namespace: settings.namespace.as_ref().map_or(Self::SYSTEM, NamespaceName::as_str).to_owned(),
            max_items: i64::try_from(settings.max_items).ok().or(Some(i64::MAX)).filter(|count| *count > 0),
        }
    }

    /// The message of a client that creates or updates a queue, without a pause and letter settings.
    pub fn request(settings: &QueueSettings) -> Self {
        let info = Self::of(settings);
        Self {
            lease_timeout: timeout(settings.lease_timeout),
            expire_timeout: timeout(settings.expire_timeout),
            namespace: settings.namespace.as_ref().map(ToString::to_string).unwrap_or_default(),
            // Also if it is 0: an update without it would keep the limit of the queue.
            max_items: Some(info.max_items.unwrap_or_default()),
            created_at: None,
            updated_at: None,
            ..info
        }
    }

    /// The settings of a queue that a server describes; `None` if the message is invalid.
    pub fn settings(&self) -> Option<QueueSettings> {
        if self.max_attempts < 0 || self.requested_partitions < 0 {
            return None;
        }
        let name = QueueName::new(&self.queue_name).ok()?;
        let is_system = self.namespace.is_empty() || self.namespace == Self::SYSTEM;
        let has_dead_queue = !self.dead_queue.is_empty();
        let described = UpdateQueue {
            dead_queue: Some(if has_dead_queue { Some(QueueName::new(&self.dead_queue).ok()?) } else { None }),
            lease_timeout: Some(self.lease_timeout.parse().ok()?),
            expire_timeout: Some(self.expire_timeout.parse().ok()?),
            ..UpdateQueue::of(name.clone())
        };
        let settings = self.add_to(described).ok()?.merged(&QueueSettings::new(name), Time::EPOCH);
        Some(QueueSettings {
            namespace: if is_system { None } else { Some(NamespaceName::new(&self.namespace).ok()?) },
            partitions: settings.requested_partitions,
            created_at: self.created_at?.time()?,
            updated_at: self.updated_at?.time()?,
            ..settings
        })
    }

    /// Adds the settings of the message to an update, except timeouts and dead queue, which the server checks first. The
    /// store rejects values that are out of range.
    ///
    /// # Errors
    ///
    /// If the maximum number of items is negative.
    pub fn add_to(&self, update: UpdateQueue) -> Result<UpdateQueue, TryFromIntError> {
        Ok(UpdateQueue {
            // 0 means unset. A negative number becomes 0, which the store rejects.
            requested_partitions: Some(self.requested_partitions)
                .filter(|count| *count != 0)
                .map(|count| u32::try_from(count).unwrap_or_default()),
            // Always overwritten, also by the default value of an unset field. A negative number becomes the largest
            // one, which the store rejects.
            max_attempts: Some(u32::try_from(self.max_attempts).unwrap_or(u32::MAX)),
            reference: Some(self.reference.clone()),
            max_items: self.max_items.map(u64::try_from).transpose()?,
            ..update
        })
    }
}

/// A timeout as text. Servers of earlier versions accept at most 15 characters, so that long ones are sent in microseconds.
fn timeout(span: Span) -> String {
    const CHARS_MAX: usize = 15;
    Some(span.to_string()).filter(|text| text.len() <= CHARS_MAX).unwrap_or_else(|| format!("{}us", span.as_micros()))
}
