//! `rolebindings.*`: the roles of users in namespaces.

mod binding;
mod create;
mod delete;
mod list;

pub(crate) use binding::Binding;
pub(crate) use create::Create;
pub(crate) use delete::Delete;
pub(crate) use list::List;
