//! Make a key. It is in the answer, and nowhere else.

use redrive_proto::querator::{ApiKeysCreateRequest, ApiKeysCreateResponse};

use super::ApiKey;
use crate::audit::{AuditTarget, Change, hex};
use crate::auth::{Permission, Secret};
use crate::desk::Desk;
use crate::door::Endpoint;
use crate::fault::Fault;
use crate::records::At;
use crate::tenancy::field::{NAME_BYTES_MAX, at_most, not_empty, tag};
use crate::tenancy::{Namespace, User};
use crate::wire::time;

const USUAL_TAG: &str = "live";

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

    async fn call(desk: &Desk, request: ApiKeysCreateRequest) -> Result<ApiKeysCreateResponse, Fault> {
        not_empty("user_id", &request.user_id)?;
        at_most("name", &request.name, NAME_BYTES_MAX)?;
        tag("key_tag", &request.key_tag)?;
        desk.allow(Self::NEEDS, None).await?;
        let request = &request;
        desk.amend(|| async move {
            let user = &request.user_id;
            User::find(desk.records(), user).await?.ok_or_else(|| User::missing(user))?;
            desk.app.auth.may_act_as(&desk.caller, user, &request.namespace_scope).await?;
            let secret = secret(desk, request).await?;
            let key = ApiKey {
                id: desk.new_id(),
                user_id: user.clone(),
                name: request.name.clone(),
                namespace_scope: request.namespace_scope.clone(),
                prefix: secret.shown().to_owned(),
                hash: hex(&secret.hash()),
                expires_at: time("expires_at", request.expires_at)?.map(At),
                created_at: At(desk.now()),
            };
            let change = Change::of_keys(key.puts()).target("apikey", &key.id).after(&key);
            let shown = secret.reveal().to_owned();
            Ok((change, ApiKeysCreateResponse { id: key.id, key: shown, prefix: key.prefix }))
        })
        .await
    }
}

/// A new key, whose tag the request names, or else the namespace that the key is for.
async fn secret(desk: &Desk, request: &ApiKeysCreateRequest) -> Result<Secret, Fault> {
    let mut tag = request.key_tag.clone();
    if tag.is_empty() && !request.namespace_scope.is_empty() {
        let namespace = Namespace::find(desk.records(), &request.namespace_scope).await?;
        tag = namespace.map(|namespace| namespace.record.api_key_tag).unwrap_or_default();
    }
    if tag.is_empty() {
        USUAL_TAG.clone_into(&mut tag);
    }
    Secret::new(&desk.settings().key_prefix, &tag).map_err(|error| {
        tracing::error!(%error, "the machine gave no randomness for a key");
        Fault::internal()
    })
}
