//! `redrive letters capture`: reads payloads and captures them as letters.

use std::path::PathBuf;

use anyhow::Result;

use super::batch::Batch;
use super::letter_options::LetterOptions;
use crate::cli_error::CliError;
use crate::commands::lines::Lines;
use crate::commands::payload::read_file;
use crate::console::{letters, say};
use crate::session::Session;
use crate::values::file_to_read;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive letters capture failed '{\"order\": 17}' --source-id order-17 --error 'HTTP 503 Service Unavailable'
  redrive letters capture failed '{}' --error 'no answer' --code GATEWAY_DOWN --cause 'connection reset by peer'
  redrive letters capture failed --file order.bin --source-id order-18 --type TimeoutError --max-retries 5
  redrive letters capture failed '{\"order\": 17}' --http 503 --metadata tenant=acme --metadata-json '{\"amount\": 250}'
  redrive letters capture failed --source-id import-7 --error 'no such customer' < rejected.jsonl")]
pub(crate) struct Arguments {
    /// Queue name.
    queue: String,
    /// Payload of one letter. Without a payload and without --file, each line of stdin is the payload of a letter.
    #[arg(conflicts_with = "file")]
    payload: Option<String>,
    /// File with the payload of one letter, read byte for byte.
    #[arg(long, value_name = "FILE", value_parser = file_to_read())]
    file: Option<PathBuf>,
    #[command(flatten)]
    letter: LetterOptions,
}

pub(crate) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let is_one = arguments.payload.is_some() || arguments.file.is_some();
    if arguments.letter.names_message() && !is_one {
        let error = CliError::usage("--offset and --message-id identify one message, but stdin may have several");
        return Err(error.remedy("give the payload as an argument, or with --file").into());
    }
    let mut batch = Batch::new(session, &arguments.queue, &arguments.letter);
    let sent = arguments.send_all(&mut batch).await;
    let done = batch.done;
    // If the first request was rejected, there is nothing to print, not even a header.
    if sent.is_ok() || done > 0 {
        batch.output.finish()?;
    }
    if sent.is_err() && !is_one {
        say(format_args!("captured {} in '{}': the first lines of the input", letters(done), arguments.queue));
    }
    sent
}

impl Arguments {
    async fn send_all(&self, batch: &mut Batch<'_>) -> Result<()> {
        let source_id = self.letter.source_id();
        if let Some(payload) = &self.payload {
            batch.push(source_id, payload.clone().into()).await?;
        } else if let Some(file) = &self.file {
            batch.push(source_id, read_file(file)?.into()).await?;
        } else {
            return send_lines(batch, &source_id).await;
        }
        batch.send().await
    }
}

/// Captures each line of stdin. The source id of a letter contains the line number: the same lines, captured again, create
/// no second letters.
async fn send_lines(batch: &mut Batch<'_>, source_id: &str) -> Result<()> {
    let mut lines = Lines::of_stdin()?;
    while let Some(chunk) = lines.next(&batch.session.interrupt).await? {
        for line in chunk {
            batch.push(format!("{source_id}-{}", line.number), line.bytes.into()).await?;
        }
        // A slow producer: send the lines that are complete.
        if lines.is_idle() {
            batch.send().await?;
        }
    }
    batch.send().await
}
