//! The header of a letter, stored before its content in the same record.

use bytes::Bytes;

use super::{Attempt, CaptureContext};

/// Enough for most headers.
const HEADER_BYTES: usize = 512;

/// The header of a letter, stored before its content in the same record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LetterHeader {
    pub context: Bytes,
    /// The record of the first attempt.
    pub attempt: Bytes,
}

impl LetterHeader {
    /// Encodes both documents into one allocation: many headers may exist at the same time.
    pub fn of(context: &CaptureContext, attempt: &Attempt) -> Self {
        let mut header = Vec::with_capacity(HEADER_BYTES);
        context.write(&mut header);
        let end = header.len();
        attempt.write(&mut header);
        let context = Bytes::from(header);
        let attempt = context.slice(end..);
        Self { context: context.slice(..end), attempt }
    }
}
