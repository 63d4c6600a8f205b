//! The kinds of documents that are stored with an item besides its content.

/// The kind of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DocumentKind {
    /// A [`CaptureContext`](crate::CaptureContext): the origin of the letter and the data of its capture.
    Context,
    /// An [`Attempt`](crate::Attempt): the record of one attempt.
    Attempt,
    /// The [`Content`](crate::Content) before it was edited.
    Original,
    /// A note of an operator.
    Note,
    /// The remaining parts of the work, as [`Parts`](crate::Parts).
    Parts,
    /// The text of the latest failure, as its holder left it for the next delivery.
    LastError = 6,
    /// The verdict that a holder left for the next delivery.
    Verdict = 7,
}

impl DocumentKind {
    pub const ALL: [Self; 7] =
        [Self::Context, Self::Attempt, Self::Original, Self::Note, Self::Parts, Self::LastError, Self::Verdict];
    /// The documents that a captured letter stores in one record with its content, in this order.
    pub const HEADER: [Self; 2] = [Self::Context, Self::Attempt];

    /// The maximum number of documents of this kind. Beyond it, the second oldest is dropped: the first shows the
    /// original failure. Of the notes for the next delivery (parts, error, verdict), only the newest document is kept.
    pub const fn most(self) -> usize {
        match self {
            Self::Context | Self::Original | Self::Parts | Self::LastError | Self::Verdict => 1,
            Self::Attempt => 21,
            Self::Note => 100,
        }
    }

    /// Whether a new document replaces the earlier one of its kind.
    pub const fn is_replaced(self) -> bool {
        matches!(self, Self::Parts | Self::LastError | Self::Verdict)
    }

    /// The kind with this number in a record. Number 5 is reserved.
    pub fn of_number(number: u64) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| *kind as u64 == number)
    }
}
