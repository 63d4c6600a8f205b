//! Items in the order of their ids.

use redrive_core::{Ksuid, QueueName};
use redrive_model::{StoredItem, Which};
use redrive_proto::querator::{StorageItem, StorageItemsListRequest, StorageItemsListResponse};

use super::item::storage_item;
use crate::auth::Permission;
use crate::desk::Desk;
use crate::door::Endpoint;
use crate::fault::{Code, Fault};
use crate::queue::item_id;

const LIMIT: usize = 1_000;
/// So many are read at a time,
const PAGE: usize = 256;
/// and no more once the answer has this size: whoever wants the rest asks from the last id on.
const ANSWER_BYTES_MAX: usize = 64 << 20;

#[derive(Debug)]
pub(crate) struct ListItems;

impl Endpoint for ListItems {
    type Request = StorageItemsListRequest;
    type Answer = StorageItemsListResponse;

    const PATH: &'static str = "/v1/storage/items.list";
    const NEEDS: Permission = Permission::QueueStats;

    async fn call(desk: &Desk, request: StorageItemsListRequest) -> Result<StorageItemsListResponse, Fault> {
        list(desk, request, Which::Items).await
    }
}

#[derive(Debug)]
pub(crate) struct ListScheduled;

impl Endpoint for ListScheduled {
    type Request = StorageItemsListRequest;
    type Answer = StorageItemsListResponse;

    const PATH: &'static str = "/v1/storage/scheduled.list";
    const NEEDS: Permission = Permission::QueueStats;

    async fn call(desk: &Desk, request: StorageItemsListRequest) -> Result<StorageItemsListResponse, Fault> {
        list(desk, request, Which::Scheduled).await
    }
}

async fn list(desk: &Desk, request: StorageItemsListRequest, which: Which) -> Result<StorageItemsListResponse, Fault> {
    let queue = desk.queue(&request.queue_name, ListItems::NEEDS).await?;
    let pivot = if request.pivot.is_empty() { Ok(None) } else { item_id(&request.pivot).map(Some) };
    let pivot = desk.checked(&queue, Some(request.partition), pivot).await?;
    let partition = u32::try_from(request.partition).unwrap_or_default();
    let limit = usize::try_from(request.limit).ok().filter(|limit| *limit > 0).unwrap_or(LIMIT);
    let reveals = match desk.queue(&request.queue_name, Permission::LettersReveal).await {
        Ok(_) => true,
        Err(fault) if fault.code == Code::Forbidden => false,
        Err(fault) => return Err(fault),
    };
    let items =
        Pages { desk, queue, partition, which, reveals }.read(pivot.map(redrive_core::ItemId::ksuid), limit).await?;
    Ok(StorageItemsListResponse { items })
}

/// A list that is read piece by piece.
struct Pages<'d> {
    desk: &'d Desk,
    queue: QueueName,
    partition: u32,
    which: Which,
    /// Whether what letters carry is shown, and not only that they are there.
    reveals: bool,
}

impl Pages<'_> {
    async fn read(&self, mut pivot: Option<Ksuid>, limit: usize) -> Result<Vec<StorageItem>, Fault> {
        let mut items: Vec<StorageItem> = Vec::new();
        let mut bytes = 0;
        let mut is_first = true;
        loop {
            // Each page begins with the last item of the one before.
            let seen = usize::from(!is_first);
            let wanted = (limit - items.len() + seen).min(PAGE);
            let page = self.page(pivot, wanted).await?;
            let is_last = page.len() < wanted;
            pivot = page.last().map(|stored| stored.info.id.ksuid());
            let known = items.last().map(|item| item.id.clone());
            let is_new = |stored: &&StoredItem| known.as_ref().is_none_or(|known| *known != stored.info.id.to_string());
            let before = items.len();
            for stored in page.iter().filter(is_new).take(limit - before) {
                let mut item = storage_item(&stored.info, &stored.content);
                if stored.info.letter.is_some() && !self.reveals {
                    item.payload.clear();
                }
                bytes += item.payload.len();
                items.push(item);
            }
            is_first = false;
            if is_last || items.len() >= limit || bytes > ANSWER_BYTES_MAX || items.len() == before {
                return Ok(items);
            }
        }
    }

    async fn page(&self, pivot: Option<Ksuid>, limit: usize) -> Result<Vec<StoredItem>, Fault> {
        let list = redrive_model::ListItems {
            queue: self.queue.clone(),
            partition: self.partition,
            which: self.which,
            pivot,
            limit,
        };
        Ok(self.desk.store().items(list).await?)
    }
}
