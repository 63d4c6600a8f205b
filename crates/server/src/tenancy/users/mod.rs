//! `users.*`: who may have keys and roles.

mod create;
mod delete;
mod list;
mod user;

pub(crate) use create::Create;
pub(crate) use delete::Delete;
pub(crate) use list::List;
pub(crate) use user::User;
