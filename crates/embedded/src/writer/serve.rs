//! Serving waiting leases and claims.

use std::collections::BTreeSet;

use redrive_core::MonotonicTime;
use redrive_model::{ClaimDue, OpContext, Rejection};
use redrive_queue::{Apply, ServeLeases};
use redrive_store::StoreError;

use super::Writer;
use super::limits::Allowance;
use super::writer::Answers;
use crate::answer::ReplyShape;
use crate::lease_waiters::{WaitFor, Waiter};
use crate::persistence::DocumentSelection;

impl Writer {
    pub(super) fn check_client(&mut self, queue: u32, client: Option<&str>) -> Result<(), Rejection> {
        match client {
            Some("") => Err(Rejection::NoClientId),
            Some(client) if self.waiting.has_client(queue, client) => Err(Rejection::DuplicateClient),
            _ => Ok(()),
        }
    }

    /// Serves waiting leases and claims in the `requested` queues and in those where items became available.
    pub(super) fn serve(
        &mut self,
        requested: BTreeSet<u32>,
        left: &mut Allowance,
        op: OpContext,
        answers: &mut Answers,
    ) {
        let mut queues = self.state.take_woken();
        queues.extend(requested);
        queues.append(&mut self.unserved);
        let is_due = |claim: &ClaimDue| self.state.next_due(claim).is_some_and(|at| at <= op.now);
        queues.extend(self.waiting.claims().filter(|(_, claim)| is_due(claim)).map(|(queue, _)| queue));
        for queue in queues {
            self.serve_items(queue, left, op, answers);
            self.serve_letters(queue, left, op, answers);
        }
    }

    pub(super) fn serve_items(&mut self, queue: u32, left: &mut Allowance, op: OpContext, answers: &mut Answers) {
        // Each served request gets at least one item.
        let most = usize::try_from(self.state.available(queue)).unwrap_or(usize::MAX);
        if most == 0 {
            return;
        }
        let specs = self.waiting.of(queue).filter_map(|(number, waiter)| match &waiter.wait_for {
            WaitFor::Items(spec) => Some((number, *spec)),
            WaitFor::DueLetters(_) => None,
        });
        let (numbers, mut requests): (Vec<u64>, Vec<redrive_model::LeaseSpec>) = specs.take(most).unzip();
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
            let shape = ReplyShape::Leased { queue: name, partition: grant.partition };
            let answer = self.executor(op).items(grant.items, shape, DocumentSelection::ForDelivery);
            if let Some(waiter) = self.waiting.remove(queue, number) {
                answers.push((waiter.reply, Ok(answer)));
            }
        }
        let waits_for_items = |(_, waiter): (u64, &Waiter)| matches!(waiter.wait_for, WaitFor::Items(_));
        if self.state.available(queue) > 0 && self.waiting.of(queue).any(waits_for_items) {
            self.unserved.insert(queue);
        }
    }

    pub(super) fn serve_letters(&mut self, queue: u32, left: &mut Allowance, op: OpContext, answers: &mut Answers) {
        let claims: Vec<(u64, ClaimDue)> = self
            .waiting
            .of(queue)
            .filter_map(|(number, waiter)| match &waiter.wait_for {
                WaitFor::DueLetters(claim) => Some((number, claim.clone())),
                WaitFor::Items(_) => None,
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
                    Ok(self.executor(op).items(
                        letters,
                        ReplyShape::due_letters(settings),
                        DocumentSelection::ForDelivery,
                    ))
                }
                Err(rejection) => Err(rejection.into()),
            };
            if let Some(waiter) = self.waiting.remove(queue, number) {
                answers.push((waiter.reply, answer));
            }
        }
    }

    /// Answers requests whose deadline has expired with `TimedOut`.
    pub(super) fn dismiss_expired(&mut self, is_expired: impl Fn(MonotonicTime) -> bool, answers: &mut Answers) {
        let expired = self.waiting.take_expired(is_expired).into_iter();
        answers.extend(expired.map(|waiter| (waiter.reply, Err(StoreError::TimedOut))));
    }
}
