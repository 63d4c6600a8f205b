//! `redrive lease`.

use anyhow::Result;
use redrive_client::Span;
use redrive_client::proto::Timestamp;
use redrive_client::proto::redrive::v1::{ClaimedItem, QueueClaimRequest};
use redrive_store::random_seed;
use serde::Serialize;

use super::payload;
use crate::cli_error::CliError;
use crate::console::{Align, Lines, or_dash};
use crate::exit::Exit;
use crate::session::Session;
use crate::values::{at_least, parse_duration};

/// The minimum wait that the server accepts. It replaces a wait of zero.
const WAIT_MIN: Span = Span::from_millis(10);

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive lease orders --count 10 --wait 1m
  redrive lease orders --output json | redrive complete orders -")]
pub(crate) struct Arguments {
    /// Queue name.
    queue: String,
    /// Maximum items to lease.
    #[arg(long, default_value_t = 1, value_name = "COUNT", value_parser = at_least(1))]
    count: i32,
    /// Maximum time to wait for the first item, up to 15m.
    #[arg(long, default_value = "5s", value_name = "TIME", value_parser = parse_duration)]
    wait: Span,
    /// Client id. Only one lease per client id can wait at a queue [default: a random id].
    #[arg(long, value_name = "TEXT")]
    client_id: Option<String>,
}

const HEADER: &[(&str, Align)] = &[
    ("ID", Align::Text),
    ("PARTITION", Align::Number),
    ("ATTEMPTS", Align::Number),
    ("LEASED UNTIL", Align::Text),
    ("KIND", Align::Text),
    ("PAYLOAD", Align::Text),
];

pub(crate) async fn run(arguments: &Arguments, session: Session) -> Result<()> {
    let request = QueueClaimRequest {
        queue_name: arguments.queue.clone(),
        batch_size: arguments.count,
        client_id: arguments.client_id.clone().unwrap_or_else(random_client_id),
        request_timeout: arguments.wait.max(WAIT_MIN).to_string(),
        ..QueueClaimRequest::default()
    };
    let leased = session.call(session.client.claim(&request)).await?;
    if leased.is_paused {
        let message = format!("no item became available in time: queue '{}' is paused", arguments.queue);
        let remedy = format!("resume it with: redrive queue resume {}", arguments.queue);
        return Err(CliError::new(Exit::NoItem, message).remedy(remedy).into());
    }
    let mut lines = Lines::new(session.format, HEADER);
    for item in &leased.items {
        let line = LeasedLine::new(leased.partition, item);
        lines.push(|| line.row(&item.payload), &line)?;
    }
    lines.finish()
}

fn random_client_id() -> String {
    format!("redrive-{}-{:016x}", std::process::id(), random_seed())
}

/// A line of `--output json`; the names are those of `items list`.
#[derive(Debug, Serialize)]
struct LeasedLine<'i> {
    id: &'i str,
    partition: i32,
    attempts: i32,
    lease_deadline: Option<Timestamp>,
    reference: &'i str,
    encoding: &'i str,
    kind: &'i str,
    #[serde(skip_serializing_if = "Option::is_none")]
    payload: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    payload_base64: Option<String>,
}

impl<'i> LeasedLine<'i> {
    fn new(partition: i32, item: &'i ClaimedItem) -> Self {
        let (payload, payload_base64) = payload::fields(&item.payload);
        Self {
            id: &item.id,
            partition,
            attempts: item.attempts,
            lease_deadline: item.lease_deadline,
            reference: &item.reference,
            encoding: &item.encoding,
            kind: &item.kind,
            payload,
            payload_base64,
        }
    }

    fn row(&self, bytes: &[u8]) -> Vec<String> {
        vec![
            self.id.to_owned(),
            self.partition.to_string(),
            self.attempts.to_string(),
            self.lease_deadline.map(|time| time.to_string()).unwrap_or_default(),
            or_dash(self.kind).to_owned(),
            payload::cell(bytes),
        ]
    }
}
