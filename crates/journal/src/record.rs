//! What the journal holds.

use std::fmt;

use bytes::Bytes;

/// The number of a record. The first is 1, and none is left out.
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

/// Where a record stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    pub segment: u32,
    pub offset: u32,
    /// The length of the body.
    pub len: u32,
}

/// A record as it is read in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record<'s> {
    pub seq: Seq,
    pub kind: u8,
    pub body: &'s [u8],
    pub location: Location,
}

/// A record that was read by its location.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnedRecord {
    pub seq: Seq,
    pub kind: u8,
    pub body: Bytes,
}
