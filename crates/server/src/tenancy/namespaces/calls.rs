//! The calls about namespaces.

use redrive_core::NamespaceName;
use redrive_model::{KeyCondition, KeyWrite, ListQueues};
use redrive_proto::duh::v1::Reply;
use redrive_proto::querator::{NamespaceInfo, NamespacesDeleteRequest, NamespacesListRequest, NamespacesListResponse};

use super::namespace::{Namespace, check, not_reserved};
use crate::api_error::ApiError;
use crate::audit::{AuditTarget, Change};
use crate::auth::Permission;
use crate::http::Endpoint;
use crate::paging;
use crate::records::{RecordTime, put};
use crate::request_context::RequestContext;
use crate::routes::RouteRecord;
use crate::tenancy::{Binding, Role};

/// Create a namespace.
pub(crate) struct Create;

impl Endpoint for Create {
    type Request = NamespaceInfo;
    type Answer = Reply;

    const PATH: &'static str = "/v1/namespaces.create";
    const NEEDS: Permission = Permission::NamespaceCreate;

    fn targets(request: &NamespaceInfo) -> Option<Vec<AuditTarget>> {
        Some(AuditTarget::list([("namespace", &request.name)]))
    }

    async fn call(ctx: &RequestContext, request: NamespaceInfo) -> Result<Reply, ApiError> {
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
                let error = ApiError::bad(format!("namespace already exists; '{name}' already exists"));
                return Err(error.because("namespace_exists").with("namespace", name));
            }
            Ok(Change::of_keys(vec![put(Namespace::key(name), namespace)]).after(namespace))
        })
        .await
    }
}

/// Replace the description and the key tag of a namespace.
pub(crate) struct Update;

impl Endpoint for Update {
    type Request = NamespaceInfo;
    type Answer = Reply;

    const PATH: &'static str = "/v1/namespaces.update";
    const NEEDS: Permission = Permission::NamespaceUpdate;

    fn targets(request: &NamespaceInfo) -> Option<Vec<AuditTarget>> {
        Some(AuditTarget::list([("namespace", &request.name)]))
    }

    async fn call(ctx: &RequestContext, request: NamespaceInfo) -> Result<Reply, ApiError> {
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

/// Delete a namespace that has no queues, routes, roles or bindings.
pub(crate) struct Delete;

impl Endpoint for Delete {
    type Request = NamespacesDeleteRequest;
    type Answer = Reply;

    const PATH: &'static str = "/v1/namespaces.delete";
    const NEEDS: Permission = Permission::NamespaceDelete;

    fn targets(request: &NamespacesDeleteRequest) -> Option<Vec<AuditTarget>> {
        Some(AuditTarget::list([("namespace", &request.name)]))
    }

    async fn call(ctx: &RequestContext, request: NamespacesDeleteRequest) -> Result<Reply, ApiError> {
        let name = NamespaceName::new(&request.name)?;
        ctx.allow(Self::NEEDS, None).await?;
        not_reserved(&name)?;
        let name = &name;
        let change = || async move {
            let text = name.as_str();
            // Read before its queues are listed: creating a queue changes the version, which makes this deletion fail.
            let found = Namespace::find(ctx.records(), text).await?;
            if ctx.records().any(Binding::prefix(text)).await? {
                let error = ApiError::bad(format!(
                    "namespace has role bindings; '{name}' has role bindings, delete role bindings first"
                ));
                return Err(error.because("namespace_has_bindings").with("namespace", name));
            }
            if ctx.records().any(Role::prefix(text)).await? {
                let error = ApiError::bad(format!("namespace has roles; '{name}' has roles, delete roles first"));
                return Err(error.because("namespace_has_roles").with("namespace", name));
            }
            let routes = ctx.records().all::<RouteRecord>(RouteRecord::prefix_of(text)).await?;
            if routes.iter().any(|route| route.definition.is_some()) {
                let error = ApiError::bad(format!("namespace has routes; '{name}' has routes, delete routes first"));
                return Err(error.because("namespace_has_routes").with("namespace", name));
            }
            let list = ListQueues { namespace: Some(Some(name.clone())), pivot: None, limit: 1 };
            if !ctx.store().queues(list).await?.is_empty() {
                let error = ApiError::bad(format!("namespace has queues; '{name}' has queues, delete queues first"));
                return Err(error.because("namespace_has_queues").with("namespace", name));
            }
            let found = found.ok_or_else(|| Namespace::missing(text))?;
            let condition = KeyCondition::Version(found.version);
            let deletion = KeyWrite { key: found.key, value: None, condition };
            Ok(Change::of_keys(vec![deletion]).before(&found.record))
        };
        let deleted = ctx.change_tenancy_only(change).await?;
        // A later namespace of that name shows none of them.
        ctx.app.forget_runs_of(name.as_str()).await;
        Ok(deleted)
    }
}

/// List namespaces in the order of their names.
pub(crate) struct List;

impl Endpoint for List {
    type Request = NamespacesListRequest;
    type Answer = NamespacesListResponse;

    const PATH: &'static str = "/v1/namespaces.list";
    const NEEDS: Permission = Permission::NamespaceList;

    async fn call(ctx: &RequestContext, request: NamespacesListRequest) -> Result<NamespacesListResponse, ApiError> {
        ctx.allow(Self::NEEDS, None).await?;
        let limit = paging::limit(request.limit, paging::LIMIT)?;
        let found = ctx.records().page::<Namespace>(Namespace::prefix(), &request.pivot, limit).await?;
        Ok(NamespacesListResponse { items: found.into_iter().map(Namespace::info).collect() })
    }
}
