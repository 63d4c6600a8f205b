//! The version of what a store writes.

use super::{CorruptRecord, FieldReader, FieldWriter};

/// Stands in the first record of a store and in every checkpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoreFormat {
    pub version: u32,
    pub required: RequiredFeatures,
}

/// What a reader must know to read a store right, one bit each. A writer sets a bit when it first uses the feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RequiredFeatures(u64);

impl RequiredFeatures {
    /// A letter may be held: one that ignores it would retry the letter.
    pub const HELD_LETTERS: Self = Self(1);
    const KNOWN: Self = Self::HELD_LETTERS;
}

impl Default for StoreFormat {
    fn default() -> Self {
        Self { version: Self::VERSION, required: RequiredFeatures::default() }
    }
}

impl StoreFormat {
    /// What this version writes. It only grows where a reader of the version before would read the store wrong.
    pub const VERSION: u32 = 1;

    pub fn write(self, writer: &mut FieldWriter<'_>) {
        writer.u32(1, self.version);
        writer.uint(2, self.required.0);
    }

    /// # Errors
    ///
    /// Where the store needs what this version does not know.
    pub fn read(mut reader: FieldReader<'_>) -> Result<Self, CorruptRecord> {
        let mut format = Self { version: 0, required: RequiredFeatures::default() };
        while let Some((number, value)) = reader.field()? {
            match number {
                1 => format.version = value.u32()?,
                2 => format.required = RequiredFeatures(value.uint()?),
                _ => {}
            }
        }
        let unknown = format.required.0 & !RequiredFeatures::KNOWN.0;
        match format.version {
            0 => Err(CorruptRecord::new("a format has no version")),
            1..=Self::VERSION if unknown == 0 => Ok(format),
            1..=Self::VERSION => Err(CorruptRecord::UnknownFeatures(unknown)),
            newer => Err(CorruptRecord::NewerFormat(newer)),
        }
    }
}
