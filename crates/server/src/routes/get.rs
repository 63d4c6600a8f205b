//! One route.

use redrive_proto::redrive::v1::{RouteInfo, RoutesGetRequest};

use super::request_routes::{id_of, missing};
use super::view::route_info;
use crate::auth::{Permission, or_system};
use crate::fault::Fault;
use crate::http::Endpoint;
use crate::request_context::RequestContext;
use crate::settings::{SMALL_BODY_MAX, Settings};

#[derive(Debug)]
pub(crate) struct Get;

impl Endpoint for Get {
    type Request = RoutesGetRequest;
    type Answer = RouteInfo;

    const PATH: &'static str = "/v1/routes.get";
    const NEEDS: Permission = Permission::RoutesRead;

    fn body_max(_settings: &Settings) -> usize {
        SMALL_BODY_MAX
    }

    async fn call(ctx: &RequestContext, request: RoutesGetRequest) -> Result<RouteInfo, Fault> {
        ctx.allow_in(Self::NEEDS, or_system(&request.namespace)).await?;
        let id = id_of(&request.namespace, &request.name)?;
        let status = ctx.routes()?.running.status(&id).await.ok_or_else(|| missing(&id))?;
        Ok(route_info(&id, status))
    }
}
