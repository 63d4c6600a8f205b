//! Delete items in any state.

use redrive_model::DeleteItems;
use redrive_proto::duh::v1::Reply;
use redrive_proto::querator::StorageItemsDeleteRequest;

use crate::api_error::{ApiError, done};
use crate::audit::{AuditTarget, Change};
use crate::auth::Permission;
use crate::http::Endpoint;
use crate::queue::item_id;
use crate::request_context::RequestContext;

pub(crate) struct Delete;

impl Endpoint for Delete {
    type Request = StorageItemsDeleteRequest;
    type Answer = Reply;

    const PATH: &'static str = "/v1/storage/items.delete";
    const NEEDS: Permission = Permission::QueueClear;

    fn targets(request: &StorageItemsDeleteRequest) -> Option<Vec<AuditTarget>> {
        Some(super::item::targets(&request.queue_name, request.partition, request.ids.len()))
    }

    async fn call(ctx: &RequestContext, request: StorageItemsDeleteRequest) -> Result<Reply, ApiError> {
        let queue = ctx.queue(&request.queue_name, Self::NEEDS).await?;
        let checked = match request.ids.as_slice() {
            [] => Err(ApiError::bad("ids is invalid; cannot be empty")),
            ids => ids.iter().map(|id| item_id(id)).collect(),
        };
        let ids = ctx.checked(&queue, Some(request.partition), checked).await?;
        let partition = u32::try_from(request.partition).unwrap_or_default();
        ctx.act(Change::of(DeleteItems { queue, partition, ids }).plan(&request.ids)).await?;
        Ok(done())
    }
}
