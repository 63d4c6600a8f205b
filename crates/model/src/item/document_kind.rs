//! What is kept about an item besides its content.

/// The kinds of documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DocumentKind {
    /// A [`CaptureContext`](crate::CaptureContext): where the letter came from and what was known at its capture.
    Context,
    /// An [`Attempt`](crate::Attempt): the record of one attempt.
    Attempt,
    /// The [`Content`](crate::Content) before it was edited.
    Original,
    /// What an operator wrote down.
    Note,
    /// The parts of the work that are still to be done, as [`Parts`](crate::Parts).
    Parts,
}

impl DocumentKind {
    pub const ALL: [Self; 5] = [Self::Context, Self::Attempt, Self::Original, Self::Note, Self::Parts];
    /// The documents that a captured letter keeps in one record with its content, in this order.
    pub const HEADER: [Self; 2] = [Self::Context, Self::Attempt];

    /// How many of a kind are kept. Beyond that the second oldest is dropped: the first shows how it began. Of the parts
    /// only the newest are kept.
    pub const fn most(self) -> usize {
        match self {
            Self::Context | Self::Original | Self::Parts => 1,
            Self::Attempt => 21,
            Self::Note => 100,
        }
    }
}
