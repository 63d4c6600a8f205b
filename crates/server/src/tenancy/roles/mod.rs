//! `roles.*`: named sets of permissions in a namespace.

mod calls;
mod role;
mod standard;

pub(crate) use calls::{Create, Delete, List, Update};
pub(crate) use role::Role;
pub(crate) use standard::Standard;
