//! Users by id.

use redrive_proto::querator::{UsersListRequest, UsersListResponse};

use super::User;
use crate::auth::Permission;
use crate::desk::Desk;
use crate::door::Endpoint;
use crate::fault::Fault;
use crate::paging;

#[derive(Debug)]
pub(crate) struct List;

impl Endpoint for List {
    type Request = UsersListRequest;
    type Answer = UsersListResponse;

    const PATH: &'static str = "/v1/users.list";
    const NEEDS: Permission = Permission::UserList;

    async fn call(desk: &Desk, request: UsersListRequest) -> Result<UsersListResponse, Fault> {
        desk.allow(Self::NEEDS, None).await?;
        let limit = paging::limit(request.limit, paging::LIMIT)?;
        let found = desk.records().page::<User>(User::prefix(), &request.pivot, limit).await?;
        Ok(UsersListResponse { items: found.iter().map(|read| read.record.info()).collect() })
    }
}
