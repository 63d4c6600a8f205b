//! Namespaces, and who may do what in them: users, their keys, roles, and who has which role where.

mod admin;
mod amend;
pub(crate) mod apikeys;
mod bootstrap;
mod field;
pub(crate) mod namespaces;
pub(crate) mod rolebindings;
pub(crate) mod roles;
pub(crate) mod users;

pub use admin::{AdminKey, AdminKeyError};
pub(crate) use apikeys::ApiKey;
pub(crate) use namespaces::Namespace;
pub(crate) use rolebindings::Binding;
pub(crate) use roles::Role;
pub(crate) use users::User;
