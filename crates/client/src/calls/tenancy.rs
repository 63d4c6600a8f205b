//! `namespaces.*`, `users.*`, `apikeys.*`, `roles.*` and `rolebindings.*`: tenancy and permissions.

use redrive_proto::querator::{
    ApiKeysCreateRequest, ApiKeysCreateResponse, ApiKeysDeleteRequest, ApiKeysListRequest, ApiKeysListResponse,
    NamespaceInfo, NamespacesDeleteRequest, NamespacesListRequest, NamespacesListResponse, RoleBindingsCreateRequest,
    RoleBindingsCreateResponse, RoleBindingsDeleteRequest, RoleBindingsListRequest, RoleBindingsListResponse,
    RolesCreateRequest, RolesCreateResponse, RolesDeleteRequest, RolesListRequest, RolesListResponse,
    RolesUpdateRequest, UsersCreateRequest, UsersCreateResponse, UsersDeleteRequest, UsersListRequest,
    UsersListResponse,
};

use super::table::calls;

calls! {
    // Namespaces
    create_namespace(NamespaceInfo) -> () = execute act "/v1/namespaces.create";
    /// Replaces the description and the tag even if they are empty.
    update_namespace(NamespaceInfo) -> () = execute act "/v1/namespaces.update";
    list_namespaces(NamespacesListRequest) -> NamespacesListResponse = call read "/v1/namespaces.list";
    /// Deletes an empty namespace.
    delete_namespace(NamespacesDeleteRequest) -> () = execute act "/v1/namespaces.delete";

    // Users
    create_user(UsersCreateRequest) -> UsersCreateResponse = call act "/v1/users.create";
    list_users(UsersListRequest) -> UsersListResponse = call read "/v1/users.list";
    /// Deletes a user with its keys and bindings.
    delete_user(UsersDeleteRequest) -> () = execute act "/v1/users.delete";

    // Keys
    /// Creates a key. The answer is the only place where the key is shown.
    create_api_key(ApiKeysCreateRequest) -> ApiKeysCreateResponse = call act "/v1/apikeys.create";
    list_api_keys(ApiKeysListRequest) -> ApiKeysListResponse = call read "/v1/apikeys.list";
    delete_api_key(ApiKeysDeleteRequest) -> () = execute act "/v1/apikeys.delete";

    // Roles
    create_role(RolesCreateRequest) -> RolesCreateResponse = call act "/v1/roles.create";
    /// Replaces the permissions of a role.
    update_role(RolesUpdateRequest) -> () = execute act "/v1/roles.update";
    list_roles(RolesListRequest) -> RolesListResponse = call read "/v1/roles.list";
    delete_role(RolesDeleteRequest) -> () = execute act "/v1/roles.delete";

    // Bindings
    create_role_binding(RoleBindingsCreateRequest) -> RoleBindingsCreateResponse = call act "/v1/rolebindings.create";
    list_role_bindings(RoleBindingsListRequest) -> RoleBindingsListResponse = call read "/v1/rolebindings.list";
    delete_role_binding(RoleBindingsDeleteRequest) -> () = execute act "/v1/rolebindings.delete";
}
