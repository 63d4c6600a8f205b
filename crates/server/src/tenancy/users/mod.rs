//! `users.*`: the users that API keys and roles belong to.

mod calls;
mod user;

pub(crate) use calls::{Create, Delete, List};
pub(crate) use user::User;
