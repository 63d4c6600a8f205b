//! Write something down about a letter.

use bytes::Bytes;
use redrive_core::{LetterId, QueueName};

use crate::Rejection;

/// Keeps a note with a letter, in any state; of more than a hundred, the first and the newest.
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
