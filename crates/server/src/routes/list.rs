//! List the routes of a namespace by name.

use futures_util::future::join_all;
use redrive_proto::redrive::v1::{RoutesListRequest, RoutesListResponse};

use super::request_routes::namespace_of;
use super::view::route_info;
use crate::auth::{Permission, or_system};
use crate::fault::Fault;
use crate::http::Endpoint;
use crate::paging;
use crate::request_context::RequestContext;
use crate::settings::{SMALL_BODY_MAX, Settings};

#[derive(Debug)]
pub(crate) struct List;

impl Endpoint for List {
    type Request = RoutesListRequest;
    type Answer = RoutesListResponse;

    const PATH: &'static str = "/v1/routes.list";
    const NEEDS: Permission = Permission::RoutesRead;

    fn body_max(_settings: &Settings) -> usize {
        SMALL_BODY_MAX
    }

    async fn call(ctx: &RequestContext, request: RoutesListRequest) -> Result<RoutesListResponse, Fault> {
        ctx.allow_in(Self::NEEDS, or_system(&request.namespace)).await?;
        let limit = paging::limit(request.limit, paging::LIMIT)?;
        let namespace = namespace_of(&request.namespace)?;
        let routes = &ctx.routes()?.running;
        let ids = routes.ids(Some(&namespace)).into_iter().filter(|id| id.name >= request.pivot).take(limit);
        let infos = ids.map(|id| async move { routes.status(&id).await.map(|status| route_info(&id, status)) });
        Ok(RoutesListResponse { routes: join_all(infos).await.into_iter().flatten().collect() })
    }
}
