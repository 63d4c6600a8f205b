//! Create a namespace.

use redrive_proto::duh::v1::Reply;
use redrive_proto::querator::NamespaceInfo;

use super::namespace::{Namespace, check, not_reserved, targets};
use crate::audit::{AuditTarget, Change};
use crate::auth::Permission;
use crate::fault::Fault;
use crate::http::Endpoint;
use crate::records::{RecordTime, put};
use crate::request_context::RequestContext;

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

    async fn call(ctx: &RequestContext, request: NamespaceInfo) -> Result<Reply, Fault> {
        let name = check(&request)?;
        ctx.allow(Self::NEEDS, None).await?;
        not_reserved(&name)?;
        let namespace = Namespace {
            name: request.name,
            description: request.description,
            api_key_tag: request.api_key_tag,
            created_at: RecordTime(ctx.now()),
        };
        let namespace = &namespace;
        ctx.change_tenancy_only(|| async move {
            let name = &namespace.name;
            if Namespace::find(ctx.records(), name).await?.is_some() {
                return Err(Fault::bad(format!("namespace already exists; '{name}' already exists")));
            }
            Ok(Change::of_keys(vec![put(Namespace::key(name), namespace)]).after(namespace))
        })
        .await
    }
}
