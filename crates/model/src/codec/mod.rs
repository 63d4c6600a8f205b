//! The stored form of items, letters and contents, which every later version can read.
//!
//! Fields are tagged, so that a later version can add fields and an earlier one skips them. A field that an earlier
//! version must not ignore has a bit in [`RequiredFeatures`]: a store that uses it sets the bit, and a version that
//! does not know the bit refuses to open the store.

mod content;
mod field_reader;
mod field_writer;
mod format;
mod item;
mod letter;

pub use field_reader::{FieldReader, FieldValue};
pub use field_writer::FieldWriter;
pub use format::{RequiredFeatures, StoreFormat};
pub use item::{read_item, read_stamp, write_item, write_stamp};

pub use crate::read_fields;

/// A record that cannot be decoded: written by another version, or not by Redrive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CorruptRecord {
    #[error("a record cannot be decoded: {0}")]
    Malformed(&'static str),
    #[error("this store was written before its format was fixed; export it with that version and import it here")]
    OldFormat,
    #[error("this store was written in format {0}, which this version does not know; open it with a newer version")]
    NewerFormat(u32),
    #[error("this store needs features that this version does not have (bits {0:#x}); open it with a newer version")]
    UnknownFeatures(u64),
}

impl CorruptRecord {
    pub const fn new(what: &'static str) -> Self {
        Self::Malformed(what)
    }

    /// Whether another version can read it.
    pub const fn is_of_other_format(self) -> bool {
        matches!(self, Self::OldFormat | Self::NewerFormat(_) | Self::UnknownFeatures(_))
    }
}
