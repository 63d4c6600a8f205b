//! `storage/*`: items as they are stored.

use redrive_proto::querator::{
    StorageItemsDeleteRequest, StorageItemsImportRequest, StorageItemsImportResponse, StorageItemsListRequest,
    StorageItemsListResponse,
};

use crate::call::Call;
use crate::{Client, ClientError};

impl Client {
    /// Items that are ready or leased, in the order of their ids. The pivot is the first of the list.
    pub async fn list_items(&self, request: &StorageItemsListRequest) -> Result<StorageItemsListResponse, ClientError> {
        self.ask(Call::read("/v1/storage/items.list"), request).await
    }

    /// Items that wait for their time, likewise.
    pub async fn list_scheduled(
        &self,
        request: &StorageItemsListRequest,
    ) -> Result<StorageItemsListResponse, ClientError> {
        self.ask(Call::read("/v1/storage/scheduled.list"), request).await
    }

    /// Items and letters whose records are damaged on disk, likewise. What of them cannot be read is empty.
    pub async fn list_damaged(
        &self,
        request: &StorageItemsListRequest,
    ) -> Result<StorageItemsListResponse, ClientError> {
        self.ask(Call::read("/v1/storage/damaged.list"), request).await
    }

    /// Puts items in as they were somewhere else; those whose source id is there already are skipped, and have no
    /// id in the answer.
    pub async fn import_items(
        &self,
        request: &StorageItemsImportRequest,
    ) -> Result<StorageItemsImportResponse, ClientError> {
        self.ask(Call::act("/v1/storage/items.import"), request).await
    }

    /// Removes items in any state; ids that are not there are passed over.
    pub async fn delete_items(&self, request: &StorageItemsDeleteRequest) -> Result<(), ClientError> {
        self.tell(Call::act("/v1/storage/items.delete"), request).await
    }
}
