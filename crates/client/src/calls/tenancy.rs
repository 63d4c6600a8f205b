//! `namespaces.*`, `users.*`, `apikeys.*`, `roles.*` and `rolebindings.*`: tenancy and permissions.

use redrive_proto::querator::{
    ApiKeysCreateRequest, ApiKeysCreateResponse, ApiKeysDeleteRequest, ApiKeysListRequest, ApiKeysListResponse,
    NamespaceInfo, NamespacesDeleteRequest, NamespacesListRequest, NamespacesListResponse, RoleBindingsCreateRequest,
    RoleBindingsCreateResponse, RoleBindingsDeleteRequest, RoleBindingsListRequest, RoleBindingsListResponse,
    RolesCreateRequest, RolesCreateResponse, RolesDeleteRequest, RolesListRequest, RolesListResponse,
    RolesUpdateRequest, UsersCreateRequest, UsersCreateResponse, UsersDeleteRequest, UsersListRequest,
    UsersListResponse,
};

use crate::call::Call;
use crate::{Client, ClientError};

impl Client {
    // Namespaces

    pub async fn create_namespace(&self, namespace: &NamespaceInfo) -> Result<(), ClientError> {
        self.execute(Call::act("/v1/namespaces.create"), namespace).await
    }

    /// Replaces the description and the tag even if they are empty.
    pub async fn update_namespace(&self, namespace: &NamespaceInfo) -> Result<(), ClientError> {
        self.execute(Call::act("/v1/namespaces.update"), namespace).await
    }

    pub async fn list_namespaces(
        &self,
        request: &NamespacesListRequest,
    ) -> Result<NamespacesListResponse, ClientError> {
        self.call(Call::read("/v1/namespaces.list"), request).await
    }

    /// Deletes an empty namespace.
    pub async fn delete_namespace(&self, request: &NamespacesDeleteRequest) -> Result<(), ClientError> {
        self.execute(Call::act("/v1/namespaces.delete"), request).await
    }

    // Users

    pub async fn create_user(&self, request: &UsersCreateRequest) -> Result<UsersCreateResponse, ClientError> {
        self.call(Call::act("/v1/users.create"), request).await
    }

    pub async fn list_users(&self, request: &UsersListRequest) -> Result<UsersListResponse, ClientError> {
        self.call(Call::read("/v1/users.list"), request).await
    }

    /// Deletes a user with its keys and bindings.
    pub async fn delete_user(&self, request: &UsersDeleteRequest) -> Result<(), ClientError> {
        self.execute(Call::act("/v1/users.delete"), request).await
    }

    // Keys

    /// Creates a key. The answer is the only place where the key is shown.
    pub async fn create_api_key(&self, request: &ApiKeysCreateRequest) -> Result<ApiKeysCreateResponse, ClientError> {
        self.call(Call::act("/v1/apikeys.create"), request).await
    }

    pub async fn list_api_keys(&self, request: &ApiKeysListRequest) -> Result<ApiKeysListResponse, ClientError> {
        self.call(Call::read("/v1/apikeys.list"), request).await
    }

    pub async fn delete_api_key(&self, request: &ApiKeysDeleteRequest) -> Result<(), ClientError> {
        self.execute(Call::act("/v1/apikeys.delete"), request).await
    }

    // Roles

    pub async fn create_role(&self, request: &RolesCreateRequest) -> Result<RolesCreateResponse, ClientError> {
        self.call(Call::act("/v1/roles.create"), request).await
    }

    /// Replaces the permissions of a role.
    pub async fn update_role(&self, request: &RolesUpdateRequest) -> Result<(), ClientError> {
        self.execute(Call::act("/v1/roles.update"), request).await
    }

    pub async fn list_roles(&self, request: &RolesListRequest) -> Result<RolesListResponse, ClientError> {
        self.call(Call::read("/v1/roles.list"), request).await
    }

    pub async fn delete_role(&self, request: &RolesDeleteRequest) -> Result<(), ClientError> {
        self.execute(Call::act("/v1/roles.delete"), request).await
    }

    // Bindings

    pub async fn create_role_binding(
        &self,
        request: &RoleBindingsCreateRequest,
    ) -> Result<RoleBindingsCreateResponse, ClientError> {
        self.call(Call::act("/v1/rolebindings.create"), request).await
    }

    pub async fn list_role_bindings(
        &self,
        request: &RoleBindingsListRequest,
    ) -> Result<RoleBindingsListResponse, ClientError> {
        self.call(Call::read("/v1/rolebindings.list"), request).await
    }

    pub async fn delete_role_binding(&self, request: &RoleBindingsDeleteRequest) -> Result<(), ClientError> {
        self.execute(Call::act("/v1/rolebindings.delete"), request).await
    }
}
