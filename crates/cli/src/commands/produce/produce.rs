//! `redrive produce`: reads payloads and puts them into a queue.

use std::path::PathBuf;

use anyhow::Result;
use serde_json::json;

use super::batch::Batch;
use super::item_options::ItemOptions;
use crate::cli_error::CliError;
use crate::commands::lines::Lines;
use crate::commands::payload::read_file;
use crate::console::{items, say};
use crate::session::Session;
use crate::values::{file_to_read, within};

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive produce orders '{\"order\": 17}' --kind order --encoding json
  redrive produce orders --file order.bin --message-id order-17
  redrive produce orders < orders.jsonl")]
pub(crate) struct Arguments {
    /// Queue name.
    queue: String,
    /// Payload of one item. Without a payload and without --file, each line of stdin is the payload of an item.
    #[arg(conflicts_with = "file")]
    payload: Option<String>,
    /// File with the payload of one item, read byte for byte. Repeatable.
    #[arg(long, value_name = "FILE", value_parser = file_to_read())]
    file: Vec<PathBuf>,
    #[command(flatten)]
    item: ItemOptions,
    /// Maximum items per request, 1 to 65535.
    #[arg(long, value_name = "COUNT", default_value_t = 1000, value_parser = within(1..=u16::MAX))]
    batch: u16,
}

pub(crate) async fn run(arguments: &Arguments, session: Session) -> Result<()> {
    let is_one = arguments.payload.is_some() || arguments.file.len() == 1;
    if arguments.item.message_id.is_some() && !is_one {
        let error = CliError::usage("--message-id identifies one item, but the input may have several");
        return Err(error.remedy("give the payload as an argument, or with one --file").into());
    }
    let mut batch = Batch::new(&session, &arguments.queue, &arguments.item, usize::from(arguments.batch));
    let sent = arguments.send_all(&mut batch).await;
    let (done, duplicates) = (batch.progress.done(), batch.duplicates);
    drop(batch);
    if let Err(error) = sent {
        if !is_one {
            say(format_args!("put {} into '{}': the first items of the input", items(done), arguments.queue));
        }
        return Err(error);
    }
    let queue = &arguments.queue;
    let data = json!({ "queue_name": queue, "produced": done, "duplicates": duplicates });
    let message = match duplicates {
        0 => format!("put {} into '{queue}'", items(done)),
        // Only one item has a message id.
        _ => format!("nothing was stored: '{queue}' has, or remembers, an item with this message id"),
    };
    session.report(&message, &data)
}

impl Arguments {
    async fn send_all(&self, batch: &mut Batch<'_>) -> Result<()> {
        if let Some(payload) = &self.payload {
            batch.push(payload.clone().into()).await?;
        } else if self.file.is_empty() {
            send_lines(batch).await?;
        }
        for file in &self.file {
            batch.push(read_file(file)?.into()).await?;
        }
        batch.send().await
    }
}

async fn send_lines(batch: &mut Batch<'_>) -> Result<()> {
    let mut lines = Lines::of_stdin()?;
    while let Some(chunk) = lines.next(&batch.session.interrupt).await? {
        for line in chunk {
            batch.push(line.bytes.into()).await?;
        }
        // A slow producer: send the lines that are complete.
        if lines.is_idle() {
            batch.send().await?;
        }
    }
    Ok(())
}
