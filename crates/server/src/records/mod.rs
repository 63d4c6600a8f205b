//! Records in the store's key space: their keys and their encoding. `docs/key-space.md` lists all of them.

mod ids;
mod key;
mod record;
mod record_time;
mod records;

pub(crate) use ids::Ids;
pub(crate) use key::{key, key_after, key_from};
pub(crate) use record::{Link, Read, Record, delete, put, read_value, value};
pub(crate) use record_time::RecordTime;
pub(crate) use records::Records;
