//! The papers of a letter: what stands before its content, in the same record.

use bytes::Bytes;

use super::{Attempt, CaptureContext};

/// The papers of most letters take no more.
const PAPERS_BYTES: usize = 512;

/// The papers of a letter: they stand before its content, in the same record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LetterHeader {
    pub context: Bytes,
    /// The record of its first attempt.
    pub attempt: Bytes,
}

impl LetterHeader {
    /// Both in one piece of memory: there may be many of them at a time.
    pub fn of(context: &CaptureContext, attempt: &Attempt) -> Self {
        let mut papers = Vec::with_capacity(PAPERS_BYTES);
        context.write(&mut papers);
        let end = papers.len();
        attempt.write(&mut papers);
        let context = Bytes::from(papers);
        let attempt = context.slice(end..);
        Self { context: context.slice(..end), attempt }
    }
}
