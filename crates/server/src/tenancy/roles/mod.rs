//! `roles.*`: named sets of permissions in a namespace.

mod create;
mod delete;
mod list;
mod role;
mod standard;
mod update;

pub(crate) use create::Create;
pub(crate) use delete::Delete;
pub(crate) use list::List;
pub(crate) use role::Role;
pub(crate) use standard::Standard;
pub(crate) use update::Update;
