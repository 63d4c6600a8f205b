//! `users.*`: the users that API keys and roles belong to.

mod calls;
mod known_users;
mod user;

pub(crate) use calls::{Create, Delete, List};
pub(crate) use known_users::KnownUsers;
pub(crate) use user::User;
