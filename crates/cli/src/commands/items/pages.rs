//! All items of a queue, a page at a time.

use anyhow::Result;
use redrive_client::proto::querator::{StorageItem, StorageItemsListRequest};

use crate::cli_error::CliError;
use crate::exit::Exit;
use crate::session::Session;

const PAGE: i32 = 1_000;

/// A list of items that the server offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ItemList {
    /// Ready and leased items.
    Items,
    Scheduled,
    /// Items with damaged records.
    Damaged,
}

/// Some items of one partition, in the order of their ids.
#[derive(Debug)]
pub(super) struct Page {
    /// The partition and its list.
    pub(super) list: (i32, ItemList),
    pub(super) items: Vec<StorageItem>,
}

#[derive(Debug)]
pub(super) struct Pages<'s> {
    session: &'s Session,
    queue: &'s str,
    /// The lists to read, in reverse order: the last one is being read.
    lists: Vec<(i32, ItemList)>,
    /// The id of the last item of the previous page. The next page begins with it.
    last: String,
    /// The number of items at the start, without damaged ones.
    pub(super) total: u64,
    /// The number of damaged items at the start.
    pub(super) damaged: u64,
}

impl<'s> Pages<'s> {
    /// The pages of the given lists, of one partition or of all.
    pub(super) async fn new(
        session: &'s Session,
        queue: &'s str,
        partition: Option<i32>,
        item_lists: &[ItemList],
    ) -> Result<Self> {
        // The statistics have the existing partitions; the settings only have the requested number.
        let stats = session.call(session.client.queue(queue).stats()).await?;
        let is_selected = |number: i32| partition.is_none_or(|partition| partition == number);
        let partitions: Vec<_> = stats.partitions.iter().filter(|part| is_selected(part.partition)).collect();
        if partitions.is_empty() {
            let message = format!("queue '{queue}' has no such partition");
            let remedy = format!("list its partitions with: redrive queue stats {queue}");
            return Err(CliError::new(Exit::NotFound, message).remedy(remedy).into());
        }
        let total = partitions.iter().map(|part| i64::from(part.total) + i64::from(part.scheduled)).sum::<i64>();
        let damaged = partitions.iter().map(|part| u64::from(part.damaged.unsigned_abs())).sum();
        let lists = partitions.iter().flat_map(|part| item_lists.iter().map(|list| (part.partition, *list)));
        let mut lists: Vec<_> = lists.collect();
        lists.reverse();
        Ok(Self { session, queue, lists, last: String::new(), total: total.unsigned_abs(), damaged })
    }

    pub(super) async fn next(&mut self) -> Result<Option<Page>> {
        while let Some((partition, list)) = self.lists.last().copied() {
            let request = StorageItemsListRequest {
                queue_name: self.queue.to_owned(),
                partition,
                pivot: self.last.clone(),
                limit: PAGE,
                ..StorageItemsListRequest::default()
            };
            let client = &self.session.client;
            let answer = match list {
                ItemList::Items => self.session.call(client.list_items(&request)).await?,
                ItemList::Scheduled => self.session.call(client.list_scheduled(&request)).await?,
                ItemList::Damaged => self.session.call(client.list_damaged(&request)).await?,
            };
            let mut items = answer.items;
            items.retain(|item| item.id != self.last);
            // Only an empty page is the last one: large items shorten pages.
            let Some(item) = items.last() else {
                self.lists.pop();
                self.last.clear();
                continue;
            };
            self.last.clone_from(&item.id);
            return Ok(Some(Page { list: (partition, list), items }));
        }
        Ok(None)
    }
}
