//! Answering requests to read the feed of changed letters.

use redrive_model::{KeyWrite, OpContext, ReadChanges, Rejection, WriteKeys};
use redrive_queue::View;
use redrive_store::StoreError;

use super::Writer;
use super::writer::Answers;
use crate::answer::{Answer, ReplyShape};
use crate::feed_waiters::Listener;
use crate::reply::ReplyTo;

impl Writer {
    /// Answers with the changes, or makes the request wait if there are none.
    pub(super) fn listen(
        &mut self,
        read: ReadChanges,
        along: Vec<KeyWrite>,
        reply: ReplyTo,
        op: OpContext,
        answers: &mut Answers,
    ) {
        let waits = !read.wait.is_zero();
        if waits && !along.is_empty() {
            return answers.push((reply, Err(Rejection::KeysNotAllowed.into())));
        }
        let deadline = self.now.saturating_add(read.wait);
        let answer = self.executor(op).execute(read.clone().into(), WriteKeys { writes: along });
        if !waits || !is_empty(&answer) {
            return answers.push((reply, answer));
        }
        if self.listening.is_full() {
            return answers.push((reply, Err(StoreError::Overloaded)));
        }
        self.listening.add(Listener { read, deadline, reply });
    }

    /// Answers the waiting readers for which there are changes. Those whose deadline has passed get an empty page.
    pub(super) fn answer_listeners(&mut self, op: OpContext, answers: &mut Answers) {
        let (state, now) = (&self.state, self.now);
        let ready = self.listening.take(|listener| {
            let one = ReadChanges { limit: 1, ..listener.read.clone() };
            listener.deadline <= now || one.view(state).map_or(true, |page| !page.changes.is_empty())
        });
        for Listener { read, reply, .. } in ready {
            let nothing = WriteKeys { writes: Vec::new() };
            let answer = self.executor(op).execute(read.into(), nothing);
            answers.push((reply, answer));
        }
    }
}

/// Whether the answer is an empty page of the feed.
pub(super) fn is_empty(answer: &Result<Answer, StoreError>) -> bool {
    matches!(answer, Ok(Answer::Items { shape: ReplyShape::Changes { changes, .. }, .. }) if changes.is_empty())
}
