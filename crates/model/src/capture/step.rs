//! The steps of a capture plan.

use redrive_core::LetterId;

/// The step for one failure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CaptureStep {
    /// The failure was captured before.
    Duplicate(Target),
    /// The record of the attempt is added to a letter.
    Merge(Target),
    /// The work was handed back and has failed again: its letter is open again, if it was completed.
    FailedAgain(Target),
    New(NewLetterStep),
}

/// A letter to create.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewLetterStep {
    pub generation: u32,
    /// The live letter of the same work, which is archived first.
    pub supersedes: Option<Target>,
    /// The queue is full: a retry of the letter waits until the queue has space.
    pub is_over: bool,
    /// The letters that must be completed before this one is retried, in order.
    pub waits_for: Vec<LetterId>,
}

/// The letter that a step refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    /// An existing letter of the queue.
    Slot(u32),
    /// The letter that this request creates for the failure with this index.
    Made(usize),
}
