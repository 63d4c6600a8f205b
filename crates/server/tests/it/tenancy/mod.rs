//! Namespaces, users, keys, roles, bindings: every call and every message.

mod across;
mod apikeys;
mod between;
mod concurrency;
mod go_client;
mod lists;
mod meddler;
mod names;
mod namespaces;
mod restart;
mod rolebindings;
mod roles;
mod users;
mod who_may;
mod words;

pub(crate) use meddler::Meddler;
pub(crate) use words::{bind, key_of, namespace, refused, role, second_server, user};
