//! List users in the order of their ids.

use redrive_proto::querator::{UsersListRequest, UsersListResponse};

use super::User;
use crate::auth::Permission;
use crate::fault::Fault;
use crate::http::Endpoint;
use crate::paging;
use crate::request_context::RequestContext;

#[derive(Debug)]
pub(crate) struct List;

impl Endpoint for List {
    type Request = UsersListRequest;
    type Answer = UsersListResponse;

    const PATH: &'static str = "/v1/users.list";
    const NEEDS: Permission = Permission::UserList;

    async fn call(ctx: &RequestContext, request: UsersListRequest) -> Result<UsersListResponse, Fault> {
        ctx.allow(Self::NEEDS, None).await?;
        let limit = paging::limit(request.limit, paging::LIMIT)?;
        let found = ctx.records().page::<User>(User::prefix(), &request.pivot, limit).await?;
        Ok(UsersListResponse { items: found.iter().map(|read| read.record.info()).collect() })
    }
}
