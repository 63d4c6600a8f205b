//! List items in the order of their ids.

use redrive_core::{ItemId, Ksuid, QueueName};
use redrive_model::{ItemListKind, StoredItem};
use redrive_proto::querator::{StorageItem, StorageItemsListRequest, StorageItemsListResponse};

use super::item::{extended_item, storage_item};
use crate::api_error::{ApiError, Code};
use crate::auth::Permission;
use crate::http::Endpoint;
use crate::paging::{self, ListPage};
use crate::problems::Problems;
use crate::queue::item_id;
use crate::request_context::RequestContext;

/// Maximum number of items that one read of the store returns.
const BATCH: usize = 256;

/// Defines a call that lists the items of one kind.
macro_rules! list_call {
    ($Call:ident, $path:literal, $kind:ident) => {
        pub(crate) struct $Call;

        impl Endpoint for $Call {
            type Request = StorageItemsListRequest;
            type Answer = StorageItemsListResponse;

            const PATH: &'static str = $path;
            const NEEDS: Permission = Permission::QueueStats;

            async fn call(
                ctx: &RequestContext,
                request: StorageItemsListRequest,
            ) -> Result<StorageItemsListResponse, ApiError> {
                list(ctx, request, ItemListKind::$kind).await
            }
        }
    };
}

list_call!(ListItems, "/v1/storage/items.list", Items);
list_call!(ListScheduled, "/v1/storage/scheduled.list", Scheduled);
list_call!(ListDamaged, "/v1/storage/damaged.list", Damaged);

async fn list(
    ctx: &RequestContext,
    request: StorageItemsListRequest,
    which: ItemListKind,
) -> Result<StorageItemsListResponse, ApiError> {
    let mut problems = Problems::default();
    let pivot = Some(&request.pivot).filter(|pivot| !pivot.is_empty()).map(|pivot| item_id(pivot)).transpose();
    let pivot = problems.field("pivot", pivot);
    let limit = problems.field("limit", paging::limit(request.limit, paging::LIMIT));
    let checked = problems.finish((pivot, limit));
    let queue = ctx.queue(&request.queue_name, ListItems::NEEDS).await;
    let queue = queue.map_err(|error| error.with_problems_of(&checked))?;
    let (pivot, limit) = ctx.checked(&queue, Some(request.partition), checked).await?;
    let partition = u32::try_from(request.partition).unwrap_or_default();
    let which = if which == ItemListKind::Items && request.extended { ItemListKind::All } else { which };
    let reveals = match ctx.queue(&request.queue_name, Permission::LettersReveal).await {
        Ok(_) => true,
        Err(error) if error.code == Code::Forbidden => false,
        Err(error) => return Err(error),
    };
    let list = BatchedList { ctx, queue, partition, which, reveals };
    Ok(StorageItemsListResponse { items: list.read(pivot.map(ItemId::ksuid), limit).await? })
}

/// A list that is read from the store in batches.
struct BatchedList<'d> {
    ctx: &'d RequestContext,
    queue: QueueName,
    partition: u32,
    which: ItemListKind,
    /// Whether the payloads, keys and headers of letters are shown.
    reveals: bool,
}

impl BatchedList<'_> {
    async fn read(&self, mut pivot: Option<Ksuid>, limit: usize) -> Result<Vec<StorageItem>, ApiError> {
        let mut page = ListPage::new(limit);
        let (first, mut last) = (pivot, None);
        loop {
            // Each batch begins with the last item of the previous one, if it still exists. A batch of large items may
            // be shorter than its limit and yet not the last one.
            let seen = usize::from(last.is_some());
            let batch = self.batch(pivot, (page.remaining() + seen).min(BATCH)).await?;
            let before = page.len();
            for stored in &batch {
                let item = || self.visible(stored);
                match stored.info.id {
                    id if Some(id) == last || page.remaining() == 0 => {}
                    id if Some(id.ksuid()) == first => page.push_pivot(item()),
                    _ => page.push(item()),
                }
            }
            if page.len() == before || page.remaining() == 0 {
                return Ok(page.into_entries());
            }
            last = batch.last().map(|stored| stored.info.id);
            pivot = last.map(ItemId::ksuid);
        }
    }

    /// The item as this caller may see it.
    fn visible(&self, stored: &StoredItem) -> StorageItem {
        let mut item = match self.which {
            ItemListKind::All => extended_item(&stored.info, &stored.content),
            ItemListKind::Items | ItemListKind::Scheduled | ItemListKind::Damaged => {
                storage_item(&stored.info, &stored.content)
            }
        };
        if stored.info.letter.is_some() && !self.reveals {
            item.payload.clear();
            item.headers.clear();
            item.key = None;
        }
        item
    }

    async fn batch(&self, pivot: Option<Ksuid>, limit: usize) -> Result<Vec<StoredItem>, ApiError> {
        let list = redrive_model::ListItems {
            queue: self.queue.clone(),
            partition: self.partition,
            which: self.which,
            pivot,
            limit,
        };
        Ok(self.ctx.store().items(list).await?)
    }
}
