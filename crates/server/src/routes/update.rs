//! Replace the definition of a route.

use redrive_proto::duh::v1::Reply;
use redrive_proto::redrive::v1::RoutesUpdateRequest;
use redrive_routes::{RouteId, RouteOrigin};
use serde_json::Value;

use super::record::RouteRecord;
use super::request_routes::{id_of, missing, targets};
use crate::audit::AuditTarget;
use crate::auth::{Permission, or_system};
use crate::fault::{Code, Fault};
use crate::http::Endpoint;
use crate::records::Records;
use crate::request_context::RequestContext;

#[derive(Debug)]
pub(crate) struct Update;

impl Endpoint for Update {
    type Request = RoutesUpdateRequest;
    type Answer = Reply;

    const PATH: &'static str = "/v1/routes.update";
    const NEEDS: Permission = Permission::RoutesWrite;

    fn targets(request: &RoutesUpdateRequest) -> Option<Vec<AuditTarget>> {
        targets(&request.namespace, &request.name)
    }

    async fn call(ctx: &RequestContext, request: RoutesUpdateRequest) -> Result<Reply, Fault> {
        ctx.allow_in(Self::NEEDS, or_system(&request.namespace)).await?;
        let id = id_of(&request.namespace, &request.name)?;
        ctx.run_to_completion(move |ctx| async move {
            let _changes = ctx.routes()?.lock().await;
            let before = ctx.changeable_route(&id).await?;
            ctx.put_route(&id, request.definition.map(Value::from), Some(&before)).await
        })
        .await
    }
}

impl RequestContext {
    /// The record of a route that the API defined.
    pub(super) async fn changeable_route(&self, id: &RouteId) -> Result<RouteRecord, Fault> {
        if self.existing_route(id)? == RouteOrigin::File {
            let message = format!(
                "route is read-only; '{}' is defined in the configuration file: change it there, and reload it with SIGHUP",
                id.name
            );
            return Err(Fault::new(Code::Conflict, message));
        }
        RouteRecord::find(Records(self.store()), id).await?.ok_or_else(|| missing(id))
    }
}
