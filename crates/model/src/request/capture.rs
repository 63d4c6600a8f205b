//! Make letters of failures.
//!
//! A failure that is told twice is one letter: by its source id, or by the message of the source that it came
//! from. Whoever captures before acknowledging at the source may therefore capture again after a crash.

use redrive_core::{CaptureReason, LetterId, QueueName, RetryPolicy, Status};

use crate::{CaptureBatch, Content, NewLetter, Rejection};

/// Failures that become letters of a dead queue.
#[derive(Debug, Clone)]
pub struct Capture {
    pub queue: QueueName,
    pub letters: CaptureBatch,
    /// The revision of the queue's settings by which they were assessed. Where it is another by now, none is captured.
    pub revision: Option<u64>,
}

/// What became of one failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Captured {
    pub letter: LetterId,
    pub generation: u32,
    pub status: Status,
    /// How the letter is retried.
    pub policy: RetryPolicy,
    pub max_retries: u32,
    pub reason: CaptureReason,
}

impl Capture {
    pub fn new(queue: QueueName, letters: Vec<NewLetter>) -> Self {
        Self { queue, letters: letters.into(), revision: None }
    }
}

pub fn check_size(content: &Content, most: Option<u64>) -> Result<(), Rejection> {
    let bytes = content.bytes() as u64;
    match most.filter(|most| bytes > *most) {
        Some(most) => Err(Rejection::LetterTooLarge { bytes, most }),
        None => Ok(()),
    }
}
