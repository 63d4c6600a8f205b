//! `redrive letters edit`.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use bytes::Bytes;
use redrive_client::proto::redrive::v1::{Header, HeaderList, LettersEditRequest, LettersGetRequest};
use redrive_core::{Priority, RetryPolicy};

use super::letter_line::{LetterLine, time};
use crate::cli_error::CliError;
use crate::commands::payload::{parse_header, read_file};
use crate::console::{Format, say};
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Only pending and exhausted letters can be edited. The original content is kept.

Examples:
  redrive letters edit orders-dead 2PqKcMkQhVbFQ0dQ4mC3nCyaQWz --payload-file order.json --reason 'case 9'
  redrive letters edit orders-dead 2PqKcMkQhVbFQ0dQ4mC3nCyaQWz --retry-policy linear --max-retries 5")]
pub(crate) struct Arguments {
    /// Queue name.
    queue: String,
    /// Letter id or source id.
    id: String,
    /// New payload.
    #[arg(long, value_name = "TEXT", conflicts_with = "payload_file")]
    payload: Option<String>,
    /// File with the new payload, read byte for byte.
    #[arg(long, value_name = "FILE")]
    payload_file: Option<PathBuf>,
    /// New header. Repeatable; the given headers replace all existing ones.
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_header)]
    header: Vec<Header>,
    /// Remove all headers.
    #[arg(long, conflicts_with = "header")]
    no_headers: bool,
    /// New retry policy: never, linear, exponential, immediate, or custom (the custom_backoff of the queue).
    #[arg(long, value_name = "NAME")]
    retry_policy: Option<RetryPolicy>,
    /// New maximum of retries, including those already made: 0 to 100.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(0..=100))]
    max_retries: Option<i32>,
    /// New priority: high, medium or low.
    #[arg(long, value_name = "NAME")]
    priority: Option<Priority>,
    /// Expected revision. If the letter has another revision, it is not changed [default: the current revision].
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(i64).range(1..))]
    revision: Option<i64>,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let request = arguments.request()?;
    let revision = match arguments.revision {
        Some(revision) => revision,
        None => {
            let (queue_name, id) = (arguments.queue.clone(), arguments.id.clone());
            let get = LettersGetRequest { queue_name, id, reveal: false };
            session.call(session.client.get_letter(&get)).await?.letter.map_or(0, |letter| letter.revision)
        }
    };
    let request = LettersEditRequest { revision, ..request };
    let edited = session.call(session.client.edit_letter(&request)).await?.letter;
    let edited = edited.context("the server's answer contains no letter")?;
    match session.format {
        Format::Json => {
            let mut out = session.out();
            writeln!(out, "{}", serde_json::to_string(&LetterLine::from(&edited))?)?;
            out.flush()?;
        }
        Format::Table => {
            let next = time(edited.next_retry_at);
            say(format_args!(
                "edited letter {} of '{}': revision {}, {}, next retry {next}",
                edited.id, arguments.queue, edited.revision, edited.status
            ));
        }
    }
    Ok(())
}

impl Arguments {
    fn request(&self) -> Result<LettersEditRequest> {
        let payload = match (&self.payload, &self.payload_file) {
            (Some(text), _) => Some(Bytes::from(text.clone())),
            (None, Some(file)) => Some(read_file(file)?.into()),
            (None, None) => None,
        };
        let edits_headers = self.no_headers || !self.header.is_empty();
        let is_nothing = payload.is_none()
            && !edits_headers
            && self.retry_policy.is_none()
            && self.max_retries.is_none()
            && self.priority.is_none();
        if is_nothing {
            let error = CliError::usage("no change is given");
            return Err(error.remedy("list the options with: redrive letters edit --help").into());
        }
        Ok(LettersEditRequest {
            queue_name: self.queue.clone(),
            id: self.id.clone(),
            payload,
            headers: edits_headers.then(|| HeaderList { headers: self.header.clone() }),
            retry_policy: self.retry_policy.map(|policy| policy.to_string()).unwrap_or_default(),
            max_retries: self.max_retries,
            priority: self.priority.map(|priority| priority.to_string()).unwrap_or_default(),
            ..LettersEditRequest::default()
        })
    }
}
