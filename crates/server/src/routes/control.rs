//! Start, pause or stop a route.

use redrive_proto::duh::v1::Reply;
use redrive_proto::redrive::v1::RoutesControlRequest;
use redrive_routes::RouteIntent;

use super::record::RouteRecord;
use super::request_routes::{id_of, targets};
use crate::api_error::{ApiError, done};
use crate::audit::{AuditTarget, Change};
use crate::auth::{Permission, or_system};
use crate::http::{BodyLimit, Endpoint};
use crate::records::{RecordTime, Records, put};
use crate::request_context::RequestContext;

pub(crate) struct Control;

impl Endpoint for Control {
    type Request = RoutesControlRequest;
    type Answer = Reply;

    const PATH: &'static str = "/v1/routes.control";
    const NEEDS: Permission = Permission::RoutesWrite;
    const BODY_MAX: BodyLimit = BodyLimit::Small;

    fn targets(request: &RoutesControlRequest) -> Option<Vec<AuditTarget>> {
        let mut targets = targets(&request.namespace, &request.name)?;
        targets.push(AuditTarget::new("action", &request.action));
        Some(targets)
    }

    async fn call(ctx: &RequestContext, request: RoutesControlRequest) -> Result<Reply, ApiError> {
        ctx.allow_in(Self::NEEDS, or_system(&request.namespace)).await?;
        let id = id_of(&request.namespace, &request.name)?;
        let intent = match request.action.as_str() {
            "start" => RouteIntent::Run,
            "pause" => RouteIntent::Pause,
            "stop" => RouteIntent::Stop,
            other => return Err(ApiError::bad(format!("action is invalid; '{other}' is not start, pause or stop"))),
        };
        ctx.run_to_completion(move |ctx| async move {
            let _changes = ctx.routes()?.changes.lock().await;
            ctx.existing_route(&id)?;
            let found = RouteRecord::find(Records(ctx.store()), &id).await?;
            let record = RouteRecord {
                namespace: id.namespace.clone(),
                name: id.name.clone(),
                definition: found.and_then(|record| record.definition),
                intent,
                updated_at: RecordTime(ctx.app.deadlines.now()),
            };
            ctx.act(Change::of_keys(vec![put(RouteRecord::key(&id), &record)])).await?;
            ctx.routes()?.running.set_intent(&id, intent);
            Ok(done())
        })
        .await
    }
}
