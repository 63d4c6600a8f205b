//! Replace the description and the key tag of a namespace.

use redrive_proto::duh::v1::Reply;
use redrive_proto::querator::NamespaceInfo;

use super::namespace::{Namespace, check, not_reserved, targets};
use crate::audit::{AuditTarget, Change};
use crate::auth::Permission;
use crate::fault::Fault;
use crate::http::Endpoint;
use crate::records::put;
use crate::request_context::RequestContext;

#[derive(Debug)]
pub(crate) struct Update;

impl Endpoint for Update {
    type Request = NamespaceInfo;
    type Answer = Reply;

    const PATH: &'static str = "/v1/namespaces.update";
    const NEEDS: Permission = Permission::NamespaceUpdate;

    fn targets(request: &NamespaceInfo) -> Option<Vec<AuditTarget>> {
        targets(&request.name)
    }

    async fn call(ctx: &RequestContext, request: NamespaceInfo) -> Result<Reply, Fault> {
        let name = check(&request)?;
        ctx.allow(Self::NEEDS, None).await?;
        not_reserved(&name)?;
        let request = &request;
        ctx.change_tenancy_only(|| async move {
            let found = Namespace::find(ctx.records(), &request.name).await?;
            let before = found.ok_or_else(|| Namespace::missing(&request.name))?.record;
            let after = Namespace {
                description: request.description.clone(),
                api_key_tag: request.api_key_tag.clone(),
                ..before.clone()
            };
            Ok(Change::of_keys(vec![put(Namespace::key(&after.name), &after)]).before(&before).after(&after))
        })
        .await
    }
}
