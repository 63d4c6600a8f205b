//! The errors of a consumer.

use rdkafka::error::KafkaError as ClientError;
use redrive_core::Invalid;

/// Why a consumer did not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KafkaError {
    #[error(transparent)]
    Settings(#[from] Invalid),
    #[error("the client library rejects the property {property}: {reason}")]
    Property { property: String, reason: String },
    #[error("no broker of {servers} answers: {reason}; check bootstrap_servers and the security properties")]
    Unreachable { servers: String, reason: String },
    #[error("topic '{0}' does not exist; create it, or correct `topics`")]
    NoSuchTopic(String),
    #[error("not authorised for {what}; add an ACL for this user")]
    NotAuthorized { what: String },
    #[error("the DLQ topic '{0}' does not exist; create it with retention.ms=-1, or set dlq_create_topics")]
    NoDlqTopic(String),
    #[error(
        "letters in the DLQ topic '{topic}' would be deleted after {retention_ms} ms, counted from the timestamp of \
         the failed record; set its retention.ms to -1, or message.timestamp.type to LogAppendTime"
    )]
    DlqRetention { topic: String, retention_ms: i64 },
    #[error(
        "letters in the DLQ topic '{topic}' are deleted beyond {retention_bytes} bytes; set its retention.bytes to -1"
    )]
    DlqRetentionBytes { topic: String, retention_bytes: i64 },
    #[error("the DLQ topic '{0}' is compacted, which deletes letters with the same key; set cleanup.policy to delete")]
    DlqCompacted(String),
    #[error("the DLQ topic '{topic}' could not be created: {reason}")]
    DlqTopicNotCreated { topic: String, reason: String },
    #[error("{doing} failed: {reason}")]
    Client { doing: &'static str, reason: String },
    #[error("a thread could not be started: {0}")]
    Thread(#[source] std::io::Error),
}

impl KafkaError {
    pub(crate) fn client(doing: &'static str, error: &ClientError) -> Self {
        match error {
            ClientError::ClientConfig(_, reason, property, _) => {
                Self::Property { property: property.clone(), reason: reason.clone() }
            }
            ClientError::ClientCreation(reason) => Self::Client { doing, reason: reason.clone() },
            other => Self::Client { doing, reason: text(other) },
        }
    }
}

/// The text of an error, without the name of its type.
pub(crate) fn text(error: &ClientError) -> String {
    match (error.rdkafka_error_code(), error) {
        (_, ClientError::Transaction(error)) => error.string(),
        (Some(code), _) => code.to_string(),
        (None, other) => other.to_string(),
    }
}
