//! Records, their numbers and their locations.

use std::fmt;

use bytes::Bytes;

/// The sequence number of a record. Numbers start at 1 and have no gaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seq(pub u64);

impl Seq {
    pub const FIRST: Self = Self(1);
}

impl fmt::Display for Seq {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The position of a record: segment and byte offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    pub segment: u32,
    pub offset: u32,
    /// The length of the body.
    pub len: u32,
}

/// A record passed to a visitor while a segment is read in order. It borrows the read buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record<'s> {
    pub seq: Seq,
    pub kind: u8,
    pub body: &'s [u8],
    pub location: Location,
}

/// A record that was read by its [`Location`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnedRecord {
    pub seq: Seq,
    pub kind: u8,
    pub body: Bytes,
}
