//! What a plan consists of.

use redrive_core::LetterId;

/// What is to be done for one failure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CaptureStep {
    /// It was captured before.
    Duplicate(Target),
    /// Its record is added to a letter.
    Merge(Target),
    New(NewLetterStep),
}

/// A letter that is to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewLetterStep {
    pub generation: u32,
    /// The live letter of the same work, which is archived first.
    pub supersedes: Option<Target>,
    /// The queue is full: where the letter has a retry, that waits for room.
    pub is_over: bool,
    /// The letters that must be completed before it is retried, in order.
    pub waits_for: Vec<LetterId>,
}

/// A letter that a step is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// One that the queue held before the request.
    Slot(u32),
    /// The one that this request makes of its failure of this index.
    Made(usize),
}
