//! Write something down about a letter.

use bytes::Bytes;
use redrive_core::{LetterId, QueueName};

use crate::fact::Facts;
use crate::item::DocKind;
use crate::queue::Why;
use crate::state::document;
use crate::{Moment, Refusal, State};

/// Keeps a note with a letter, in any state; of more than a hundred, the first and the newest.
#[derive(Debug, Clone)]
pub struct Annotate {
    pub queue: QueueName,
    pub letter: LetterId,
    pub note: Bytes,
}

impl Annotate {
    pub const NOTE_BYTES_MAX: usize = 64 * 1024;

    pub fn apply(self, state: &mut State, _moment: Moment, facts: &mut Facts) -> Result<(), Refusal> {
        let number = state.queue_number(&self.queue)?;
        let (slot, _) = state.slot_of_letter(number, self.letter).ok_or(Refusal::NoSuchLetter(self.letter))?;
        if self.note.len() > Self::NOTE_BYTES_MAX {
            return Err(Refusal::ValueTooLong { most: Self::NOTE_BYTES_MAX });
        }
        state.revise(slot, Why::Annotated, document(DocKind::Note, self.note), facts, |_| {});
        Ok(())
    }
}
