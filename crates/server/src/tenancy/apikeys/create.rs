//! Create an API key. The answer contains the key; the server stores only its hash.

use redrive_proto::querator::{ApiKeysCreateRequest, ApiKeysCreateResponse};

use super::ApiKey;
use crate::audit::{AuditTarget, Change, hex};
use crate::auth::{Permission, Secret};
use crate::fault::Fault;
use crate::http::Endpoint;
use crate::records::RecordTime;
use crate::request_context::RequestContext;
use crate::tenancy::field::{NAME_BYTES_MAX, at_most, not_empty, tag};
use crate::tenancy::{Namespace, User};
use crate::wire::time;

const DEFAULT_TAG: &str = "live";

#[derive(Debug)]
pub(crate) struct Create;

impl Endpoint for Create {
    type Request = ApiKeysCreateRequest;
    type Answer = ApiKeysCreateResponse;

    const PATH: &'static str = "/v1/apikeys.create";
    const NEEDS: Permission = Permission::ApiKeyCreate;

    fn targets(request: &ApiKeysCreateRequest) -> Option<Vec<AuditTarget>> {
        Some(vec![AuditTarget::new("user", &request.user_id)])
    }

    async fn call(ctx: &RequestContext, request: ApiKeysCreateRequest) -> Result<ApiKeysCreateResponse, Fault> {
        not_empty("user_id", &request.user_id)?;
        at_most("name", &request.name, NAME_BYTES_MAX)?;
        tag("key_tag", &request.key_tag)?;
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
async fn secret(ctx: &RequestContext, request: &ApiKeysCreateRequest) -> Result<Secret, Fault> {
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
        Fault::internal()
    })
}
