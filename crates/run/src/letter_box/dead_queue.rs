//! A dead queue as the destination of letters.

use std::fmt;
use std::sync::Arc;

use redrive_core::{Policy, QueueName};
use redrive_model::capture::FailedWork;
use redrive_store::StoreError;

use super::{LetterBox, NotCaptured, Posted};

/// A dead queue of a store or a server, and the letter box that leads to it: where sources without their own letters
/// hand over work that failed permanently.
#[derive(Clone)]
pub struct DeadQueue {
    pub letter_box: Arc<dyn LetterBox>,
    pub queue: QueueName,
    /// Classifies the failures that the letters are about.
    pub policy: Policy,
    /// The [server](redrive_model::Origin::server) of the source.
    pub server: Option<Arc<str>>,
}

impl DeadQueue {
    pub const fn new(letter_box: Arc<dyn LetterBox>, queue: QueueName, policy: Policy) -> Self {
        Self { letter_box, queue, policy, server: None }
    }

    /// Notes in the origin of its letters from which server their source reads.
    #[must_use]
    pub fn of_server(self, name: &str) -> Self {
        Self { server: Some(name.into()), ..self }
    }

    /// Captures one letter. A second capture of the same message makes no second letter, so that a retry is safe.
    ///
    /// # Errors
    ///
    /// When the policy or the queue skips the work, or the store cannot keep it.
    pub async fn post(&self, work: &FailedWork) -> Result<Posted, NotCaptured> {
        let mut answers = self.letter_box.post(&self.queue, &self.policy, std::slice::from_ref(work)).await;
        answers.pop().unwrap_or_else(|| Err(StoreError::WrongAnswer.into()))
    }
}

impl fmt::Debug for DeadQueue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DeadQueue").field("queue", &self.queue).finish_non_exhaustive()
    }
}
