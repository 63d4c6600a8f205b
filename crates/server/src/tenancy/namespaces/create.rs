//! Make a namespace.

use redrive_proto::duh::v1::Reply;
use redrive_proto::querator::NamespaceInfo;

use super::namespace::{Namespace, check, not_reserved, targets};
use crate::audit::{AuditTarget, Change};
use crate::auth::Permission;
use crate::desk::Desk;
use crate::door::Endpoint;
use crate::fault::Fault;
use crate::records::{At, put};

#[derive(Debug)]
pub(crate) struct Create;

impl Endpoint for Create {
    type Request = NamespaceInfo;
    type Answer = Reply;

    const PATH: &'static str = "/v1/namespaces.create";
    const NEEDS: Permission = Permission::NamespaceCreate;

    fn targets(request: &NamespaceInfo) -> Option<Vec<AuditTarget>> {
        targets(&request.name)
    }

    async fn call(desk: &Desk, request: NamespaceInfo) -> Result<Reply, Fault> {
        let name = check(&request)?;
        desk.allow(Self::NEEDS, None).await?;
        not_reserved(&name)?;
        let namespace = Namespace {
            name: request.name,
            description: request.description,
            api_key_tag: request.api_key_tag,
            created_at: At(desk.now()),
        };
        let namespace = &namespace;
        desk.amend_quietly(|| async move {
            let name = &namespace.name;
            if Namespace::find(desk.records(), name).await?.is_some() {
                return Err(Fault::bad(format!("namespace already exists; '{name}' already exists")));
            }
            Ok(Change::of_keys(vec![put(Namespace::key(name), namespace)]).after(namespace))
        })
        .await
    }
}
