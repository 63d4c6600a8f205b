//! Remove items in any state.

use redrive_proto::duh::v1::Reply;
use redrive_proto::querator::StorageItemsDeleteRequest;
use redrive_queue::DeleteItems;

use super::item::ids;
use crate::auth::Permission;
use crate::desk::Desk;
use crate::door::Endpoint;
use crate::fault::{Fault, done};

#[derive(Debug)]
pub(crate) struct Delete;

impl Endpoint for Delete {
    type Request = StorageItemsDeleteRequest;
    type Answer = Reply;

    const PATH: &'static str = "/v1/storage/items.delete";

    async fn call(desk: &Desk, request: StorageItemsDeleteRequest) -> Result<Reply, Fault> {
        let queue = desk.queue(&request.queue_name, Permission::QueueClear).await?;
        let empty = || Fault::bad("ids is invalid; cannot be empty");
        let checked = if request.ids.is_empty() { Err(empty()) } else { ids(&request.ids) };
        let ids = desk.checked(&queue, Some(request.partition), checked).await?;
        let partition = u32::try_from(request.partition).unwrap_or_default();
        desk.store().delete_items(DeleteItems { queue, partition, ids }).await?;
        Ok(done())
    }
}
