//! Put items in as they were somewhere else.

use std::sync::Arc;

use redrive_proto::querator::{StorageItemsImportRequest, StorageItemsImportResponse};
use redrive_queue::{Content, ImportItem};

use super::item::{import_item, storage_item};
use crate::auth::Permission;
use crate::desk::Desk;
use crate::door::Endpoint;
use crate::fault::Fault;
use crate::settings::Settings;

#[derive(Debug)]
pub(crate) struct Import;

impl Endpoint for Import {
    type Request = StorageItemsImportRequest;
    type Answer = StorageItemsImportResponse;

    const PATH: &'static str = "/v1/storage/items.import";

    fn body_max(_settings: &Settings) -> usize {
        64_000_000
    }

    async fn call(desk: &Desk, request: StorageItemsImportRequest) -> Result<StorageItemsImportResponse, Fault> {
        let queue = desk.queue(&request.queue_name, Permission::QueueProduce).await?;
        let is_empty = request.items.is_empty();
        let checked = if is_empty { Err(Fault::bad("items is invalid; cannot be empty")) } else { Ok(()) };
        desk.checked(&queue, Some(request.partition), checked).await?;
        let partition = u32::try_from(request.partition).unwrap_or_default();
        let items: Vec<ImportItem> = request.items.into_iter().map(import_item).collect();
        let contents: Vec<Arc<Content>> = items.iter().map(|item| Arc::clone(&item.content)).collect();
        let imported = desk.store().import(redrive_queue::Import { queue, partition, items }).await?;
        let shown = imported.iter().zip(&contents);
        let items = shown.filter_map(|(info, content)| info.as_ref().map(|info| storage_item(info, content)));
        Ok(StorageItemsImportResponse { items: items.collect() })
    }
}
