//! Setting aside what readers found damaged.

use redrive_model::OpContext;

use super::Writer;
use super::writer::Answers;
use crate::answer::Answer;
use crate::disk_space;
use crate::readers::DamagedAnswer;

impl Writer {
    /// Sets aside as much as one batch takes. An answer goes out with the batch that sets the last of its items aside.
    pub(super) fn set_aside(&mut self, op: OpContext, answers: &mut Answers) {
        let mut left = self.limits.transitions;
        while let Some(mut next) = self.damaged.pop_front() {
            while let Some(found) = next.damaged.pop() {
                if left == 0 {
                    next.damaged.push(found);
                    self.damaged.push_front(next);
                    self.owes_upkeep = true;
                    return;
                }
                left -= 1;
                if let Some((queue, item)) = found.apply(&mut self.state, op, &mut self.facts) {
                    let letter = item.letter.map(|letter| letter.id.to_string());
                    tracing::error!(item = %item.id, letter, %queue, "an item is damaged on disk and set aside");
                }
            }
            let DamagedAnswer { answer, reply, .. } = next;
            answers.push((reply, answer.map(Answer::Ready)));
        }
    }

    /// Answers without setting anything aside, where nothing can be written. It will be found again.
    pub(super) fn answer_damaged(&mut self) {
        for DamagedAnswer { answer, reply, .. } in self.damaged.drain(..) {
            reply.send(answer);
        }
    }

    /// No less than setting aside takes in one batch.
    pub(super) fn set_aside_bytes(&self) -> usize {
        let found: usize = self.damaged.iter().map(|answer| answer.damaged.len()).sum();
        disk_space::letters(found.min(self.limits.transitions))
    }
}
