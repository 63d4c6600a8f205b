//! `storage/*`: stored items.

use redrive_proto::querator::{
    StorageItemsDeleteRequest, StorageItemsImportRequest, StorageItemsImportResponse, StorageItemsListRequest,
    StorageItemsListResponse,
};

use crate::call::Call;
use crate::{Client, ClientError};

impl Client {
    /// Lists ready and leased items, or items in every state, in the order of their ids. The pivot is the first id of the list.
    pub async fn list_items(&self, request: &StorageItemsListRequest) -> Result<StorageItemsListResponse, ClientError> {
        self.call(Call::read("/v1/storage/items.list"), request).await
    }

    /// Lists scheduled items in the same way.
    pub async fn list_scheduled(
        &self,
        request: &StorageItemsListRequest,
    ) -> Result<StorageItemsListResponse, ClientError> {
        self.call(Call::read("/v1/storage/scheduled.list"), request).await
    }

    /// Lists items and letters whose records are damaged on disk in the same way. Unreadable fields are empty.
    pub async fn list_damaged(
        &self,
        request: &StorageItemsListRequest,
    ) -> Result<StorageItemsListResponse, ClientError> {
        self.call(Call::read("/v1/storage/damaged.list"), request).await
    }

    /// Imports items with their state. Items whose source id already exists are skipped, and have no id in the answer.
    pub async fn import_items(
        &self,
        request: &StorageItemsImportRequest,
    ) -> Result<StorageItemsImportResponse, ClientError> {
        self.call(Call::act("/v1/storage/items.import"), request).await
    }

    /// Deletes items in any state; unknown ids are skipped.
    pub async fn delete_items(&self, request: &StorageItemsDeleteRequest) -> Result<(), ClientError> {
        self.execute(Call::act("/v1/storage/items.delete"), request).await
    }
}
