//! Delete items in any state.

use redrive_model::DeleteItems;
use redrive_proto::duh::v1::Reply;
use redrive_proto::querator::StorageItemsDeleteRequest;

use super::item::ids;
use crate::audit::{AuditTarget, Change};
use crate::auth::Permission;
use crate::fault::{Fault, done};
use crate::http::Endpoint;
use crate::request_context::RequestContext;

#[derive(Debug)]
pub(crate) struct Delete;

impl Endpoint for Delete {
    type Request = StorageItemsDeleteRequest;
    type Answer = Reply;

    const PATH: &'static str = "/v1/storage/items.delete";
    const NEEDS: Permission = Permission::QueueClear;

    fn targets(request: &StorageItemsDeleteRequest) -> Option<Vec<AuditTarget>> {
        Some(super::item::targets(&request.queue_name, request.partition, request.ids.len()))
    }

    async fn call(ctx: &RequestContext, request: StorageItemsDeleteRequest) -> Result<Reply, Fault> {
        let queue = ctx.queue(&request.queue_name, Self::NEEDS).await?;
        let empty = || Fault::bad("ids is invalid; cannot be empty");
        let checked = if request.ids.is_empty() { Err(empty()) } else { ids(&request.ids) };
        let ids = ctx.checked(&queue, Some(request.partition), checked).await?;
        let partition = u32::try_from(request.partition).unwrap_or_default();
        let delete = &DeleteItems { queue, partition, ids };
        let sent = &request.ids;
        ctx.change(|| async move { Ok((Change::of(delete.clone()).plan(sent), ())) }).await?;
        Ok(done())
    }
}
