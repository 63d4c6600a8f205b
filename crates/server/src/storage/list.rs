//! Items in the order of their ids.

use redrive_core::{ItemId, Ksuid, QueueName};
use redrive_model::{StoredItem, Which};
use redrive_proto::querator::{StorageItem, StorageItemsListRequest, StorageItemsListResponse};

use super::item::storage_item;
use crate::auth::Permission;
use crate::desk::Desk;
use crate::door::Endpoint;
use crate::fault::{Code, Fault};
use crate::paging::{self, ListPage};
use crate::queue::item_id;

/// So many are read at a time.
const AT_ONCE: usize = 256;

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

#[derive(Debug)]
pub(crate) struct ListDamaged;

impl Endpoint for ListDamaged {
    type Request = StorageItemsListRequest;
    type Answer = StorageItemsListResponse;

    const PATH: &'static str = "/v1/storage/damaged.list";
    const NEEDS: Permission = Permission::QueueStats;

    async fn call(desk: &Desk, request: StorageItemsListRequest) -> Result<StorageItemsListResponse, Fault> {
        list(desk, request, Which::Damaged).await
    }
}

async fn list(desk: &Desk, request: StorageItemsListRequest, which: Which) -> Result<StorageItemsListResponse, Fault> {
    let queue = desk.queue(&request.queue_name, ListItems::NEEDS).await?;
    let pivot = if request.pivot.is_empty() { Ok(None) } else { item_id(&request.pivot).map(Some) };
    let checked = pivot.and_then(|pivot| Ok((pivot, paging::limit(request.limit, paging::LIMIT)?)));
    let (pivot, limit) = desk.checked(&queue, Some(request.partition), checked).await?;
    let partition = u32::try_from(request.partition).unwrap_or_default();
    let reveals = match desk.queue(&request.queue_name, Permission::LettersReveal).await {
        Ok(_) => true,
        Err(fault) if fault.code == Code::Forbidden => false,
        Err(fault) => return Err(fault),
    };
    let items = Pages { desk, queue, partition, which, reveals }.read(pivot.map(ItemId::ksuid), limit).await?;
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
        let mut page = ListPage::new(limit);
        let (first, mut last) = (pivot, None);
        loop {
            // Each piece begins with the last item of the one before, if that is still there. It may be short and not the
            // last one, where items are large.
            let seen = usize::from(last.is_some());
            let piece = self.piece(pivot, (page.room() + seen).min(AT_ONCE)).await?;
            let before = page.len();
            for stored in &piece {
                let item = || self.shown(stored);
                match stored.info.id {
                    id if Some(id) == last || page.room() == 0 => {}
                    id if Some(id.ksuid()) == first => page.push_pivot(item()),
                    _ => page.push(item()),
                }
            }
            if page.len() == before || page.room() == 0 {
                return Ok(page.into_entries());
            }
            last = piece.last().map(|stored| stored.info.id);
            pivot = last.map(ItemId::ksuid);
        }
    }

    fn shown(&self, stored: &StoredItem) -> StorageItem {
        let mut item = storage_item(&stored.info, &stored.content);
        if stored.info.letter.is_some() && !self.reveals {
            item.payload.clear();
        }
        item
    }

    async fn piece(&self, pivot: Option<Ksuid>, limit: usize) -> Result<Vec<StoredItem>, Fault> {
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
