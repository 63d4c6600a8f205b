//! Namespaces by name.

use redrive_proto::querator::{NamespacesListRequest, NamespacesListResponse};

use super::Namespace;
use crate::auth::Permission;
use crate::desk::Desk;
use crate::door::Endpoint;
use crate::fault::Fault;
use crate::paging;

#[derive(Debug)]
pub(crate) struct List;

impl Endpoint for List {
    type Request = NamespacesListRequest;
    type Answer = NamespacesListResponse;

    const PATH: &'static str = "/v1/namespaces.list";
    const NEEDS: Permission = Permission::NamespaceList;

    async fn call(desk: &Desk, request: NamespacesListRequest) -> Result<NamespacesListResponse, Fault> {
        desk.allow(Self::NEEDS, None).await?;
        let limit = paging::limit(request.limit, paging::LIMIT)?;
        let found = desk.records().page::<Namespace>(Namespace::prefix(), &request.pivot, limit).await?;
        Ok(NamespacesListResponse { items: found.iter().map(|read| read.record.info()).collect() })
    }
}
