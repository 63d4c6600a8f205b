//! `storage/*`: stored items.

use redrive_proto::querator::{
    StorageItemsDeleteRequest, StorageItemsImportRequest, StorageItemsImportResponse, StorageItemsListRequest,
    StorageItemsListResponse,
};

use super::table::calls;

calls! {
    /// Lists ready and leased items, or items in every state, in the order of their ids. The pivot is the first id of the list.
    list_items(StorageItemsListRequest) -> StorageItemsListResponse = call read "/v1/storage/items.list";
    /// Lists scheduled items in the same way.
    list_scheduled(StorageItemsListRequest) -> StorageItemsListResponse = call read "/v1/storage/scheduled.list";
    /// Lists items and letters whose records are damaged on disk in the same way. Unreadable fields are empty.
    list_damaged(StorageItemsListRequest) -> StorageItemsListResponse = call read "/v1/storage/damaged.list";
    /// Imports items with their state. Items whose source id already exists are skipped, and have no id in the answer.
    import_items(StorageItemsImportRequest) -> StorageItemsImportResponse = call act "/v1/storage/items.import";
    /// Deletes items in any state; unknown ids are skipped.
    delete_items(StorageItemsDeleteRequest) -> () = execute act "/v1/storage/items.delete";
}
