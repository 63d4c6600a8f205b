//! Remove a namespace that nothing belongs to any more.

use redrive_core::NamespaceName;
use redrive_model::{KeyCondition, KeyWrite, ListQueues};
use redrive_proto::duh::v1::Reply;
use redrive_proto::querator::NamespacesDeleteRequest;

use super::namespace::{Namespace, not_reserved, targets};
use crate::audit::{AuditTarget, Change};
use crate::auth::Permission;
use crate::desk::Desk;
use crate::door::Endpoint;
use crate::fault::Fault;
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

    async fn call(desk: &Desk, request: NamespacesDeleteRequest) -> Result<Reply, Fault> {
        let name = NamespaceName::new(&request.name)?;
        desk.allow(Self::NEEDS, None).await?;
        not_reserved(&name)?;
        let name = &name;
        desk.amend_quietly(|| async move {
            let text = name.as_str();
            // Read before its queues are: whoever makes one from here on changes it.
            let found = Namespace::find(desk.records(), text).await?;
            if desk.records().any(Binding::prefix(text)).await? {
                return Err(Fault::bad(format!(
                    "namespace has role bindings; '{name}' has role bindings, delete role bindings first"
                )));
            }
            if desk.records().any(Role::prefix(text)).await? {
                return Err(Fault::bad(format!("namespace has roles; '{name}' has roles, delete roles first")));
            }
            let list = ListQueues { namespace: Some(Some(name.clone())), pivot: None, limit: 1 };
            if !desk.store().queues(list).await?.is_empty() {
                return Err(Fault::bad(format!("namespace has queues; '{name}' has queues, delete queues first")));
            }
            let found = found.ok_or_else(|| Namespace::missing(text))?;
            let condition = KeyCondition::Version(found.version);
            let gone = KeyWrite { key: found.key, value: None, condition };
            Ok(Change::of_keys(vec![gone]).before(&found.record))
        })
        .await
    }
}
