//! The items of a command: ids as arguments, or lines of stdin in the format that `lease` and `items list` print.

use anyhow::Result;
use redrive_client::proto::querator::QueuePartitionStats;
use serde::Deserialize;

use super::lines::{Line, Lines};
use crate::cli_error::CliError;
use crate::exit::Exit;
use crate::session::Session;
use crate::values::at_least;

/// The maximum number of ids per request.
const BATCH: usize = 1_000;

#[derive(Debug, clap::Args)]
pub(super) struct ItemSelection {
    /// Queue name.
    pub(super) queue: String,
    /// Item ids. With -, they are read from stdin: one id per line, or one object as lease --output json prints it.
    #[arg(required = true, value_name = "ID")]
    ids: Vec<String>,
    /// Partition of items that are given by id only. Required if the queue has more than one.
    #[arg(long, value_name = "NUMBER", value_parser = at_least(0))]
    partition: Option<i32>,
}

/// Items of one partition.
#[derive(Debug)]
pub(super) struct Batch {
    pub(super) partition: i32,
    pub(super) ids: Vec<String>,
}

/// The fields that are read from a line; others are ignored.
#[derive(Debug, Deserialize)]
struct Reference {
    id: String,
    partition: Option<i32>,
}

impl ItemSelection {
    /// All items, in batches, before the first of them is used: for a command that must know their number.
    pub(super) async fn read_all(&self, session: &Session) -> Result<Vec<Batch>> {
        let mut batches = self.batches(session)?;
        let mut all = Vec::new();
        while let Some(batch) = batches.next().await? {
            all.push(batch);
        }
        Ok(all)
    }

    pub(super) fn batches<'s>(&'s self, session: &'s Session) -> Result<Batches<'s>> {
        let is_stdin = self.ids == ["-"];
        let given = |id: &String| Reference { id: id.clone(), partition: None };
        Ok(Batches {
            session,
            selection: self,
            lines: if is_stdin { Some(Lines::of_stdin()?) } else { None },
            pending: if is_stdin { Vec::new() } else { self.ids.iter().map(given).collect() },
            default_partition: self.partition,
        })
    }
}

#[derive(Debug)]
pub(super) struct Batches<'s> {
    session: &'s Session,
    selection: &'s ItemSelection,
    lines: Option<Lines>,
    /// Items that were read and are not yet in a batch.
    pending: Vec<Reference>,
    /// The partition of items without one, as soon as it is known.
    default_partition: Option<i32>,
}

impl Batches<'_> {
    /// The next items of one partition, in order.
    pub(super) async fn next(&mut self) -> Result<Option<Batch>> {
        while self.pending.is_empty() {
            let Some(lines) = &mut self.lines else { return Ok(None) };
            let Some(chunk) = lines.next(&self.session.interrupt).await? else { return Ok(None) };
            self.pending = chunk.iter().filter(|line| !line.bytes.is_empty()).map(reference).collect::<Result<_>>()?;
        }
        if self.default_partition.is_none() && self.pending.iter().any(|item| item.partition.is_none()) {
            self.default_partition = Some(self.only_partition().await?);
        }
        let of = |item: &Reference| item.partition.or(self.default_partition).unwrap_or_default();
        let partition = of(&self.pending[0]);
        let count = self.pending.iter().take(BATCH).take_while(|item| of(item) == partition).count();
        let ids = self.pending.drain(..count).map(|item| item.id).collect();
        Ok(Some(Batch { partition, ids }))
    }

    /// The only partition of the queue. Fails if there are several.
    async fn only_partition(&self) -> Result<i32> {
        let queue = &self.selection.queue;
        let stats = self.session.call(self.session.client.queue(queue).stats()).await?;
        if let [QueuePartitionStats { partition, .. }] = *stats.partitions {
            return Ok(partition);
        }
        let error = CliError::usage(format!("queue '{queue}' has several partitions, and an id does not name one"));
        Err(error.remedy("set it with --partition NUMBER; lease and items list show it").into())
    }
}

/// An id has no brackets, so a line that begins with one is an object.
fn reference(line: &Line) -> Result<Reference> {
    let text = std::str::from_utf8(&line.bytes).unwrap_or_default().trim();
    if !text.starts_with('{') {
        return Ok(Reference { id: text.to_owned(), partition: None });
    }
    serde_json::from_str(text).map_err(|_| {
        let what = format!("line {} is not an item: it has no id", line.number);
        CliError::new(Exit::Error, what)
            .remedy("each line must be an id, or an object as lease --output json prints it")
            .into()
    })
}
