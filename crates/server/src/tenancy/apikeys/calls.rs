//! The calls about API keys.

use redrive_proto::duh::v1::Reply;
use redrive_proto::querator::{
    ApiKeysCreateRequest, ApiKeysCreateResponse, ApiKeysDeleteRequest, ApiKeysListRequest, ApiKeysListResponse,
};

use super::ApiKey;
use crate::api_error::ApiError;
use crate::audit::{AuditTarget, Change, hex};
use crate::auth::{Permission, Secret};
use crate::http::Endpoint;
use crate::paging;
use crate::problems::Problems;
use crate::records::RecordTime;
use crate::request_context::RequestContext;
use crate::tenancy::field::{NAME_BYTES_MAX, at_most, not_empty, tag};
use crate::tenancy::{Namespace, User};
use crate::wire::time;

const DEFAULT_TAG: &str = "live";

/// Create an API key. The answer contains the key; the server stores only its hash.
pub(crate) struct Create;

impl Endpoint for Create {
    type Request = ApiKeysCreateRequest;
    type Answer = ApiKeysCreateResponse;

    const PATH: &'static str = "/v1/apikeys.create";
    const NEEDS: Permission = Permission::ApiKeyCreate;

    fn targets(request: &ApiKeysCreateRequest) -> Option<Vec<AuditTarget>> {
        Some(vec![AuditTarget::new("user", &request.user_id)])
    }

    async fn call(ctx: &RequestContext, request: ApiKeysCreateRequest) -> Result<ApiKeysCreateResponse, ApiError> {
        let mut problems = Problems::default();
        problems.field("user_id", not_empty("user_id", &request.user_id));
        problems.field("name", at_most("name", &request.name, NAME_BYTES_MAX));
        problems.field("key_tag", tag("key_tag", &request.key_tag));
        problems.finish(())?;
        ctx.allow(Self::NEEDS, None).await?;
        let request = &request;
        ctx.change_tenancy(|| async move {
            let user = &request.user_id;
            User::find(ctx.records(), user).await?.ok_or_else(|| User::missing(user))?;
            ctx.app.auth.may_act_as(&ctx.caller, user, &request.namespace_scope).await?;
            let secret = secret(ctx, request).await?;
            let key = ApiKey {
                id: ctx.new_id(),
                user_id: user.clone(),
                name: request.name.clone(),
                namespace_scope: request.namespace_scope.clone(),
                prefix: secret.display_prefix().to_owned(),
                hash: hex(&secret.hash()),
                expires_at: time("expires_at", request.expires_at)?.map(RecordTime),
                created_at: RecordTime(ctx.now()),
            };
            let change = Change::of_keys(key.puts()).target("apikey", &key.id).after(&key);
            let revealed = secret.reveal().to_owned();
            Ok((change, ApiKeysCreateResponse { id: key.id, key: revealed, prefix: key.prefix }))
        })
        .await
    }
}

/// Generates a key. Its tag is the request's, otherwise that of the namespace which the key is scoped to, otherwise the
/// default.
async fn secret(ctx: &RequestContext, request: &ApiKeysCreateRequest) -> Result<Secret, ApiError> {
    let mut tag = request.key_tag.clone();
    if tag.is_empty() && !request.namespace_scope.is_empty() {
        let namespace = Namespace::find(ctx.records(), &request.namespace_scope).await?;
        tag = namespace.map(|namespace| namespace.record.api_key_tag).unwrap_or_default();
    }
    if tag.is_empty() {
        DEFAULT_TAG.clone_into(&mut tag);
    }
    Secret::new(&ctx.settings().key_prefix, &tag).map_err(|error| {
        tracing::error!(%error, "the operating system provided no randomness for an API key");
        ApiError::internal()
    })
}

/// Delete an API key.
pub(crate) struct Delete;

impl Endpoint for Delete {
    type Request = ApiKeysDeleteRequest;
    type Answer = Reply;

    const PATH: &'static str = "/v1/apikeys.delete";
    const NEEDS: Permission = Permission::ApiKeyDelete;

    fn targets(request: &ApiKeysDeleteRequest) -> Option<Vec<AuditTarget>> {
        Some(vec![AuditTarget::new("apikey", &request.id)])
    }

    async fn call(ctx: &RequestContext, request: ApiKeysDeleteRequest) -> Result<Reply, ApiError> {
        ctx.allow(Self::NEEDS, None).await?;
        let id = request.id.as_str();
        ctx.change_tenancy_only(|| async move {
            let found = ctx.records().get::<ApiKey>(ApiKey::key(id)).await?;
            let key = found.ok_or_else(ApiKey::missing)?;
            Ok(Change::of_keys(key.deletes()).target("user", &key.user_id).before(&key))
        })
        .await
    }
}

/// List API keys in the order of their ids, all or those of one user.
pub(crate) struct List;

impl Endpoint for List {
    type Request = ApiKeysListRequest;
    type Answer = ApiKeysListResponse;

    const PATH: &'static str = "/v1/apikeys.list";
    const NEEDS: Permission = Permission::ApiKeyList;

    async fn call(ctx: &RequestContext, request: ApiKeysListRequest) -> Result<ApiKeysListResponse, ApiError> {
        ctx.allow(Self::NEEDS, None).await?;
        let limit = paging::limit(request.limit, paging::LIMIT)?;
        let records = ctx.records();
        let keys = if request.user_id.is_empty() {
            records.page(ApiKey::prefix(), &request.pivot, limit).await?
        } else {
            let links = records.page(ApiKey::user_prefix(&request.user_id), &request.pivot, limit).await?;
            ApiKey::linked(records, links).await?
        };
        Ok(ApiKeysListResponse { items: ApiKey::infos(records, keys).await? })
    }
}
