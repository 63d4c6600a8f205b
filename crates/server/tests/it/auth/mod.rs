//! Authentication and authorization.

mod auth_server;
mod bootstrap;
mod denials;
mod header;
mod keys;
mod permissions;
mod revoked;
mod settings;
mod standard_roles;
mod whoami;

pub(crate) use auth_server::{anonymous_settings, on_each_store_with_auth, server_with_auth};
