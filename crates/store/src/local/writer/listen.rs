//! Telling changes to readers of the feed who wait for them.

use redrive_queue::{KeyWrite, Moment, Refusal, WriteKeys};

use super::Writer;
use super::writer::Answers;
use crate::local::answer::{Answer, Shape};
use crate::local::listening::Listener;
use crate::local::reply::ReplyTo;
use crate::{ChangesRequest, Operation, StoreError};

impl Writer {
    /// Tells what changed, or has the reader wait for it.
    pub(super) fn listen(
        &mut self,
        request: ChangesRequest,
        along: Vec<KeyWrite>,
        reply: ReplyTo,
        moment: Moment,
        answers: &mut Answers,
    ) {
        let waits = !request.wait.is_zero();
        if waits && !along.is_empty() {
            return answers.push((reply, Err(Refusal::NothingAlong.into())));
        }
        let deadline = moment.now.saturating_add(request.wait);
        let changes = request.changes.clone();
        let answer = self.bench(moment).execute(Operation::Changes(request), WriteKeys { writes: along });
        if !waits || !is_empty(&answer) {
            return answers.push((reply, answer));
        }
        if self.listening.is_full() {
            return answers.push((reply, Err(StoreError::Overloaded)));
        }
        self.listening.add(Listener { changes, deadline, reply });
    }

    /// Tells those who wait what there is for them. Whoever has waited long enough hears that there was nothing.
    pub(super) fn tell_listeners(&mut self, moment: Moment, answers: &mut Answers) {
        let state = &self.state;
        let told = self.listening.take(|listener| {
            let one = redrive_queue::Changes { limit: 1, ..listener.changes.clone() };
            listener.deadline <= moment.now || one.view(state).map_or(true, |page| !page.changes.is_empty())
        });
        for Listener { changes, reply, .. } in told {
            let request = ChangesRequest { changes, wait: redrive_core::Span::ZERO };
            let nothing = WriteKeys { writes: Vec::new() };
            let answer = self.bench(moment).execute(Operation::Changes(request), nothing);
            answers.push((reply, answer));
        }
    }
}

/// Whether there is nothing to tell.
pub(super) fn is_empty(answer: &Result<Answer, StoreError>) -> bool {
    matches!(answer, Ok(Answer::Items { shape: Shape::Changes { changes, .. }, .. }) if changes.is_empty())
}
