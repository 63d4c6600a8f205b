//! One change on its way to the index.

use redrive_core::{LetterId, QueueName};
use redrive_model::{FullLetter, ItemState};

use crate::document::{Extent, delete_lines, index_lines};

/// One change on its way to the index: the newest state of a letter, or its end.
#[derive(Debug)]
pub(crate) struct Op {
    pub(crate) letter: LetterId,
    /// What is acknowledged with it; the end of a letter acknowledges everything before.
    pub(crate) revision: u64,
    pub(crate) lines: Vec<u8>,
    what: What,
}

#[derive(Debug)]
enum What {
    Index { queue: QueueName, record: Box<FullLetter>, extent: Extent },
    Delete,
}

impl Op {
    /// Writes the letter; `None` for a record of a plain item, and for a damaged letter: a copy that the index has is whole.
    pub(crate) fn index(queue: QueueName, record: Box<FullLetter>) -> Option<Self> {
        let letter = record.info.letter.as_deref().filter(|_| record.info.state != ItemState::Damaged)?;
        let (id, revision) = (letter.id, letter.revision);
        let extent = Extent::Whole;
        let lines = index_lines(&queue, &record, extent)?;
        Some(Self { letter: id, revision, lines, what: What::Index { queue, record, extent } })
    }

    /// Removes the letter.
    pub(crate) fn delete(letter: LetterId) -> Self {
        Self { letter, revision: u64::MAX, lines: delete_lines(letter), what: What::Delete }
    }

    pub(crate) fn is_delete(&self) -> bool {
        matches!(self.what, What::Delete)
    }

    pub(crate) fn is_reduced(&self) -> bool {
        matches!(self.what, What::Index { extent: Extent::Plain | Extent::Bare, .. })
    }

    /// The same change with less in it; `None` when there is nothing left to leave out.
    pub(crate) fn reduced(self) -> Option<Self> {
        let What::Index { queue, record, extent } = self.what else { return None };
        let extent = extent.less()?;
        let lines = index_lines(&queue, &record, extent)?;
        Some(Self { lines, what: What::Index { queue, record, extent }, ..self })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::KeptLetter;

    #[test]
    fn what_is_left_of_a_damaged_letter_does_not_replace_a_whole_copy() {
        let mut letter = KeptLetter::read(include_str!("../../tests/it/kept_letter.json")).unwrap();
        let queue = QueueName::new("dead").unwrap();
        assert!(Op::index(queue.clone(), Box::new(letter.clone())).is_some());
        letter.info.state = ItemState::Damaged;
        assert!(Op::index(queue, Box::new(letter)).is_none());
    }
}
