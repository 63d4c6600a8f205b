//! `redrive items import`.

use std::path::PathBuf;

use anyhow::Result;
use redrive_client::proto::prost::Message;
use redrive_client::proto::querator::{StorageItem, StorageItemsImportRequest};
use serde_json::json;

use super::item_line::{ItemLine, State};
use crate::commands::lines::{Line, Lines};
use crate::complaint::Complaint;
use crate::console::{Progress, items, say};
use crate::exit::Exit;
use crate::session::{Interrupt, Session};

const ITEMS_MAX: usize = 1_000;
/// Far below what a server takes: its answer has all of it again.
const BYTES_MAX: usize = 16_000_000;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive items import orders --file orders.jsonl
  redrive items import orders --file orders.jsonl --skip-lines 3000")]
pub(crate) struct Arguments {
    queue: String,
    /// A file, in place of stdin.
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Put all into this partition, in place of the one that they were in.
    #[arg(long, value_name = "NUMBER")]
    partition: Option<i32>,
    /// Pass over so many lines at the beginning, which are in already.
    #[arg(long, value_name = "COUNT", default_value_t = 0, hide_default_value = true)]
    skip_lines: u64,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let partitions = match arguments.partition {
        Some(_) => 1,
        None => session.ask(session.client.queue(&arguments.queue).stats()).await?.partitions.len().max(1),
    };
    let lines = match &arguments.file {
        None => Lines::of_stdin()?,
        Some(file) => Lines::of_file(file)?,
    };
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
        say(format_args!(
            "the lines up to {lines_in} are in for certain; go on after them with --skip-lines {lines_in}"
        ));
        return Err(error);
    }
    let told = format!("put {} into '{}', passed over {skipped}", items(imported), arguments.queue);
    session.report(&told, &json!({ "queue_name": arguments.queue, "imported": imported, "skipped": skipped }))
}

struct Import<'s> {
    session: &'s Session,
    arguments: &'s Arguments,
    partitions: i32,
    /// Where the items go that are held.
    partition: i32,
    items: Vec<StorageItem>,
    bytes: usize,
    /// The number of the last line that is in for certain.
    lines_in: u64,
    imported: u64,
    skipped: u64,
    progress: Progress,
}

impl Import<'_> {
    async fn all(&mut self, mut lines: Lines) -> Result<()> {
        while let Some(chunk) = self.session.interrupt.or(lines.next()).await.ok_or_else(interrupted)? {
            for line in chunk? {
                if line.number > self.arguments.skip_lines {
                    self.push(&line).await?;
                }
            }
        }
        self.send().await
    }

    /// Lines stay in their order, so that one number says how far it came.
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

    /// What a line is, and where it goes: to its own partition, if there is one like it.
    fn item(&self, line: &Line) -> Result<(i32, StorageItem)> {
        // The text of the parser's error may have a piece of a payload in it.
        let wrong = |place: String| {
            Complaint::new(Exit::Error, format!("line {} is no item{place}", line.number))
                .advise("each line is one object as `redrive items export` writes it; docs/cli.md has its fields")
        };
        let read = serde_json::from_slice::<ItemLine>(&line.bytes);
        let read = read.map_err(|error| wrong(format!(", which shows at column {}", error.column())))?;
        if read.state == State::Damaged {
            return Err(wrong(": what it was is damaged, and this is only what is left of it".to_owned()).into());
        }
        let partition = self.arguments.partition.unwrap_or_else(|| read.partition.rem_euclid(self.partitions));
        let item = read.into_item().ok_or_else(|| wrong(": its payload is not what its field says".to_owned()))?;
        Ok((partition, item))
    }

    async fn send(&mut self) -> Result<()> {
        if self.session.interrupt.is_raised() {
            return Err(interrupted().into());
        }
        self.bytes = 0;
        let items = std::mem::take(&mut self.items);
        let count = items.len();
        if count == 0 {
            return Ok(());
        }
        let queue_name = self.arguments.queue.clone();
        let request = StorageItemsImportRequest { queue_name, partition: self.partition, items };
        let answer = self.session.finish(self.session.client.import_items(&request)).await?;
        // What was not taken has no id.
        let imported = answer.items.iter().filter(|item| !item.id.is_empty()).count();
        self.imported += u64::try_from(imported)?;
        self.skipped += u64::try_from(count.saturating_sub(imported))?;
        self.lines_in += u64::try_from(count)?;
        self.progress.add(count);
        Ok(())
    }
}

fn interrupted() -> Complaint {
    Interrupt::complaint("interrupted")
}
