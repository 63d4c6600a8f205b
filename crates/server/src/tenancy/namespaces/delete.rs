//! Delete a namespace that has no queues, routes, roles or bindings.

use redrive_core::NamespaceName;
use redrive_model::{KeyCondition, KeyWrite, ListQueues};
use redrive_proto::duh::v1::Reply;
use redrive_proto::querator::NamespacesDeleteRequest;

use super::namespace::{Namespace, not_reserved, targets};
use crate::audit::{AuditTarget, Change};
use crate::auth::Permission;
use crate::fault::Fault;
use crate::http::Endpoint;
use crate::request_context::RequestContext;
use crate::routes::RouteRecord;
use crate::tenancy::{Binding, Role};

#[derive(Debug)]
pub(crate) struct Delete;

impl Endpoint for Delete {
    type Request = NamespacesDeleteRequest;
    type Answer = Reply;

    const PATH: &'static str = "/v1/namespaces.delete";
    const NEEDS: Permission = Permission::NamespaceDelete;

    fn targets(request: &NamespacesDeleteRequest) -> Option<Vec<AuditTarget>> {
        targets(&request.name)
    }

    async fn call(ctx: &RequestContext, request: NamespacesDeleteRequest) -> Result<Reply, Fault> {
        let name = NamespaceName::new(&request.name)?;
        ctx.allow(Self::NEEDS, None).await?;
        not_reserved(&name)?;
        let name = &name;
        ctx.change_tenancy_only(|| async move {
            let text = name.as_str();
            // Read before its queues are listed: creating a queue changes the version, which makes this deletion fail.
            let found = Namespace::find(ctx.records(), text).await?;
            if ctx.records().any(Binding::prefix(text)).await? {
                return Err(Fault::bad(format!(
                    "namespace has role bindings; '{name}' has role bindings, delete role bindings first"
                )));
            }
            if ctx.records().any(Role::prefix(text)).await? {
                return Err(Fault::bad(format!("namespace has roles; '{name}' has roles, delete roles first")));
            }
            let routes = ctx.records().all::<RouteRecord>(RouteRecord::prefix_of(text)).await?;
            if routes.iter().any(|read| read.record.definition.is_some()) {
                return Err(Fault::bad(format!("namespace has routes; '{name}' has routes, delete routes first")));
            }
            let list = ListQueues { namespace: Some(Some(name.clone())), pivot: None, limit: 1 };
            if !ctx.store().queues(list).await?.is_empty() {
                return Err(Fault::bad(format!("namespace has queues; '{name}' has queues, delete queues first")));
            }
            let found = found.ok_or_else(|| Namespace::missing(text))?;
            let condition = KeyCondition::Version(found.version);
            let deletion = KeyWrite { key: found.key, value: None, condition };
            Ok(Change::of_keys(vec![deletion]).before(&found.record))
        })
        .await
    }
}
