//! `namespaces.*`: the namespaces that queues, roles and bindings belong to.

mod calls;
mod namespace;

pub(crate) use calls::{Create, Delete, List, Update};
pub(crate) use namespace::Namespace;
