//! Letting in what finds room. On a full disk that is only what frees some.

use std::sync::atomic::Ordering;

use redrive_journal::{AppendError, Use};
use redrive_queue::{Refusal, Relocate};

use super::Writer;
use super::limits::Allowance;
use super::writer::{Answers, Relocation};
use crate::local::keeper::Keeper;
use crate::local::message::Request;
use crate::local::room;
use crate::{Operation, StoreError};

/// What there is room for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Room {
    pub(super) purpose: Use,
    /// Whether what happens by itself may happen.
    pub(super) for_upkeep: bool,
    /// Whether anything at all may be written.
    pub(super) for_facts: bool,
}

impl Writer {
    /// Refuses what finds no room, before anything is done.
    pub(super) fn admit(
        &mut self,
        requests: Vec<Request>,
        relocations: &[Relocation],
        answers: &mut Answers,
    ) -> (Vec<Request>, Room) {
        let batch = self.busy_bytes(&requests);
        let (requests, too_large): (Vec<_>, Vec<_>) =
            requests.into_iter().partition(|request| self.bytes_of(request) <= self.limits.request_bytes);
        for request in too_large {
            let refusal = Refusal::TooLarge { bytes: self.bytes_of(&request), most: self.limits.request_bytes };
            answers.push((request.reply, Err(StoreError::Refused(refusal))));
        }
        let upkeep = self.upkeep_bytes(relocations, batch);
        let bytes: usize = requests.iter().map(|request| self.bytes_of(request)).sum();
        // A request that fills a file by itself has it alone, and what happens by itself comes next.
        let for_upkeep = bytes == 0 || bytes + upkeep <= self.limits.batch_bytes;
        self.owes_upkeep = !for_upkeep;
        let needed = bytes + if for_upkeep { upkeep } else { self.serve_bytes() };
        if self.reserve(needed, Use::Ordinary) {
            self.vitals.is_full.store(false, Ordering::Relaxed);
            self.is_stuck = false;
            return (requests, Room { purpose: Use::Ordinary, for_upkeep, for_facts: true });
        }
        self.admit_on_full_disk(requests, upkeep, answers)
    }

    /// Takes only what frees room.
    pub(super) fn admit_on_full_disk(
        &mut self,
        requests: Vec<Request>,
        upkeep: usize,
        answers: &mut Answers,
    ) -> (Vec<Request>, Room) {
        self.vitals.is_full.store(true, Ordering::Relaxed);
        if let Keeper::Log(log) = &mut self.keeper {
            log.wish_for_room();
            log.sweep_on_full_disk(&self.state);
        }
        let is_taken = |request: &Request| {
            room::purpose(&request.operation) == Use::FreesRoom || room::is_read(&request.operation)
        };
        let (freeing, ordinary): (Vec<_>, Vec<_>) = requests.into_iter().partition(is_taken);
        answers.extend(ordinary.into_iter().map(|request| (request.reply, Err(StoreError::Full))));
        let bytes: usize = freeing.iter().map(|request| self.bytes_of(request)).sum();
        self.owes_upkeep = false;
        for (for_upkeep, more) in [(true, upkeep), (false, self.serve_bytes())] {
            if bytes + more <= self.limits.batch_bytes && self.reserve(bytes + more, Use::FreesRoom) {
                self.is_stuck = !for_upkeep;
                return (freeing, Room { purpose: Use::FreesRoom, for_upkeep, for_facts: true });
            }
        }
        self.is_stuck = true;
        let (reads, others): (Vec<_>, Vec<_>) =
            freeing.into_iter().partition(|request| room::is_read(&request.operation));
        answers.extend(others.into_iter().map(|request| (request.reply, Err(StoreError::Full))));
        (reads, Room { purpose: Use::FreesRoom, for_upkeep: false, for_facts: false })
    }

    pub(super) fn reserve(&mut self, bytes: usize, purpose: Use) -> bool {
        match self.keeper.reserve(bytes, purpose) {
            Ok(()) => true,
            Err(AppendError::Full { .. }) => false,
            Err(error) => {
                tracing::error!(error = %error, "no room could be made sure of");
                false
            }
        }
    }

    pub(super) fn bytes_of(&self, request: &Request) -> usize {
        let waits = match &request.operation {
            Operation::Lease(lease) => {
                usize::try_from(lease.wanted.batch.min(self.limits.allowance.items)).unwrap_or(0) * 5
            }
            Operation::Claim(_) => self.limits.allowance.letters * room::LETTER,
            _ => 0,
        };
        waits + room::bytes_max(&request.operation, &request.along, &self.state)
    }

    /// No less than what happens by itself in one batch takes, those who wait included.
    pub(super) fn upkeep_bytes(&self, relocations: &[Relocation], batch: Option<usize>) -> usize {
        let own = match &self.keeper {
            Keeper::Log(log) if relocations.is_empty() => log.sweep_bytes(&self.state, batch),
            Keeper::Log(_) => relocations.iter().map(|relocation| relocation_bytes(&relocation.documents)).sum(),
            Keeper::Memory(_) => 0,
        };
        own + self.limits.transitions * room::TRANSITION + self.serve_bytes()
    }

    /// No less than serving those who wait takes.
    pub(super) fn serve_bytes(&self) -> usize {
        let Allowance { waiters, items, letters } = self.limits.allowance;
        let waiters = usize::try_from(self.waiting.len()).unwrap_or(usize::MAX).min(waiters);
        let items = self.waiting.batches().min(self.state.items_in_slots()).min(items);
        let letters = if self.waiting.claims().next().is_some() { letters } else { 0 };
        waiters * room::LEASE + letters * room::LETTER + usize::try_from(items).unwrap_or(usize::MAX).saturating_mul(5)
    }
}

/// No less than these documents take when they are written again.
pub(super) fn relocation_bytes(documents: &[Relocate]) -> usize {
    documents.iter().map(|document| document.document.len() + 128).sum()
}
