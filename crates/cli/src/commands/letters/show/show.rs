//! Prints one letter, as text or as JSON.

use std::io::Write;

use anyhow::Result;
use redrive_client::proto::redrive::v1::{LettersGetRequest, LettersProcessRequest};

use super::outlook::Processor;
use super::payload_format::PayloadFormat;
use super::record_line::RecordLine;
use super::text;
use crate::cli_error::CliError;
use crate::console::Format;
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive letters show orders-dead 2PqKcMkQhVbFQ0dQ4mC3nCyaQWz
  redrive letters show orders-dead 2PqKcMkQhVbFQ0dQ4mC3nCyaQWz --reveal --reason 'support case 9' --as json")]
pub(crate) struct Arguments {
    /// Queue name.
    queue: String,
    /// Letter id or source id.
    id: String,
    /// Also show the payload, the headers and the key. Requires --reason, which the server writes to the audit record.
    #[arg(long)]
    reveal: bool,
    /// Format of the payload in text output [default: text if it is UTF-8, else hex].
    #[arg(long = "as", value_name = "FORMAT", requires = "reveal")]
    payload_format: Option<PayloadFormat>,
}

pub(crate) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    if arguments.reveal && !session.has_reason {
        let error = CliError::usage("--reveal needs a reason");
        return Err(error.remedy("give it with --reason TEXT; the server writes it to the audit record").into());
    }
    let (queue_name, id) = (arguments.queue.clone(), arguments.id.clone());
    let request = LettersGetRequest { queue_name, id, reveal: arguments.reveal };
    let shown = session.call(session.client.get_letter(&request)).await?;
    let mut out = session.out();
    match session.format {
        Format::Json => {
            let line = RecordLine::new(&shown, arguments.reveal);
            writeln!(out, "{}", serde_json::to_string(&line)?)?;
        }
        Format::Table => {
            let processor = processor(&arguments.queue, session).await?;
            // Before anything is printed: the payload may not have the requested format.
            let payload = match (&shown.content, arguments.reveal) {
                (Some(content), true) => Some(PayloadFormat::format(arguments.payload_format, &content.payload)?),
                _ => None,
            };
            text::print(&shown, &processor, &mut out)?;
            if let Some(payload) = payload {
                writeln!(out, "\nPAYLOAD\n{payload}")?;
            }
        }
    }
    Ok(out.flush()?)
}

/// Who retries the letters of the queue.
async fn processor(queue: &str, session: &Session) -> Result<Processor> {
    let request = LettersProcessRequest { queue_name: queue.to_owned(), ..LettersProcessRequest::default() };
    let known = async {
        match session.client.process_letters(&request).await {
            Err(error) if error.exact_reason() == Some("no_target") => Ok(Processor::NoTarget),
            answer => answer.map(Processor::Known),
        }
    };
    session.call(known).await
}
