//! Namespaces, users, API keys, roles, bindings, contexts and `redrive whoami`.

mod all_namespaces;
mod bindings;
mod contexts;
mod denials;
mod isolation;
mod keys;
mod namespaces;
mod roles;
mod secured_server;
mod users;
mod whoami;

pub(crate) use secured_server::SecuredServer;
