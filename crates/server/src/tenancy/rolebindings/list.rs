//! List the role bindings of a namespace in the order of their ids, all or those of one user.

use redrive_proto::querator::{RoleBindingsListRequest, RoleBindingsListResponse};

use super::Binding;
use crate::auth::{Permission, or_system};
use crate::fault::Fault;
use crate::http::Endpoint;
use crate::paging;
use crate::request_context::RequestContext;

#[derive(Debug)]
pub(crate) struct List;

impl Endpoint for List {
    type Request = RoleBindingsListRequest;
    type Answer = RoleBindingsListResponse;

    const PATH: &'static str = "/v1/rolebindings.list";
    const NEEDS: Permission = Permission::RoleBindingList;

    async fn call(ctx: &RequestContext, request: RoleBindingsListRequest) -> Result<RoleBindingsListResponse, Fault> {
        let namespace = or_system(&request.namespace);
        ctx.allow_in(Self::NEEDS, namespace).await?;
        let limit = paging::limit(request.limit, paging::LIMIT)?;
        let records = ctx.records();
        let user = request.user_id_filter.as_str();
        let bindings: Vec<Binding> = if user.is_empty() {
            let found = records.page::<Binding>(Binding::prefix(namespace), &request.pivot, limit).await?;
            found.into_iter().map(|read| read.record).collect()
        } else {
            // A user has few bindings, and they are stored in the order of their roles, not of their ids.
            let all = records.all::<Binding>(Binding::prefix_of(user, namespace)).await?;
            let mut all: Vec<Binding> = all.into_iter().map(|read| read.record).collect();
            all.sort_by(|one, other| one.id.cmp(&other.id));
            all.into_iter().filter(|binding| binding.id >= request.pivot).take(limit).collect()
        };
        Ok(RoleBindingsListResponse { items: bindings.into_iter().map(Binding::info).collect() })
    }
}
