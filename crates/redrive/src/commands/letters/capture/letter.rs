//! What letters are to carry besides their payload.

use std::hash::{BuildHasher, Hasher, RandomState};

use bytes::Bytes;
use redrive_client::proto::Timestamp;
use redrive_client::proto::redrive::v1::{CaptureLetter, Fault, Header, Origin};
use redrive_core::{Category, GrpcCode, Kind, Priority, RetryPolicy, SqlState, Time};

use crate::commands::known::{parse_grpc, parse_pair};
use crate::commands::payload::parse_header;

#[derive(Debug, clap::Args)]
pub(super) struct LetterOptions {
    /// Your own id of the work: a second failure of the same work goes to the same letter. Of lines, each gets its number
    /// behind it. Made up, if nothing is said.
    #[arg(long, value_name = "ID")]
    source_id: Option<String>,

    /// What went wrong, in the error's own words.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true, help_heading = "The fault")]
    error: String,
    /// The error's type: TimeoutError.
    #[arg(long = "type", value_name = "NAME", help_heading = "The fault")]
    kind: Option<Kind>,
    /// The status of an HTTP answer.
    #[arg(long, value_name = "STATUS", group = "evidence", value_parser = clap::value_parser!(u16).range(100..=599),
        help_heading = "The fault")]
    http: Option<u16>,
    /// The number or the name of a gRPC status.
    #[arg(long, value_name = "STATUS", group = "evidence", value_parser = parse_grpc, help_heading = "The fault")]
    grpc: Option<GrpcCode>,
    /// The error code of an SQL database.
    #[arg(long, value_name = "STATE", group = "evidence", help_heading = "The fault")]
    sqlstate: Option<SqlState>,
    /// The category, where you know it better than the classifier.
    #[arg(long, value_name = "NAME", help_heading = "The fault")]
    category: Option<Category>,
    /// When it failed [default: now].
    #[arg(long, value_name = "TIME", help_heading = "The fault")]
    failed_at: Option<Time>,
    /// How many times it was tried.
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = clap::value_parser!(i32).range(1..),
        help_heading = "The fault")]
    attempts: i32,

    /// How it is retried: never, linear, exponential, immediate, or custom by the delays of its queue [default: what the
    /// fault suggests].
    #[arg(long, value_name = "NAME", help_heading = "What becomes of it")]
    retry_policy: Option<RetryPolicy>,
    /// Retries after the first failure [default: the queue's own number].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(0..=100),
        help_heading = "What becomes of it")]
    max_retries: Option<i32>,
    /// How soon it is retried: high, medium or low.
    #[arg(long, value_name = "NAME", help_heading = "What becomes of it")]
    priority: Option<Priority>,
    /// A letter that must be completed first; may be given again.
    #[arg(long, value_name = "ID", help_heading = "What becomes of it")]
    depends_on: Vec<String>,
    /// Whose breaker holds its retries back [default: the name of its origin].
    #[arg(
        long,
        value_name = "NAME",
        default_value = "",
        hide_default_value = true,
        help_heading = "What becomes of it"
    )]
    destination: String,
    /// Where the result of a retry is wanted.
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "",
        hide_default_value = true,
        help_heading = "What becomes of it"
    )]
    reply_to: String,

    /// What sort of thing the payload is.
    #[arg(
        long = "kind",
        value_name = "TEXT",
        default_value = "",
        hide_default_value = true,
        help_heading = "The work"
    )]
    sort: String,
    /// How the payload is encoded, as in json.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true, help_heading = "The work")]
    encoding: String,
    /// A note of your own.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true, help_heading = "The work")]
    reference: String,
    /// What the work is about, as in a customer's number.
    #[arg(long, value_name = "TEXT", help_heading = "The work")]
    key: Option<String>,
    /// A header; may be given again.
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_header, help_heading = "The work")]
    header: Vec<Header>,
    /// A piece of the work that failed; may be given again.
    #[arg(long, value_name = "NAME", help_heading = "The work")]
    part: Vec<String>,
    /// What else is known; may be given again.
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_pair, help_heading = "The work")]
    metadata: Vec<(String, String)>,
    #[arg(long, value_name = "ID", default_value = "", hide_default_value = true, help_heading = "The work")]
    trace_id: String,
    #[arg(long, value_name = "ID", default_value = "", hide_default_value = true, help_heading = "The work")]
    request_id: String,

    /// How it came: kafka, redis, queue, http.
    #[arg(
        long,
        value_name = "NAME",
        default_value = "",
        hide_default_value = true,
        help_heading = "Where it came from"
    )]
    transport: String,
    /// The topic, mailbox or queue.
    #[arg(
        long,
        value_name = "NAME",
        default_value = "",
        hide_default_value = true,
        help_heading = "Where it came from"
    )]
    origin: String,
    /// Who consumed it.
    #[arg(
        long,
        value_name = "NAME",
        default_value = "",
        hide_default_value = true,
        help_heading = "Where it came from"
    )]
    consumer: String,
    #[arg(long, value_name = "NUMBER", help_heading = "Where it came from")]
    partition: Option<i64>,
    /// Its place there: a message is captured once.
    #[arg(long, value_name = "NUMBER", help_heading = "Where it came from")]
    offset: Option<i64>,
    /// Its id there: a message is captured once.
    #[arg(long, value_name = "ID", default_value = "", hide_default_value = true, help_heading = "Where it came from")]
    message_id: String,
}

impl LetterOptions {
    /// Whether it is about one message of a source.
    pub(super) const fn names_message(&self) -> bool {
        self.offset.is_some() || !self.message_id.is_empty()
    }

    /// The name that is given, or one that nobody else has, by all likelihood.
    pub(super) fn source_id(&self) -> String {
        let made_up = || format!("redrive-{:016x}", RandomState::new().build_hasher().finish());
        self.source_id.clone().unwrap_or_else(made_up)
    }

    /// A letter without its name and its payload.
    pub(super) fn template(&self) -> CaptureLetter {
        CaptureLetter {
            encoding: self.encoding.clone(),
            kind: self.sort.clone(),
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
            }),
            fault: Some(Fault {
                error: self.error.clone(),
                error_type: said(self.kind.as_ref()),
                http_status: self.http.map(i32::from),
                grpc_status: self.grpc.map(|code| i32::from(code.number())),
                sqlstate: said(self.sqlstate.as_ref()),
                category: said(self.category.as_ref()),
            }),
            attempts: self.attempts,
            retry_policy: said(self.retry_policy.as_ref()),
            max_retries: self.max_retries,
            priority: said(self.priority.as_ref()),
            depends_on: self.depends_on.clone(),
            parts: self.part.clone(),
            metadata: self.metadata.iter().cloned().collect(),
            reply_to: self.reply_to.clone(),
            trace_id: self.trace_id.clone(),
            request_id: self.request_id.clone(),
            failed_at: self.failed_at.map(Timestamp::from),
            destination: self.destination.clone(),
            ..CaptureLetter::default()
        }
    }
}

fn said(value: Option<&impl ToString>) -> String {
    value.map(ToString::to_string).unwrap_or_default()
}
