//! `namespaces.*`: the namespaces that queues, roles and bindings belong to.

mod create;
mod delete;
mod list;
mod namespace;
mod update;

pub(crate) use create::Create;
pub(crate) use delete::Delete;
pub(crate) use list::List;
pub(crate) use namespace::Namespace;
pub(crate) use update::Update;
