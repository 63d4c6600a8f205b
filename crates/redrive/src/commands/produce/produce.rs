//! Where payloads come from.

use std::path::PathBuf;

use anyhow::Result;
use serde_json::json;

use super::batch::Batch;
use super::item::ItemOptions;
use crate::commands::lines::Lines;
use crate::commands::payload::read_file;
use crate::complaint::Complaint;
use crate::console::{items, say};
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive produce orders '{\"order\": 17}' --kind order --encoding json
  redrive produce orders --file order.bin --message-id order-17
  redrive produce orders < orders.jsonl")]
pub(crate) struct Arguments {
    queue: String,
    /// The payload of one item. Without it and without --file, each line of stdin is one.
    #[arg(conflicts_with = "file")]
    payload: Option<String>,
    /// A file that is the payload of one item, byte for byte; may be given again.
    #[arg(long, value_name = "FILE")]
    file: Vec<PathBuf>,
    #[command(flatten)]
    item: ItemOptions,
    /// How many items go into one request at most.
    #[arg(long, value_name = "COUNT", default_value_t = 1000, value_parser = clap::value_parser!(u16).range(1..))]
    batch: u16,
}

pub(crate) async fn run(arguments: &Arguments, session: Session) -> Result<()> {
    let is_one = arguments.payload.is_some() || arguments.file.len() == 1;
    if arguments.item.message_id.is_some() && !is_one {
        let complaint = Complaint::usage("a message id is the id of one item, and there may be several");
        return Err(complaint.advise("give the payload as an argument or as one --file").into());
    }
    let queue = session.client.queue(&arguments.queue);
    let mut batch = Batch::new(&session, queue, &arguments.item, usize::from(arguments.batch));
    let sent = arguments.send_all(&mut batch).await;
    let (done, duplicates) = (batch.progress.done(), batch.duplicates);
    drop(batch);
    if let Err(error) = sent {
        if !is_one {
            say(format_args!("put {} into '{}', the first ones of the input", items(done), arguments.queue));
        }
        return Err(error);
    }
    let there = if duplicates > 0 { format!(", {duplicates} of them already there") } else { String::new() };
    let data = json!({ "queue_name": arguments.queue, "produced": done, "duplicates": duplicates });
    session.report(&format!("put {} into '{}'{there}", items(done), arguments.queue), &data)
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
    loop {
        let Some(chunk) = batch.session.interrupt.or(lines.next()).await else { return Err(batch.interrupted()) };
        let Some(chunk) = chunk else { return Ok(()) };
        for line in chunk? {
            batch.push(line.bytes.into()).await?;
        }
        // Whoever writes slowly wants each line to go out.
        if lines.is_idle() {
            batch.send().await?;
        }
    }
}
