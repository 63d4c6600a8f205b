//! `rolebindings.*`: the roles of users in namespaces.

mod binding;
mod calls;

pub(crate) use binding::Binding;
pub(crate) use calls::{Create, Delete, List};
