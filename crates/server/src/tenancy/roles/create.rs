//! Make a role.

use redrive_proto::querator::{RolesCreateRequest, RolesCreateResponse};

use super::Role;
use super::role::{check_permissions, not_standard, targets};
use crate::audit::{AuditTarget, Change};
use crate::auth::Permission;
use crate::desk::Desk;
use crate::door::Endpoint;
use crate::fault::Fault;
use crate::records::At;
use crate::tenancy::Namespace;
use crate::tenancy::field::{NAME_BYTES_MAX, at_most, no_colon, not_empty};

#[derive(Debug)]
pub(crate) struct Create;

impl Endpoint for Create {
    type Request = RolesCreateRequest;
    type Answer = RolesCreateResponse;

    const PATH: &'static str = "/v1/roles.create";
    const NEEDS: Permission = Permission::RoleCreate;

    fn targets(request: &RolesCreateRequest) -> Option<Vec<AuditTarget>> {
        targets(&request.namespace, &request.name)
    }

    async fn call(desk: &Desk, request: RolesCreateRequest) -> Result<RolesCreateResponse, Fault> {
        not_empty("namespace", &request.namespace)?;
        not_empty("name", &request.name)?;
        at_most("name", &request.name, NAME_BYTES_MAX)?;
        no_colon("name", &request.name)?;
        check_permissions(&request.permissions)?;
        desk.allow_in(Self::NEEDS, &request.namespace).await?;
        not_standard(&request.name)?;
        let role = Role {
            id: desk.new_id(),
            namespace: request.namespace,
            name: request.name,
            permissions: request.permissions,
            created_at: At(desk.now()),
        };
        let role = &role;
        desk.may_grant(role.grants(), &role.namespace).await?;
        let id = desk.amend(|| async move {
            let (namespace, name) = (&role.namespace, &role.name);
            Namespace::find(desk.records(), namespace).await?.ok_or_else(|| Namespace::missing(namespace))?;
            if Role::find(desk.records(), namespace, name).await?.is_some() {
                return Err(Fault::bad(format!("role already exists; '{namespace}:{name}' already exists")));
            }
            Ok((Change::of_keys(role.puts().into()).after(role), role.id.clone()))
        });
        Ok(RolesCreateResponse { id: id.await? })
    }
}
