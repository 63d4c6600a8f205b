//! `roles.*`: named sets of permissions in a namespace.

mod calls;
mod role;
mod standard;

pub(crate) use calls::{Create, Delete, List, Update};
pub(crate) use role::{Role, permission_named};
pub(crate) use standard::Standard;
