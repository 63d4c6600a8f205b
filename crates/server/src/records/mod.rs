//! Records in the store's key space: how they are named, and how they are written. `docs/key-space.md` has them all.

mod at;
mod ids;
mod key;
mod record;
mod records;

pub(crate) use at::At;
pub(crate) use ids::Ids;
pub(crate) use key::{key, key_from};
pub(crate) use record::{Link, Read, Record, delete, put, value};
pub(crate) use records::Records;
