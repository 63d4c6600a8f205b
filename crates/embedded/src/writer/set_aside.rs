//! Setting aside the items that readers found damaged.

use redrive_model::OpContext;

use super::Writer;
use super::writer::Answers;
use crate::answer::Answer;
use crate::disk_space;
use crate::readers::DamagedAnswer;

impl Writer {
    /// Sets damaged items aside, as many as the limit of one batch allows. An answer is sent with the batch that sets
    /// the last of its damaged items aside.
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
                    tracing::error!(item = %item.id, letter, %queue, "set aside an item that is damaged on disk");
                }
            }
            let DamagedAnswer { answer, reply, .. } = next;
            answers.push((reply, answer.map(Answer::Ready)));
        }
    }

    /// Answers without setting items aside, for when nothing can be written. The damage will be found again.
    pub(super) fn answer_damaged(&mut self) {
        for DamagedAnswer { answer, reply, .. } in self.damaged.drain(..) {
            reply.send(answer);
        }
    }

    /// An upper bound for the space that setting items aside takes in one batch.
    pub(super) fn set_aside_bytes(&self) -> usize {
        let found: usize = self.damaged.iter().map(|answer| answer.damaged.len()).sum();
        disk_space::letters(found.min(self.limits.transitions))
    }
}
