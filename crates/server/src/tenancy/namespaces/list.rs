//! List namespaces in the order of their names.

use redrive_proto::querator::{NamespacesListRequest, NamespacesListResponse};

use super::Namespace;
use crate::auth::Permission;
use crate::fault::Fault;
use crate::http::Endpoint;
use crate::paging;
use crate::request_context::RequestContext;

#[derive(Debug)]
pub(crate) struct List;

impl Endpoint for List {
    type Request = NamespacesListRequest;
    type Answer = NamespacesListResponse;

    const PATH: &'static str = "/v1/namespaces.list";
    const NEEDS: Permission = Permission::NamespaceList;

    async fn call(ctx: &RequestContext, request: NamespacesListRequest) -> Result<NamespacesListResponse, Fault> {
        ctx.allow(Self::NEEDS, None).await?;
        let limit = paging::limit(request.limit, paging::LIMIT)?;
        let found = ctx.records().page::<Namespace>(Namespace::prefix(), &request.pivot, limit).await?;
        Ok(NamespacesListResponse { items: found.iter().map(|read| read.record.info()).collect() })
    }
}
