//! Giving items to those who wait for them.

use std::collections::BTreeSet;

use redrive_core::MonotonicTime;
use redrive_model::{ClaimDue, OpContext, Rejection};
use redrive_queue::{Apply, ServeLeases};
use redrive_store::StoreError;

use super::Writer;
use super::limits::Allowance;
use super::writer::Answers;
use crate::answer::Shape;
use crate::lease_waiters::{Waiter, Want};
use crate::persistence::DocumentSelection;

impl Writer {
    pub(super) fn check_client(&mut self, queue: u32, client: Option<&str>) -> Result<(), Rejection> {
        match client {
            Some("") => Err(Rejection::NoClientId),
            Some(client) if self.waiting.has_client(queue, client) => Err(Rejection::DuplicateClient),
            _ => Ok(()),
        }
    }

    /// Gives items to those who wait for them: in the queues named, and in those where something became available.
    pub(super) fn serve(&mut self, asked: BTreeSet<u32>, left: &mut Allowance, op: OpContext, answers: &mut Answers) {
        let mut queues = self.state.take_woken();
        queues.extend(asked);
        queues.append(&mut self.unserved);
        let is_due = |claim: &ClaimDue| self.state.next_due(claim).is_some_and(|at| at <= op.now);
        queues.extend(self.waiting.claims().filter(|(_, claim)| is_due(claim)).map(|(queue, _)| queue));
        for queue in queues {
            self.serve_items(queue, left, op, answers);
            self.serve_letters(queue, left, op, answers);
        }
    }

    pub(super) fn serve_items(&mut self, queue: u32, left: &mut Allowance, op: OpContext, answers: &mut Answers) {
        // Each of those who are served gets one at least.
        let most = usize::try_from(self.state.available(queue)).unwrap_or(usize::MAX);
        if most == 0 {
            return;
        }
        let wants = self.waiting.of(queue).filter_map(|(number, waiter)| match &waiter.want {
            Want::Items(wanted) => Some((number, *wanted)),
            Want::DueLetters(_) => None,
        });
        let (numbers, mut requests): (Vec<u64>, Vec<redrive_model::LeaseSpec>) = wants.take(most).unzip();
        if numbers.is_empty() {
            return;
        }
        requests.truncate(left.waiters);
        let fair = left.items / (requests.len() as u64).max(1);
        if requests.is_empty() || fair == 0 {
            self.unserved.insert(queue);
            return;
        }
        for request in &mut requests {
            request.batch = request.batch.min(fair);
        }
        let grants = ServeLeases { queue, requests: &requests }.apply(&mut self.state, op, &mut self.facts);
        for (number, grant) in numbers.into_iter().zip(grants) {
            if grant.items.is_empty() {
                continue;
            }
            left.waiters -= 1;
            left.items -= grant.items.len() as u64;
            let Some(name) = self.state.name_of(queue) else { continue };
            let shape = Shape::Leased { queue: name, partition: grant.partition };
            let answer = self.executor(op).items(grant.items, shape, DocumentSelection::ForDelivery);
            if let Some(waiter) = self.waiting.remove(queue, number) {
                answers.push((waiter.reply, Ok(answer)));
            }
        }
        let waits_for_items = |(_, waiter): (u64, &Waiter)| matches!(waiter.want, Want::Items(_));
        if self.state.available(queue) > 0 && self.waiting.of(queue).any(waits_for_items) {
            self.unserved.insert(queue);
        }
    }

    pub(super) fn serve_letters(&mut self, queue: u32, left: &mut Allowance, op: OpContext, answers: &mut Answers) {
        let claims: Vec<(u64, ClaimDue)> = self
            .waiting
            .of(queue)
            .filter_map(|(number, waiter)| match &waiter.want {
                Want::DueLetters(claim) => Some((number, claim.clone())),
                Want::Items(_) => None,
            })
            .collect();
        for (number, mut claim) in claims {
            if left.letters == 0 {
                return;
            }
            claim.batch = claim.batch.min(left.letters as u64);
            let answer = match (&claim).apply(&mut self.state, op, &mut self.facts) {
                Ok(letters) if letters.is_empty() => continue,
                Ok(letters) => {
                    left.letters -= letters.len();
                    let settings = self.state.letter_settings_of(&claim.queue).unwrap_or_default();
                    Ok(self.executor(op).items(letters, Shape::due_letters(settings), DocumentSelection::ForDelivery))
                }
                Err(rejection) => Err(rejection.into()),
            };
            if let Some(waiter) = self.waiting.remove(queue, number) {
                answers.push((waiter.reply, answer));
            }
        }
    }

    /// Those who have waited long enough get nothing.
    pub(super) fn dismiss_late(&mut self, is_late: impl Fn(MonotonicTime) -> bool, answers: &mut Answers) {
        let late = self.waiting.take_late(is_late).into_iter();
        answers.extend(late.map(|waiter| (waiter.reply, Err(StoreError::TimedOut))));
    }
}
