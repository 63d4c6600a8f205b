//! Where a document stands outside the state machine.

/// Where a payload or another document is kept, in the words of whoever keeps it. The state machine only
/// remembers it and counts how much of each shelf is still in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DocumentRef {
    /// A part of the storage that is given back as a whole.
    pub shelf: u32,
    pub offset: u32,
    pub len: u32,
}

impl DocumentRef {
    const PENDING: u32 = u32::MAX;

    /// Nowhere: what an item holds that was read without its documents.
    pub const NONE: Self = Self { shelf: Self::PENDING, offset: u32::MAX, len: 0 };

    /// Not kept yet: it is in this record of the facts of today.
    pub const fn pending(record: u32) -> Self {
        Self { shelf: Self::PENDING, offset: record, len: 0 }
    }

    /// Whether somebody keeps it.
    pub const fn is_kept(self) -> bool {
        self.shelf != Self::PENDING
    }

    /// The record of today's facts that holds the document; `None` once it is kept.
    pub fn pending_in(self) -> Option<usize> {
        (self.shelf == Self::PENDING && self != Self::NONE).then_some(self.offset as usize)
    }
}
