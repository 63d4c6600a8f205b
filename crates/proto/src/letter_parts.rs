//! Headers, origins and attempts as messages: the conversions that server and client share.

use redrive_model::{Attempt, Header, Origin};

use crate::Timestamp;
use crate::redrive::v1;

impl From<&Header> for v1::Header {
    fn from(header: &Header) -> Self {
        Self { name: header.name.clone(), value: header.value.clone() }
    }
}

impl From<v1::Header> for Header {
    fn from(sent: v1::Header) -> Self {
        Self { name: sent.name, value: sent.value }
    }
}

impl From<Origin> for v1::Origin {
    fn from(origin: Origin) -> Self {
        Self {
            transport: origin.transport.to_string(),
            name: origin.name.to_string(),
            consumer: origin.consumer.unwrap_or_default().to_string(),
            partition: origin.partition,
            offset: origin.offset,
            timestamp: origin.timestamp.map(Timestamp::from),
            message_id: origin.message_id.unwrap_or_default(),
            replays: i32::try_from(origin.replays).unwrap_or(i32::MAX),
        }
    }
}

/// Without the actor: a server knows it by the API key.
impl From<&Attempt> for v1::Attempt {
    fn from(attempt: &Attempt) -> Self {
        Self {
            trigger: attempt.trigger.to_string(),
            outcome: attempt.outcome.to_string(),
            started_at: attempt.started_at.map(Timestamp::from),
            ended_at: attempt.ended_at.map(Timestamp::from),
            cause: attempt.cause.map(|cause| cause.to_string()).unwrap_or_default(),
            error_type: attempt.error_type.clone().unwrap_or_default(),
            error: attempt.error.clone(),
            category: attempt.category.map(|category| category.to_string()).unwrap_or_default(),
            rule: attempt.rule.clone().unwrap_or_default(),
            fingerprint: attempt.fingerprint.map(|fingerprint| fingerprint.to_string()).unwrap_or_default(),
            failed_parts: attempt.failed_parts.clone(),
            worker: attempt.worker.as_deref().unwrap_or_default().to_owned(),
        }
    }
}
