//! Delete a route.

use redrive_proto::duh::v1::Reply;
use redrive_proto::redrive::v1::RoutesDeleteRequest;

use super::record::RouteRecord;
use super::request_routes::{id_of, targets};
use crate::api_error::{ApiError, done};
use crate::audit::{AuditTarget, Change};
use crate::auth::{Permission, or_system};
use crate::http::{BodyLimit, Endpoint};
use crate::records::delete;
use crate::request_context::RequestContext;

pub(crate) struct Delete;

impl Endpoint for Delete {
    type Request = RoutesDeleteRequest;
    type Answer = Reply;

    const PATH: &'static str = "/v1/routes.delete";
    const NEEDS: Permission = Permission::RoutesWrite;
    const BODY_MAX: BodyLimit = BodyLimit::Small;

    fn targets(request: &RoutesDeleteRequest) -> Option<Vec<AuditTarget>> {
        targets(&request.namespace, &request.name)
    }

    async fn call(ctx: &RequestContext, request: RoutesDeleteRequest) -> Result<Reply, ApiError> {
        ctx.allow_in(Self::NEEDS, or_system(&request.namespace)).await?;
        let id = id_of(&request.namespace, &request.name)?;
        ctx.run_to_completion(move |ctx| async move {
            let drained = {
                let _changes = ctx.routes()?.changes.lock().await;
                let before = ctx.changeable_route(&id).await?;
                let change = Change::of_keys(vec![delete(RouteRecord::key(&id))]);
                ctx.act(change.before(&before.definition)).await?;
                ctx.routes()?.running.remove(&id)
            };
            // Without the lock: other routes can be changed meanwhile.
            if let Some(drained) = drained {
                drained.await;
            }
            Ok(done())
        })
        .await
    }
}
