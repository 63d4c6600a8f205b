//! Delete a route.

use redrive_proto::duh::v1::Reply;
use redrive_proto::redrive::v1::RoutesDeleteRequest;

use super::record::RouteRecord;
use super::request_routes::{id_of, targets};
use crate::audit::{AuditTarget, Change};
use crate::auth::{Permission, or_system};
use crate::fault::{Fault, done};
use crate::http::Endpoint;
use crate::records::delete;
use crate::request_context::RequestContext;
use crate::settings::{SMALL_BODY_MAX, Settings};

#[derive(Debug)]
pub(crate) struct Delete;

impl Endpoint for Delete {
    type Request = RoutesDeleteRequest;
    type Answer = Reply;

    const PATH: &'static str = "/v1/routes.delete";
    const NEEDS: Permission = Permission::RoutesWrite;

    fn body_max(_settings: &Settings) -> usize {
        SMALL_BODY_MAX
    }

    fn targets(request: &RoutesDeleteRequest) -> Option<Vec<AuditTarget>> {
        targets(&request.namespace, &request.name)
    }

    async fn call(ctx: &RequestContext, request: RoutesDeleteRequest) -> Result<Reply, Fault> {
        ctx.allow_in(Self::NEEDS, or_system(&request.namespace)).await?;
        let id = id_of(&request.namespace, &request.name)?;
        ctx.run_to_completion(move |ctx| async move {
            let drained = {
                let _changes = ctx.routes()?.lock().await;
                let before = &ctx.changeable_route(&id).await?;
                let key = &RouteRecord::key(&id);
                ctx.change(|| async move {
                    Ok((Change::of_keys(vec![delete(key.clone())]).before(&before.definition), ()))
                })
                .await?;
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
