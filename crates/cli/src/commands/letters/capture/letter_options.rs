//! Options for everything in a letter except its payload.

use bytes::Bytes;
use redrive_client::proto::Timestamp;
use redrive_client::proto::redrive::v1::{CaptureLetter, Fault, Header, Origin};
use redrive_core::{Category, Priority, RetryPolicy, Time};
use redrive_store::random_seed;

use crate::commands::failure_options::FaultOptions;
use crate::commands::metadata::MetadataOptions;
use crate::commands::payload::parse_header;
use crate::values::{at_least, parse_time, within};

#[derive(Debug, clap::Args)]
pub(super) struct LetterOptions {
    /// Your id of the work. A second failure with the same id is merged into the existing letter. For lines of stdin, the
    /// line number is appended [default: a random id].
    #[arg(long, value_name = "ID")]
    source_id: Option<String>,

    /// Error message.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true, help_heading = "Failure")]
    error: String,
    #[command(flatten, next_help_heading = "Failure")]
    fault: FaultOptions,
    /// Category, instead of that of the classifier: transient, network, resource, permission, validation or permanent.
    #[arg(long, value_name = "NAME", help_heading = "Failure")]
    category: Option<Category>,
    /// Time of the failure, as in 2026-11-15T12:00:00Z [default: now].
    #[arg(long, value_name = "TIME", help_heading = "Failure", value_parser = parse_time)]
    failed_at: Option<Time>,
    /// Number of attempts before the capture, at least 1.
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = at_least(1),
        help_heading = "Failure")]
    attempts: i32,

    /// Retry policy: never, linear, exponential, immediate, or custom (the custom_backoff of the queue) [default:
    /// default_retry_policy of the queue, or with --category the policy of the category].
    #[arg(long, value_name = "NAME", help_heading = "Retries")]
    retry_policy: Option<RetryPolicy>,
    /// Maximum retries, 0 to 100 [default: default_max_retries of the queue].
    #[arg(long, value_name = "N", value_parser = within(0..=100),
        help_heading = "Retries")]
    max_retries: Option<i32>,
    /// Priority: high, medium or low [default: the metadata entry priority, or medium].
    #[arg(long, value_name = "NAME", help_heading = "Retries")]
    priority: Option<Priority>,
    /// Letter that must be completed before this one is retried. Repeatable.
    #[arg(long, value_name = "ID", help_heading = "Retries")]
    depends_on: Vec<String>,
    /// Destination of the retries. Letters with the same destination share a circuit breaker [default: --origin].
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true, help_heading = "Retries")]
    destination: String,
    /// Address for the result of a retry.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true, help_heading = "Retries")]
    reply_to: String,

    /// Kind of the payload, as in order.
    #[arg(long = "kind", value_name = "TEXT", default_value = "", hide_default_value = true, help_heading = "Content")]
    content_kind: String,
    /// Encoding of the payload, as in json.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true, help_heading = "Content")]
    encoding: String,
    /// Free-form reference.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true, help_heading = "Content")]
    reference: String,
    /// Key of the work, as in a customer number.
    #[arg(long, value_name = "TEXT", help_heading = "Content")]
    key: Option<String>,
    /// Header. Repeatable.
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_header, help_heading = "Content")]
    header: Vec<Header>,
    /// Failed part of the work. Repeatable.
    #[arg(long, value_name = "NAME", help_heading = "Content")]
    part: Vec<String>,
    #[command(flatten, next_help_heading = "Content")]
    metadata: MetadataOptions,
    /// Trace id.
    #[arg(long, value_name = "ID", default_value = "", hide_default_value = true, help_heading = "Content")]
    trace_id: String,
    /// Request id.
    #[arg(long, value_name = "ID", default_value = "", hide_default_value = true, help_heading = "Content")]
    request_id: String,

    /// Transport of the message: kafka, redis, queue, http.
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true, help_heading = "Origin")]
    transport: String,
    /// Name of the topic, mailbox or queue.
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true, help_heading = "Origin")]
    origin: String,
    /// Name of the consumer.
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true, help_heading = "Origin")]
    consumer: String,
    /// Partition of the message.
    #[arg(long, value_name = "NUMBER", help_heading = "Origin", value_parser = at_least(0_i64))]
    partition: Option<i64>,
    /// Offset of the message. A message is captured only once.
    #[arg(long, value_name = "NUMBER", help_heading = "Origin", value_parser = at_least(0_i64))]
    offset: Option<i64>,
    /// Id of the message in its source. A message is captured only once.
    #[arg(long, value_name = "ID", default_value = "", hide_default_value = true, help_heading = "Origin")]
    message_id: String,
    /// Number of times that the message was handed back to its source before this failure. One more than before opens
    /// its completed letter again.
    #[arg(long, value_name = "COUNT", default_value_t = 0, value_parser = at_least(0), hide_default_value = true,
        help_heading = "Origin")]
    replays: i32,
}

impl LetterOptions {
    /// Whether the options identify one message of a source.
    pub(super) const fn names_message(&self) -> bool {
        self.offset.is_some() || !self.message_id.is_empty()
    }

    /// The given source id, or a random one.
    pub(super) fn source_id(&self) -> String {
        let random = || format!("redrive-{:016x}", random_seed());
        self.source_id.clone().unwrap_or_else(random)
    }

    /// The letter without source id and payload.
    pub(super) fn template(&self) -> CaptureLetter {
        CaptureLetter {
            encoding: self.encoding.clone(),
            kind: self.content_kind.clone(),
            reference: self.reference.clone(),
            key: self.key.clone().map(Bytes::from),
            headers: self.header.clone(),
            origin: Some(Origin {
                transport: self.transport.clone(),
                name: self.origin.clone(),
                consumer: self.consumer.clone(),
                partition: self.partition,
                offset: self.offset,
                timestamp: None,
                message_id: self.message_id.clone(),
                replays: self.replays,
            }),
            fault: Some(Fault { category: or_empty(self.category.as_ref()), ..self.fault.fault(self.error.clone()) }),
            attempts: self.attempts,
            retry_policy: or_empty(self.retry_policy.as_ref()),
            max_retries: self.max_retries,
            priority: or_empty(self.priority.as_ref()),
            depends_on: self.depends_on.clone(),
            parts: self.part.clone(),
            metadata: self.metadata.metadata().into_iter().map(|(name, value)| (name, value.into())).collect(),
            reply_to: self.reply_to.clone(),
            trace_id: self.trace_id.clone(),
            request_id: self.request_id.clone(),
            failed_at: self.failed_at.map(Timestamp::from),
            destination: self.destination.clone(),
            ..CaptureLetter::default()
        }
    }
}

fn or_empty(value: Option<&impl ToString>) -> String {
    value.map(ToString::to_string).unwrap_or_default()
}
