//! All items of a queue, a page at a time.

use anyhow::Result;
use redrive_client::proto::querator::{StorageItem, StorageItemsListRequest};

use crate::complaint::Complaint;
use crate::exit::Exit;
use crate::session::Session;

const PAGE: i32 = 1_000;

/// A list of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    /// Ready and leased ones.
    Items,
    Scheduled,
    /// Those whose records are damaged.
    Damaged,
}

/// Some items of one partition, in the order of their ids.
#[derive(Debug)]
pub(super) struct Page {
    /// The partition, and which of its lists.
    pub(super) list: (i32, Which),
    pub(super) items: Vec<StorageItem>,
}

#[derive(Debug)]
pub(super) struct Pages<'s> {
    session: &'s Session,
    queue: &'s str,
    /// The lists that are still to be read; the last one is read now.
    lists: Vec<(i32, Which)>,
    /// The id of the last item that was seen; with it the next page begins.
    last: String,
    /// How many items there were when this was begun.
    pub(super) total: u64,
    /// How many more are damaged.
    pub(super) damaged: u64,
}

impl<'s> Pages<'s> {
    /// Of all partitions, or of one; all of its lists, or one.
    pub(super) async fn new(
        session: &'s Session,
        queue: &'s str,
        partition: Option<i32>,
        which: &[Which],
    ) -> Result<Self> {
        // The settings tell how many partitions were asked for; the numbers tell which there are.
        let stats = session.ask(session.client.queue(queue).stats()).await?;
        let wanted = |number: i32| partition.is_none_or(|partition| partition == number);
        let partitions: Vec<_> = stats.partitions.iter().filter(|part| wanted(part.partition)).collect();
        if partitions.is_empty() {
            let what = format!("queue '{queue}' has no such partition");
            let advice = format!("look at them with: redrive queue stats {queue}");
            return Err(Complaint::new(Exit::NotFound, what).advise(advice).into());
        }
        let total = partitions.iter().map(|part| i64::from(part.total) + i64::from(part.scheduled)).sum::<i64>();
        let damaged = partitions.iter().map(|part| u64::from(part.damaged.unsigned_abs())).sum();
        let lists = partitions.iter().flat_map(|part| which.iter().map(|which| (part.partition, *which)));
        let mut lists: Vec<_> = lists.collect();
        lists.reverse();
        Ok(Self { session, queue, lists, last: String::new(), total: total.unsigned_abs(), damaged })
    }

    pub(super) async fn next(&mut self) -> Result<Option<Page>> {
        while let Some((partition, which)) = self.lists.last().copied() {
            let request = StorageItemsListRequest {
                queue_name: self.queue.to_owned(),
                partition,
                pivot: self.last.clone(),
                limit: PAGE,
            };
            let client = &self.session.client;
            let answer = match which {
                Which::Items => self.session.ask(client.list_items(&request)).await?,
                Which::Scheduled => self.session.ask(client.list_scheduled(&request)).await?,
                Which::Damaged => self.session.ask(client.list_damaged(&request)).await?,
            };
            let mut items = answer.items;
            items.retain(|item| item.id != self.last);
            // A short page is not the last one: large items make pages short.
            let Some(item) = items.last() else {
                self.lists.pop();
                self.last.clear();
                continue;
            };
            self.last.clone_from(&item.id);
            return Ok(Some(Page { list: (partition, which), items }));
        }
        Ok(None)
    }
}
