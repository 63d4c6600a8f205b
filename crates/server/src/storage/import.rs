//! Import items with the state that they had in another store.

use redrive_model::ImportItem;
use redrive_proto::querator::{StorageItemsImportRequest, StorageItemsImportResponse};

use super::item::{import_item, skipped_item, storage_item};
use crate::api_error::ApiError;
use crate::audit::{AuditTarget, Change};
use crate::auth::Permission;
use crate::http::{BodyLimit, Endpoint};
use crate::request_context::RequestContext;

pub(crate) struct Import;

impl Endpoint for Import {
    type Request = StorageItemsImportRequest;
    type Answer = StorageItemsImportResponse;

    const PATH: &'static str = "/v1/storage/items.import";
    const NEEDS: Permission = Permission::QueueProduce;
    const BODY_MAX: BodyLimit = BodyLimit::Bytes(64_000_000);

    fn targets(request: &StorageItemsImportRequest) -> Option<Vec<AuditTarget>> {
        Some(super::item::targets(&request.queue_name, request.partition, request.items.len()))
    }

    async fn call(
        ctx: &RequestContext,
        request: StorageItemsImportRequest,
    ) -> Result<StorageItemsImportResponse, ApiError> {
        let queue = ctx.queue(&request.queue_name, Self::NEEDS).await?;
        let is_empty = request.items.is_empty();
        let checked = if is_empty { Err(ApiError::bad("items is invalid; cannot be empty")) } else { Ok(()) };
        ctx.checked(&queue, Some(request.partition), checked).await?;
        let partition = u32::try_from(request.partition).unwrap_or_default();
        let items: Vec<ImportItem> = request.items.into_iter().map(import_item).collect::<Result<_, _>>()?;
        items.iter().try_for_each(ImportItem::check)?;
        let mut answers = Vec::with_capacity(items.len());
        for items in portions(items) {
            let import = redrive_model::Import { queue: queue.clone(), partition, items };
            let sources: Vec<Option<&str>> = import.items.iter().map(|item| item.source_id.as_deref()).collect();
            let imported = ctx.act(Change::of(import.clone()).plan(&sources)).await?;
            answers.extend(import.items.iter().zip(imported).map(|(item, info)| match info {
                Some(info) => storage_item(&info, &item.content),
                None => skipped_item(item),
            }));
        }
        Ok(StorageItemsImportResponse { items: answers })
    }
}

/// Maximum size of one import into the store.
const PORTION_BYTES: usize = 16 << 20;

/// Splits a request into imports that the store accepts. A request that fails in the middle can be sent again.
fn portions(items: Vec<ImportItem>) -> Vec<Vec<ImportItem>> {
    let mut portions: Vec<Vec<ImportItem>> = Vec::new();
    let mut bytes = 0;
    for item in items {
        bytes += item.content.payload.len() + 1024;
        match portions.last_mut() {
            Some(portion) if bytes <= PORTION_BYTES && portion.len() < redrive_model::Import::ITEMS_MAX => {
                portion.push(item);
            }
            _ => {
                bytes = item.content.payload.len() + 1024;
                portions.push(vec![item]);
            }
        }
    }
    portions
}
