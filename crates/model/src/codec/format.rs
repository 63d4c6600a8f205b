//! The version of the store format.

use super::{CorruptRecord, FieldReader, FieldWriter, read_fields};

/// The format of a store: part of its first record and of every checkpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoreFormat {
    pub version: u32,
    pub required: RequiredFeatures,
}

/// The features that a reader must support to read a store correctly, one bit each. A writer sets a bit when it first
/// uses the feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RequiredFeatures(u64);

impl RequiredFeatures {
    /// Letters may be held: a reader that ignores this would retry a held letter.
    pub const HELD_LETTERS: Self = Self(1);
    const KNOWN: Self = Self::HELD_LETTERS;
}

impl Default for StoreFormat {
    fn default() -> Self {
        Self { version: Self::VERSION, required: RequiredFeatures::default() }
    }
}

impl StoreFormat {
    /// The version that is written. It increases only if readers of the previous version would misread the store.
    pub const VERSION: u32 = 1;

    pub fn write(self, writer: &mut FieldWriter<'_>) {
        writer.u32(1, self.version);
        writer.uint(2, self.required.0);
    }

    /// # Errors
    ///
    /// If the store has a newer version or needs features that this version does not support.
    pub fn read(mut reader: FieldReader<'_>) -> Result<Self, CorruptRecord> {
        let mut format = Self { version: 0, required: RequiredFeatures::default() };
        read_fields!(reader, value => {
            1 => format.version = value.u32()?,
            2 => format.required = RequiredFeatures(value.uint()?),
        });
        let unknown = format.required.0 & !RequiredFeatures::KNOWN.0;
        match format.version {
            0 => Err(CorruptRecord::new("a format has no version")),
            1..=Self::VERSION if unknown == 0 => Ok(format),
            1..=Self::VERSION => Err(CorruptRecord::UnknownFeatures(unknown)),
            newer => Err(CorruptRecord::NewerFormat(newer)),
        }
    }
}
