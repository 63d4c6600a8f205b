//! `queues.*`: creating, updating, listing and deleting queues.

mod create;
mod delete;
mod info;
mod list;
mod settings;
mod update;

pub(crate) use create::Create;
pub(crate) use delete::Delete;
pub(crate) use info::Info;
pub(crate) use list::{List, pivot};
pub(crate) use settings::namespace;
pub(crate) use update::Update;
