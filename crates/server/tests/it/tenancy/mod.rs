//! Namespaces, users, API keys, roles and role bindings: every call and every error message.

mod apikeys;
mod concurrency;
mod go_client;
mod interleaving;
mod interleaving_store;
mod isolation;
mod lists;
mod model;
mod names;
mod namespaces;
mod restart;
mod rolebindings;
mod roles;
mod setup;
mod users;

pub(crate) use interleaving_store::InterleavingStore;
pub(crate) use setup::{assert_rejected, bind, key_of, namespace, role, second_server, user};
