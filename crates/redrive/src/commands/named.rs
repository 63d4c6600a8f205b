//! Items that a user names: by their ids, or by lines of stdin as `lease` and `items list` print them.

use anyhow::Result;
use redrive_client::proto::querator::QueuePartitionStats;
use serde::Deserialize;

use super::lines::{Line, Lines};
use crate::complaint::Complaint;
use crate::exit::Exit;
use crate::session::{Interrupt, Session};

/// So many go into one request.
const BATCH: usize = 1_000;

#[derive(Debug, clap::Args)]
pub(super) struct Named {
    pub(super) queue: String,
    /// The items. `-` reads them from stdin: an id a line, or an object as `lease --output json` prints it.
    #[arg(required = true, value_name = "ID")]
    ids: Vec<String>,
    /// The partition of items that are named by their id alone; needed if the queue has more than one.
    #[arg(long, value_name = "NUMBER")]
    partition: Option<i32>,
}

/// Items of one partition.
#[derive(Debug)]
pub(super) struct Batch {
    pub(super) partition: i32,
    pub(super) ids: Vec<String>,
}

/// What is read of a line; whatever else it says does not matter here.
#[derive(Debug, Deserialize)]
struct Reference {
    id: String,
    partition: Option<i32>,
}

impl Named {
    pub(super) fn batches<'s>(&'s self, session: &'s Session) -> Result<Batches<'s>> {
        let is_stdin = self.ids == ["-"];
        let given = |id: &String| Reference { id: id.clone(), partition: None };
        Ok(Batches {
            session,
            named: self,
            lines: if is_stdin { Some(Lines::of_stdin()?) } else { None },
            known: if is_stdin { Vec::new() } else { self.ids.iter().map(given).collect() },
            usual: self.partition,
        })
    }
}

#[derive(Debug)]
pub(super) struct Batches<'s> {
    session: &'s Session,
    named: &'s Named,
    lines: Option<Lines>,
    known: Vec<Reference>,
    /// The partition of items that say none, once it is known.
    usual: Option<i32>,
}

impl Batches<'_> {
    /// Items that go together: of one partition, in their order.
    pub(super) async fn next(&mut self) -> Result<Option<Batch>> {
        while self.known.is_empty() {
            let Some(lines) = &mut self.lines else { return Ok(None) };
            let Some(chunk) = self.session.interrupt.or(lines.next()).await else {
                return Err(Interrupt::complaint("interrupted").into());
            };
            let Some(chunk) = chunk else { return Ok(None) };
            self.known = chunk?.iter().filter(|line| !line.bytes.is_empty()).map(reference).collect::<Result<_>>()?;
        }
        if self.usual.is_none() && self.known.iter().any(|item| item.partition.is_none()) {
            self.usual = Some(self.only_partition().await?);
        }
        let of = |item: &Reference| item.partition.or(self.usual).unwrap_or_default();
        let partition = of(&self.known[0]);
        let count = self.known.iter().take(BATCH).take_while(|item| of(item) == partition).count();
        let ids = self.known.drain(..count).map(|item| item.id).collect();
        Ok(Some(Batch { partition, ids }))
    }

    /// The partition of a queue that has no other.
    async fn only_partition(&self) -> Result<i32> {
        let queue = &self.named.queue;
        let stats = self.session.ask(self.session.client.queue(queue).stats()).await?;
        if let [QueuePartitionStats { partition, .. }] = *stats.partitions {
            return Ok(partition);
        }
        let complaint =
            Complaint::usage(format!("queue '{queue}' has several partitions, and an id does not tell which"));
        Err(complaint.advise("say it with --partition NUMBER: lease and items list show it").into())
    }
}

/// Ids have no brackets, so a line that begins with one is an object.
fn reference(line: &Line) -> Result<Reference> {
    let text = std::str::from_utf8(&line.bytes).unwrap_or_default().trim();
    if !text.starts_with('{') {
        return Ok(Reference { id: text.to_owned(), partition: None });
    }
    serde_json::from_str(text).map_err(|_| {
        let what = format!("line {} is no item: it has no id", line.number);
        Complaint::new(Exit::Error, what)
            .advise("each line is an id, or an object as lease --output json prints it")
            .into()
    })
}
