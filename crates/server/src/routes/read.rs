//! Read one route, or the routes of a namespace.

use futures_util::future::join_all;
use redrive_proto::redrive::v1::{RouteInfo, RoutesGetRequest, RoutesListRequest, RoutesListResponse};

use super::request_routes::{id_of, missing, namespace_of};
use super::view::route_info;
use crate::api_error::ApiError;
use crate::auth::{Permission, or_system};
use crate::http::{BodyLimit, Endpoint};
use crate::paging;
use crate::request_context::RequestContext;

pub(crate) struct Get;

impl Endpoint for Get {
    type Request = RoutesGetRequest;
    type Answer = RouteInfo;

    const PATH: &'static str = "/v1/routes.get";
    const NEEDS: Permission = Permission::RoutesRead;
    const BODY_MAX: BodyLimit = BodyLimit::Small;

    async fn call(ctx: &RequestContext, request: RoutesGetRequest) -> Result<RouteInfo, ApiError> {
        ctx.allow_in(Self::NEEDS, or_system(&request.namespace)).await?;
        let id = id_of(&request.namespace, &request.name)?;
        let status = ctx.routes()?.running.status(&id).await.ok_or_else(|| missing(&id))?;
        Ok(route_info(&id, status))
    }
}

pub(crate) struct List;

impl Endpoint for List {
    type Request = RoutesListRequest;
    type Answer = RoutesListResponse;

    const PATH: &'static str = "/v1/routes.list";
    const NEEDS: Permission = Permission::RoutesRead;
    const BODY_MAX: BodyLimit = BodyLimit::Small;

    async fn call(ctx: &RequestContext, request: RoutesListRequest) -> Result<RoutesListResponse, ApiError> {
        ctx.allow_in(Self::NEEDS, or_system(&request.namespace)).await?;
        let limit = paging::limit(request.limit, paging::LIMIT)?;
        let namespace = namespace_of(&request.namespace)?;
        let routes = &ctx.routes()?.running;
        let ids = routes.ids(Some(&namespace)).into_iter().filter(|id| id.name >= request.pivot).take(limit);
        let infos = ids.map(|id| async move { routes.status(&id).await.map(|status| route_info(&id, status)) });
        Ok(RoutesListResponse { routes: join_all(infos).await.into_iter().flatten().collect() })
    }
}
