//! Captures the letters of concurrent calls together.
//!
//! A store syncs its disk once for a request, however many letters it has. So a call adds its letter to those that wait;
//! one of the calls posts all of them, and the others get their answers from it.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use redrive_core::Category;
use redrive_model::capture::FailedWork;
use redrive_run::{DeadQueue, NotCaptured, Posted};
use redrive_store::StoreError;
use tokio::sync::oneshot;

/// Maximum number of letters in a request.
const LETTERS_MAX: usize = 500;
/// Bytes of content after which a request is complete.
const BYTES_MAX: usize = 4 << 20;

type Answer = Result<Posted, NotCaptured>;

pub(super) struct CaptureBatches {
    dead_queue: DeadQueue,
    /// At most one entry for each running call.
    waiting: Mutex<VecDeque<WaitingLetter>>,
    /// Held by the call that posts.
    turn: tokio::sync::Mutex<()>,
}

struct WaitingLetter {
    work: FailedWork,
    answer: oneshot::Sender<Answer>,
}

impl CaptureBatches {
    pub(super) fn new(dead_queue: DeadQueue) -> Self {
        Self { dead_queue, waiting: Mutex::default(), turn: tokio::sync::Mutex::new(()) }
    }

    /// Captures a letter. If the call that posts it is stopped, the capture has failed; it may have taken effect.
    pub(super) async fn capture(&self, work: FailedWork) -> Answer {
        let (answer, mut answered) = oneshot::channel();
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).push_back(WaitingLetter { work, answer });
        let interrupted = |_| Err(StoreError::Unavailable("the capture was interrupted".to_owned()).into());
        loop {
            tokio::select! {
                biased;
                answer = &mut answered => return answer.unwrap_or_else(interrupted),
                _turn = self.turn.lock() => self.post_waiting().await,
            }
        }
    }

    /// The category of a failure, without the templates of the queue.
    pub(super) fn category_of(&self, work: &FailedWork) -> Category {
        let found = self.dead_queue.policy.classifier().classify(&work.failure, work.attempt);
        work.category.unwrap_or(found.category)
    }

    /// Posts the letters that wait, up to the size of a request.
    async fn post_waiting(&self) {
        let (work, answers): (Vec<FailedWork>, Vec<oneshot::Sender<Answer>>) = {
            let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            let mut bytes = 0;
            let mut fits = |letter: &WaitingLetter| {
                let is_within = bytes < BYTES_MAX;
                bytes += letter.work.content.bytes();
                is_within
            };
            let count = waiting.iter().take(LETTERS_MAX).take_while(|letter| fits(letter)).count();
            waiting.drain(..count).map(|WaitingLetter { work, answer }| (work, answer)).unzip()
        };
        for (answer, sender) in self.post(&work).await.into_iter().zip(answers) {
            // The call may have been stopped: its record is delivered again.
            let _is_received = sender.send(answer);
        }
    }

    /// Posts letters in as few requests as possible. A letter that is rejected, or for which there is no space, is found
    /// by halving: the others are captured.
    async fn post(&self, work: &[FailedWork]) -> Vec<Answer> {
        let DeadQueue { letter_box, queue, policy, .. } = &self.dead_queue;
        let mut answers = Vec::with_capacity(work.len());
        let mut parts = vec![work];
        while let Some(part) = parts.pop() {
            match letter_box.post_all(queue, policy, part).await {
                Ok(posted) => answers.extend(posted.into_iter().map(Ok)),
                Err(error) if part.len() > 1 && is_of_one_letter(&error) => {
                    let (first, second) = part.split_at(part.len() / 2);
                    parts.extend([second, first]);
                }
                Err(error) => answers.extend(std::iter::repeat_n(Err(error), part.len())),
            }
        }
        answers
    }
}

/// Whether a request failed because of one of its letters.
const fn is_of_one_letter(error: &NotCaptured) -> bool {
    matches!(error.error, StoreError::Rejected(_))
}
