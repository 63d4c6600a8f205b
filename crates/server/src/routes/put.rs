//! Create a route, or replace its definition.

use redrive_core::NamespaceName;
use redrive_proto::duh::v1::Reply;
use redrive_proto::redrive::v1::{RoutesCreateRequest, RoutesUpdateRequest};
use redrive_routes::{DesiredRoute, RouteId, RouteIntent, RouteOrigin};
use serde_json::Value;

use super::record::RouteRecord;
use super::request_routes::{id_of, invalid, missing, targets};
use crate::api_error::{ApiError, Code, done};
use crate::audit::{AuditTarget, Change};
use crate::auth::{Permission, or_system};
use crate::http::Endpoint;
use crate::records::{RecordTime, Records, put};
use crate::request_context::RequestContext;

/// Maximum number of routes of a server, and of one namespace. A route over Kafka has its own connections and threads.
const ROUTES_MAX: usize = 1_000;
const NAMESPACE_ROUTES_MAX: usize = 100;

pub(crate) struct Create;

impl Endpoint for Create {
    type Request = RoutesCreateRequest;
    type Answer = Reply;

    const PATH: &'static str = "/v1/routes.create";
    const NEEDS: Permission = Permission::RoutesWrite;

    fn targets(request: &RoutesCreateRequest) -> Option<Vec<AuditTarget>> {
        targets(&request.namespace, &request.name)
    }

    async fn call(ctx: &RequestContext, request: RoutesCreateRequest) -> Result<Reply, ApiError> {
        ctx.allow_in(Self::NEEDS, or_system(&request.namespace)).await?;
        let id = id_of(&request.namespace, &request.name)?;
        ctx.run_to_completion(move |ctx| async move {
            let _changes = ctx.routes()?.changes.lock().await;
            let routes = &ctx.routes()?.running;
            if routes.origin(&id).is_some() {
                let message = format!("route already exists; '{}' already exists", id.name);
                return Err(ApiError::new(Code::Conflict, message).because("route_exists").with("route", id.name));
            }
            for (namespace, max, of) in
                [(None, ROUTES_MAX, "server"), (Some(id.namespace.as_str()), NAMESPACE_ROUTES_MAX, "namespace")]
            {
                if routes.ids(namespace).len() >= max {
                    let error = ApiError::new(Code::TooMany, format!("too many routes; a {of} has at most {max}"));
                    return Err(error.because("too_many_routes").with("most", max));
                }
            }
            ctx.put_route(&id, request.definition.map(Value::from), None).await
        })
        .await
    }
}

pub(crate) struct Update;

impl Endpoint for Update {
    type Request = RoutesUpdateRequest;
    type Answer = Reply;

    const PATH: &'static str = "/v1/routes.update";
    const NEEDS: Permission = Permission::RoutesWrite;

    fn targets(request: &RoutesUpdateRequest) -> Option<Vec<AuditTarget>> {
        targets(&request.namespace, &request.name)
    }

    async fn call(ctx: &RequestContext, request: RoutesUpdateRequest) -> Result<Reply, ApiError> {
        ctx.allow_in(Self::NEEDS, or_system(&request.namespace)).await?;
        let id = id_of(&request.namespace, &request.name)?;
        ctx.run_to_completion(move |ctx| async move {
            let _changes = ctx.routes()?.changes.lock().await;
            let before = ctx.changeable_route(&id).await?;
            ctx.put_route(&id, request.definition.map(Value::from), Some(&before)).await
        })
        .await
    }
}

impl RequestContext {
    /// Checks and stores a definition of the API, and runs it. `before` is the record that it replaces.
    async fn put_route(
        &self,
        id: &RouteId,
        written: Option<Value>,
        before: Option<&RouteRecord>,
    ) -> Result<Reply, ApiError> {
        let (written, definition) = self.definition_of(id, written)?;
        let routes = &self.routes()?.running;
        routes.check(&definition, RouteOrigin::Api).map_err(|error| invalid(&error))?;
        let record = RouteRecord {
            namespace: id.namespace.clone(),
            name: id.name.clone(),
            definition: Some(written),
            intent: before.map_or(RouteIntent::Run, |before| before.intent),
            updated_at: RecordTime(self.app.deadlines.now()),
        };
        let record = &record;
        let namespace = NamespaceName::new(&id.namespace).ok();
        let namespace = namespace.as_ref();
        self.change(|| async move {
            let mut writes = vec![put(RouteRecord::key(id), record)];
            writes.extend(self.namespace_unchanged(namespace).await?);
            let change = Change::of_keys(writes).after(&record.definition);
            Ok((before.into_iter().fold(change, |change, before| change.before(&before.definition)), ()))
        })
        .await?;
        routes.put(DesiredRoute { definition, origin: RouteOrigin::Api, intent: record.intent });
        Ok(done())
    }

    /// The record of a route that the API defined.
    pub(super) async fn changeable_route(&self, id: &RouteId) -> Result<RouteRecord, ApiError> {
        if self.existing_route(id)? == RouteOrigin::File {
            let message = format!(
                "route is read-only; '{}' is defined in the configuration file: change it there, and reload it with SIGHUP",
                id.name
            );
            return Err(ApiError::new(Code::Conflict, message).because("route_read_only").with("route", &id.name));
        }
        RouteRecord::find(Records(self.store()), id).await?.ok_or_else(|| missing(id))
    }
}
