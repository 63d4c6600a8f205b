//! `storage/*`: listing, importing and deleting stored items.

mod delete;
mod import;
mod item;
mod list;

pub(crate) use delete::Delete;
pub(crate) use import::Import;
pub(crate) use list::{ListDamaged, ListItems, ListScheduled};
