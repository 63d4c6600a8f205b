//! Requests as the Go client sends them: protobuf without an `Accept` header, answered in JSON.

use http::StatusCode;
use redrive_proto::querator::{
    ApiKeysCreateRequest, ApiKeysCreateResponse, ApiKeysDeleteRequest, ApiKeysListRequest, ApiKeysListResponse,
    NamespaceInfo, NamespacesDeleteRequest, NamespacesListRequest, NamespacesListResponse, RoleBindingsCreateRequest,
    RoleBindingsCreateResponse, RoleBindingsDeleteRequest, RoleBindingsListRequest, RoleBindingsListResponse,
    RolesCreateRequest, RolesCreateResponse, RolesDeleteRequest, RolesListRequest, RolesListResponse,
    RolesUpdateRequest, UsersCreateRequest, UsersCreateResponse, UsersDeleteRequest, UsersListRequest,
    UsersListResponse,
};

use crate::harness::{Caller, on_each_store};

async fn sent(
    caller: &mut Caller,
    path: &str,
    message: &impl redrive_proto::prost::Message,
) -> crate::harness::Response {
    let response = caller.post_protobuf(&format!("/v1/{path}"), message).await;
    assert_eq!(response.status, StatusCode::OK, "{path}: {}", response.text());
    assert_eq!(response.headers["content-type"], "application/json");
    assert_eq!(response.headers["x-content-type-options"], "nosniff");
    response
}

#[test]
fn every_tenancy_call_accepts_protobuf_and_answers_in_json() {
    on_each_store(async |server| {
        let caller = &mut server.caller().await;
        let (namespace, name) = ("shop".to_owned(), "clerk".to_owned());
        let info = NamespaceInfo { name: namespace.clone(), ..NamespaceInfo::default() };
        sent(caller, "namespaces.create", &info).await;
        sent(caller, "namespaces.update", &info).await;
        let list: NamespacesListResponse =
            sent(caller, "namespaces.list", &NamespacesListRequest::default()).await.read();
        assert_eq!(list.items.len(), 2);

        let request = UsersCreateRequest { username: "ann".to_owned(), ..UsersCreateRequest::default() };
        let user: UsersCreateResponse = sent(caller, "users.create", &request).await.read();
        let list: UsersListResponse = sent(caller, "users.list", &UsersListRequest::default()).await.read();
        assert_eq!(list.items[0].id, user.id);

        let request = ApiKeysCreateRequest { user_id: user.id.clone(), ..ApiKeysCreateRequest::default() };
        let key: ApiKeysCreateResponse = sent(caller, "apikeys.create", &request).await.read();
        let list: ApiKeysListResponse = sent(caller, "apikeys.list", &ApiKeysListRequest::default()).await.read();
        assert_eq!(list.items[0].prefix, key.prefix);
        sent(caller, "apikeys.delete", &ApiKeysDeleteRequest { id: key.id }).await;

        let permissions = vec!["queue.lease".to_owned()];
        let request = RolesCreateRequest { namespace: namespace.clone(), name: name.clone(), permissions };
        let role: RolesCreateResponse = sent(caller, "roles.create", &request).await.read();
        let permissions = Vec::new();
        let request = RolesUpdateRequest { namespace: namespace.clone(), name: name.clone(), permissions };
        sent(caller, "roles.update", &request).await;
        let request = RolesListRequest { namespace: namespace.clone(), ..RolesListRequest::default() };
        let list: RolesListResponse = sent(caller, "roles.list", &request).await.read();
        assert_eq!(list.items[0].id, role.id);

        let (role_name, user_id) = (name.clone(), user.id.clone());
        let request = RoleBindingsCreateRequest { namespace: namespace.clone(), role_name, user_id };
        let binding: RoleBindingsCreateResponse = sent(caller, "rolebindings.create", &request).await.read();
        let request = RoleBindingsListRequest { namespace: namespace.clone(), ..RoleBindingsListRequest::default() };
        let list: RoleBindingsListResponse = sent(caller, "rolebindings.list", &request).await.read();
        assert_eq!(list.items[0].id, binding.id);
        let (role_name, user_id) = (name.clone(), user.id.clone());
        let request = RoleBindingsDeleteRequest { namespace: namespace.clone(), role_name, user_id };
        sent(caller, "rolebindings.delete", &request).await;

        sent(caller, "roles.delete", &RolesDeleteRequest { namespace: namespace.clone(), name }).await;
        sent(caller, "users.delete", &UsersDeleteRequest { id: user.id }).await;
        sent(caller, "namespaces.delete", &NamespacesDeleteRequest { name: namespace }).await;
    });
}
