//! `users.*`: the users that API keys and roles belong to.

mod create;
mod delete;
mod list;
mod user;

pub(crate) use create::Create;
pub(crate) use delete::Delete;
pub(crate) use list::List;
pub(crate) use user::User;
