//! Add a note to a letter.

use bytes::Bytes;
use redrive_core::{LetterId, QueueName};

use crate::Rejection;

/// Adds a note to a letter in any state. A letter keeps at most a hundred notes: the first and the newest ones.
#[derive(Debug, Clone)]
pub struct Annotate {
    pub queue: QueueName,
    pub letter: LetterId,
    pub note: Bytes,
}

impl Annotate {
    pub const NOTE_BYTES_MAX: usize = 64 * 1024;

    pub fn check(&self) -> Result<(), Rejection> {
        let most = Self::NOTE_BYTES_MAX;
        if self.note.len() > most { Err(Rejection::ValueTooLong { most }) } else { Ok(()) }
    }
}
