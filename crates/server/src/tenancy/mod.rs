//! Namespaces, users, API keys, roles and role bindings, and the identity of the caller.

mod admin;
pub(crate) mod apikeys;
mod bootstrap;
mod change;
mod field;
pub(crate) mod namespaces;
pub(crate) mod rolebindings;
pub(crate) mod roles;
pub(crate) mod users;
pub(crate) mod whoami;

pub use admin::{AdminKey, AdminKeyError};
pub(crate) use apikeys::ApiKey;
pub(crate) use namespaces::Namespace;
pub(crate) use rolebindings::Binding;
pub(crate) use roles::Role;
pub(crate) use users::{KnownUsers, User};
