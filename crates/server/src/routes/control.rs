//! Start, pause or stop a route.

use redrive_proto::duh::v1::Reply;
use redrive_proto::redrive::v1::RoutesControlRequest;
use redrive_routes::RouteIntent;

use super::record::RouteRecord;
use super::request_routes::{id_of, targets};
use crate::audit::{AuditTarget, Change};
use crate::auth::{Permission, or_system};
use crate::fault::{Fault, done};
use crate::http::Endpoint;
use crate::records::{RecordTime, Records, put};
use crate::request_context::RequestContext;
use crate::settings::{SMALL_BODY_MAX, Settings};

#[derive(Debug)]
pub(crate) struct Control;

impl Endpoint for Control {
    type Request = RoutesControlRequest;
    type Answer = Reply;

    const PATH: &'static str = "/v1/routes.control";
    const NEEDS: Permission = Permission::RoutesWrite;

    fn body_max(_settings: &Settings) -> usize {
        SMALL_BODY_MAX
    }

    fn targets(request: &RoutesControlRequest) -> Option<Vec<AuditTarget>> {
        let mut targets = targets(&request.namespace, &request.name)?;
        targets.push(AuditTarget::new("action", &request.action));
        Some(targets)
    }

    async fn call(ctx: &RequestContext, request: RoutesControlRequest) -> Result<Reply, Fault> {
        ctx.allow_in(Self::NEEDS, or_system(&request.namespace)).await?;
        let id = id_of(&request.namespace, &request.name)?;
        let intent = match request.action.as_str() {
            "start" => RouteIntent::Run,
            "pause" => RouteIntent::Pause,
            "stop" => RouteIntent::Stop,
            other => return Err(Fault::bad(format!("action is invalid; '{other}' is not start, pause or stop"))),
        };
        ctx.run_to_completion(move |ctx| async move {
            let _changes = ctx.routes()?.lock().await;
            ctx.existing_route(&id)?;
            let found = RouteRecord::find(Records(ctx.store()), &id).await?;
            let record = RouteRecord {
                namespace: id.namespace.clone(),
                name: id.name.clone(),
                definition: found.and_then(|record| record.definition),
                intent,
                updated_at: RecordTime(ctx.app.deadlines.now()),
            };
            let write = &put(RouteRecord::key(&id), &record);
            ctx.change(|| async move { Ok((Change::of_keys(vec![write.clone()]), ())) }).await?;
            ctx.routes()?.running.set_intent(&id, intent);
            Ok(done())
        })
        .await
    }
}
