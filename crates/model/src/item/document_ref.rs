//! The place of a document in the storage.

/// The place of a payload or another document in the storage of the store. The state machine does not interpret it; it
/// only counts the bytes in use per segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DocumentRef {
    /// The unit in which the storage is freed, for example a segment of the journal.
    pub segment: u32,
    pub offset: u32,
    pub len: u32,
}

impl DocumentRef {
    const PENDING: u32 = u32::MAX;

    /// No place: the value in an item that was decoded without its documents.
    pub const NONE: Self = Self { segment: Self::PENDING, offset: u32::MAX, len: 0 };

    /// Not stored yet: the document is in this record of the current batch of facts.
    pub const fn pending(record: u32) -> Self {
        Self { segment: Self::PENDING, offset: record, len: 0 }
    }

    /// Whether the document is stored.
    pub const fn is_kept(self) -> bool {
        self.segment != Self::PENDING
    }

    /// The record of the current batch of facts that holds the document; `None` once it is stored.
    pub fn pending_in(self) -> Option<usize> {
        (self.segment == Self::PENDING && self != Self::NONE).then_some(self.offset as usize)
    }
}
