//! `redrive letters edit`.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use bytes::Bytes;
use redrive_client::proto::redrive::v1::{Header, HeaderList, LettersEditRequest};
use redrive_core::{Priority, RetryPolicy};

use super::letter_line::{LetterLine, time};
use crate::commands::payload::{parse_header, read_file};
use crate::complaint::Complaint;
use crate::console::{Format, say};
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Only a letter that waits can be changed. What it was at first is kept.

Examples:
  redrive letters edit orders-dead 2PqKcMkQhVbFQ0dQ4mC3nCyaQWz --payload-file order.json --reason 'case 9'
  redrive letters edit orders-dead 2PqKcMkQhVbFQ0dQ4mC3nCyaQWz --retry-policy linear --max-retries 5")]
pub(crate) struct Arguments {
    queue: String,
    /// The letter, by its id or its source id.
    id: String,
    /// The new payload.
    #[arg(long, value_name = "TEXT", conflicts_with = "payload_file")]
    payload: Option<String>,
    /// A file that is the new payload, byte for byte.
    #[arg(long, value_name = "FILE")]
    payload_file: Option<PathBuf>,
    /// A header, in place of all that there were; may be given again.
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_header)]
    header: Vec<Header>,
    /// No headers any more.
    #[arg(long, conflicts_with = "header")]
    no_headers: bool,
    /// How it is retried: never, linear, exponential, immediate, or custom by the delays of its queue.
    #[arg(long, value_name = "NAME")]
    retry_policy: Option<RetryPolicy>,
    /// Retries after the first failure, those included that were.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(0..=100))]
    max_retries: Option<i32>,
    /// How soon it is retried: high, medium or low.
    #[arg(long, value_name = "NAME")]
    priority: Option<Priority>,
    /// The revision that you looked at: if it has another by now, nothing is changed [default: that of now].
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(i64).range(1..))]
    revision: Option<i64>,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let letters = session.client.letters(&arguments.queue);
    let request = arguments.request()?;
    let revision = match arguments.revision {
        Some(revision) => revision,
        None => session.ask(letters.get(&arguments.id)).await?.letter.map_or(0, |letter| letter.revision),
    };
    let edited = session.ask(letters.edit(LettersEditRequest { revision, ..request })).await?;
    match session.format {
        Format::Json => {
            let mut out = session.out();
            writeln!(out, "{}", serde_json::to_string(&LetterLine::from(&edited))?)?;
            out.flush()?;
        }
        Format::Table => {
            let next = time(edited.next_retry_at);
            say(format_args!(
                "changed letter {} of '{}': revision {}, {}, next retry {next}",
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
            let complaint = Complaint::usage("nothing is given that could be changed");
            return Err(complaint.advise("redrive letters edit --help lists what can be").into());
        }
        Ok(LettersEditRequest {
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
