//! One change to be written to the index.

use redrive_core::{LetterId, QueueName};
use redrive_model::{FullLetter, ItemState};

use crate::document::{Extent, delete_lines, index_lines};

/// One change to be written to the index: the current state of a letter, or its removal.
#[derive(Debug)]
pub(crate) struct Op {
    pub(crate) letter: LetterId,
    /// The acknowledged revision; a removal acknowledges all earlier ones.
    pub(crate) revision: u64,
    pub(crate) lines: Vec<u8>,
    kind: ChangeKind,
}

#[derive(Debug)]
enum ChangeKind {
    Index { queue: QueueName, record: Box<FullLetter>, extent: Extent },
    Delete,
}

impl Op {
    /// Writes the letter; `None` for a plain item, and for a damaged letter, because the copy in the index is complete.
    pub(crate) fn index(queue: QueueName, record: Box<FullLetter>) -> Option<Self> {
        let letter = record.info.letter.as_deref().filter(|_| record.info.state != ItemState::Damaged)?;
        let (id, revision) = (letter.id, letter.revision);
        let extent = Extent::Complete;
        let lines = index_lines(&queue, &record, extent)?;
        Some(Self { letter: id, revision, lines, kind: ChangeKind::Index { queue, record, extent } })
    }

    /// Removes the letter.
    pub(crate) fn delete(letter: LetterId) -> Self {
        Self { letter, revision: u64::MAX, lines: delete_lines(letter), kind: ChangeKind::Delete }
    }

    pub(crate) fn is_delete(&self) -> bool {
        matches!(self.kind, ChangeKind::Delete)
    }

    pub(crate) fn is_reduced(&self) -> bool {
        matches!(self.kind, ChangeKind::Index { extent: Extent::Reduced | Extent::Minimal, .. })
    }

    /// Returns the same change with reduced content; `None` if it cannot be reduced further.
    pub(crate) fn reduced(self) -> Option<Self> {
        let ChangeKind::Index { queue, record, extent } = self.kind else { return None };
        let extent = extent.smaller()?;
        let lines = index_lines(&queue, &record, extent)?;
        Some(Self { lines, kind: ChangeKind::Index { queue, record, extent }, ..self })
    }
}

#[cfg(test)]
mod tests {
    use redrive_model::KeptLetter;

    use super::*;

    #[test]
    fn a_damaged_letter_does_not_replace_a_complete_copy() {
        let mut letter = KeptLetter::read(include_str!("../../tests/it/kept_letter.json")).unwrap();
        let queue = QueueName::new("dead").unwrap();
        assert!(Op::index(queue.clone(), Box::new(letter.clone())).is_some());
        letter.info.state = ItemState::Damaged;
        assert!(Op::index(queue, Box::new(letter)).is_none());
    }
}
