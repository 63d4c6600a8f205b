//! `redrive items import`.

use std::path::PathBuf;

use anyhow::Result;
use redrive_client::proto::prost::Message;
use redrive_client::proto::querator::{StorageItem, StorageItemsImportRequest};
use serde_json::json;

use super::item_line::{ItemLine, State};
use crate::cli_error::CliError;
use crate::commands::lines::{Line, Lines};
use crate::console::{Progress, items, say};
use crate::exit::Exit;
use crate::session::{Interrupt, Session};
use crate::values::{at_least, file_to_read};

const ITEMS_MAX: usize = 1_000;
/// The maximum size of a request, well below the limit of the server: the response contains all items again.
const BYTES_MAX: usize = 16_000_000;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive items import orders --file orders.jsonl
  redrive items import orders --file orders.jsonl --skip-lines 3000")]
pub(crate) struct Arguments {
    /// Queue name.
    queue: String,
    /// Read from this file instead of stdin.
    #[arg(long, value_name = "FILE", value_parser = file_to_read())]
    file: Option<PathBuf>,
    /// Import all items into this partition [default: the partition of the export].
    #[arg(long, value_name = "NUMBER", value_parser = at_least(0))]
    partition: Option<i32>,
    /// Skip this number of lines at the beginning, to continue an import.
    #[arg(long, value_name = "COUNT", default_value_t = 0, hide_default_value = true, value_parser = at_least(0_u64))]
    skip_lines: u64,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let partitions = match arguments.partition {
        Some(_) => 1,
        None => session.call(session.client.queue(&arguments.queue).stats()).await?.partitions.len().max(1),
    };
    let lines = Lines::of(arguments.file.as_deref())?;
    let mut import = Import {
        session,
        arguments,
        partitions: i32::try_from(partitions)?,
        partition: 0,
        items: Vec::new(),
        bytes: 0,
        lines_in: arguments.skip_lines,
        imported: 0,
        skipped: 0,
        progress: Progress::new("items", None),
    };
    let outcome = import.all(lines).await;
    let Import { lines_in, imported, skipped, .. } = import;
    if let Err(error) = outcome {
        say(format_args!("imported the lines up to {lines_in}; continue with --skip-lines {lines_in}"));
        return Err(error);
    }
    let message = format!("imported {} into '{}', skipped {skipped}", items(imported), arguments.queue);
    session.report(&message, &json!({ "queue_name": arguments.queue, "imported": imported, "skipped": skipped }))
}

struct Import<'s> {
    session: &'s Session,
    arguments: &'s Arguments,
    partitions: i32,
    /// The partition of the collected items.
    partition: i32,
    items: Vec<StorageItem>,
    bytes: usize,
    /// The number of the last line that the server has confirmed.
    lines_in: u64,
    imported: u64,
    skipped: u64,
    progress: Progress,
}

impl Import<'_> {
    async fn all(&mut self, mut lines: Lines) -> Result<()> {
        while let Some(chunk) = lines.next(&self.session.interrupt).await? {
            for line in chunk {
                if line.number > self.arguments.skip_lines {
                    self.push(&line).await?;
                }
            }
        }
        self.send().await
    }

    /// Adds the item of a line. Lines are sent in order, so that one line number describes the progress.
    async fn push(&mut self, line: &Line) -> Result<()> {
        let (partition, item) = self.item(line)?;
        let size = item.encoded_len();
        let is_full = self.items.len() >= ITEMS_MAX || self.bytes + size > BYTES_MAX;
        if is_full || partition != self.partition {
            self.send().await?;
        }
        self.partition = partition;
        self.bytes += size;
        self.items.push(item);
        Ok(())
    }

    /// Parses a line. The item goes to the partition of the export, modulo the number of partitions.
    fn item(&self, line: &Line) -> Result<(i32, StorageItem)> {
        // Only the column of a parse error is printed: its text may contain a part of a payload.
        let invalid = |problem: String| {
            CliError::new(Exit::Error, format!("line {} is not an item: {problem}", line.number))
                .remedy("each line must be an object as redrive items export writes it; docs/cli.md lists its fields")
        };
        let read = serde_json::from_slice::<ItemLine>(&line.bytes);
        let read = read.map_err(|error| invalid(format!("error at column {}", error.column())))?;
        if read.state == State::Damaged {
            return Err(invalid("it is the readable part of a damaged item".to_owned()).into());
        }
        let partition = self.arguments.partition.unwrap_or_else(|| read.partition.rem_euclid(self.partitions));
        let item = read.into_item().ok_or_else(|| invalid("it has an invalid payload or two payloads".to_owned()))?;
        Ok((partition, item))
    }

    async fn send(&mut self) -> Result<()> {
        if self.session.interrupt.is_raised() {
            return Err(Interrupt::error("interrupted").into());
        }
        self.bytes = 0;
        let items = std::mem::take(&mut self.items);
        let count = items.len();
        if count == 0 {
            return Ok(());
        }
        let queue_name = self.arguments.queue.clone();
        let request = StorageItemsImportRequest { queue_name, partition: self.partition, items };
        let answer = self.session.call_to_end(self.session.client.import_items(&request)).await?;
        // An item that was skipped has no id in the response.
        let imported = answer.items.iter().filter(|item| !item.id.is_empty()).count();
        self.imported += u64::try_from(imported)?;
        self.skipped += u64::try_from(count.saturating_sub(imported))?;
        self.lines_in += u64::try_from(count)?;
        self.progress.add(count);
        Ok(())
    }
}
