//! List the roles of a namespace in the order of their ids.

use redrive_proto::querator::{RolesListRequest, RolesListResponse};

use super::Role;
use crate::auth::{Permission, or_system};
use crate::fault::Fault;
use crate::http::Endpoint;
use crate::paging;
use crate::request_context::RequestContext;

#[derive(Debug)]
pub(crate) struct List;

impl Endpoint for List {
    type Request = RolesListRequest;
    type Answer = RolesListResponse;

    const PATH: &'static str = "/v1/roles.list";
    const NEEDS: Permission = Permission::RoleList;

    async fn call(ctx: &RequestContext, request: RolesListRequest) -> Result<RolesListResponse, Fault> {
        let namespace = or_system(&request.namespace);
        ctx.allow_in(Self::NEEDS, namespace).await?;
        let limit = paging::limit(request.limit, paging::LIMIT)?;
        let found = ctx.records().page::<Role>(Role::prefix(namespace), &request.pivot, limit).await?;
        Ok(RolesListResponse { items: found.into_iter().map(|read| read.record.info()).collect() })
    }
}
