//! Replace what is said about a namespace.

use redrive_proto::duh::v1::Reply;
use redrive_proto::querator::NamespaceInfo;

use super::namespace::{Namespace, check, not_reserved, targets};
use crate::audit::{AuditTarget, Change};
use crate::auth::Permission;
use crate::desk::Desk;
use crate::door::Endpoint;
use crate::fault::Fault;
use crate::records::put;

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

    async fn call(desk: &Desk, request: NamespaceInfo) -> Result<Reply, Fault> {
        let name = check(&request)?;
        desk.allow(Self::NEEDS, None).await?;
        not_reserved(&name)?;
        let request = &request;
        desk.amend_quietly(|| async move {
            let found = Namespace::find(desk.records(), &request.name).await?;
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
