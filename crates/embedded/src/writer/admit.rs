//! Letting in what finds room. On a full disk that is only what frees some.

use std::sync::atomic::Ordering;

use redrive_journal::{AppendError, Use};
use redrive_model::Rejection;
use redrive_store::{OpKind, Request, StoreError};

use super::Writer;
use super::limits::Allowance;
use super::weight::{bytes_of_all, relocation_bytes};
use super::writer::{Answers, Relocation};
use crate::disk_space;
use crate::lease_budget::{LeaseBudget, LeaseDemand};
use crate::message::QueuedRequest;
use crate::operations;
use crate::persistence::Persistence;

/// What there is room for.
#[derive(Debug, Clone, Copy)]
pub(super) struct DiskBudget {
    pub(super) purpose: Use,
    /// Whether a piece of the state may be described.
    pub(super) for_sweep: bool,
    /// Whether what happens by itself may happen.
    pub(super) for_upkeep: bool,
    /// What those who wait may be given.
    pub(super) for_leases: Allowance,
}

impl DiskBudget {
    /// For what frees room, and nothing besides.
    const ON_FULL_DISK: Self =
        Self { purpose: Use::FreesRoom, for_sweep: false, for_upkeep: false, for_leases: Allowance::NONE };
}

impl Writer {
    /// Refuses what finds no room, before anything is done.
    pub(super) fn admit(
        &mut self,
        requests: Vec<QueuedRequest>,
        relocations: &[Relocation],
        answers: &mut Answers,
    ) -> (Vec<QueuedRequest>, DiskBudget) {
        let batch = self.busy_bytes(&requests);
        let (requests, too_large): (Vec<_>, Vec<_>) =
            requests.into_iter().partition(|request| request.bytes <= self.limits.request_bytes);
        for request in too_large {
            let refusal = Rejection::TooLarge { bytes: request.bytes, most: self.limits.request_bytes };
            answers.push((request.reply, Err(StoreError::Rejected(refusal))));
        }
        let upkeep = self.upkeep_bytes(relocations, batch);
        let bytes = bytes_of_all(&requests);
        // A request that fills a file by itself has it alone, and what happens by itself comes next.
        let for_upkeep = bytes == 0 || bytes + upkeep <= self.limits.batch_bytes;
        self.owes_upkeep = !for_upkeep;
        let needed = bytes + if for_upkeep { upkeep } else { self.serve_bytes() };
        if self.reserve(needed, Use::Ordinary) {
            self.vitals.is_full.store(false, Ordering::Relaxed);
            self.is_stuck = false;
            self.is_saving = false;
            let for_sweep = for_upkeep && relocations.is_empty();
            let for_leases = self.limits.allowance;
            return (requests, DiskBudget { purpose: Use::Ordinary, for_sweep, for_upkeep, for_leases });
        }
        self.admit_on_full_disk(requests, relocations, batch, answers)
    }

    /// Takes only what frees room.
    fn admit_on_full_disk(
        &mut self,
        requests: Vec<QueuedRequest>,
        relocations: &[Relocation],
        batch: Option<usize>,
        answers: &mut Answers,
    ) -> (Vec<QueuedRequest>, DiskBudget) {
        self.vitals.is_full.store(true, Ordering::Relaxed);
        if let Persistence::Log(log) = &mut self.persistence {
            log.wish_for_room();
            log.sweep_on_full_disk(&self.state);
        }
        self.owes_upkeep = false;
        let (mut taken, others): (Vec<_>, Vec<_>) = requests.into_iter().partition(|request| is_read(&request.request));
        let (mut freeing, ordinary): (Vec<_>, Vec<_>) = others.into_iter().partition(|request| frees(&request.request));
        answers.extend(ordinary.into_iter().map(|request| (request.reply, Err(StoreError::Full))));

        let upkeep = self.upkeep_bytes(relocations, batch);
        let (for_leases, later) = self.admit_leases(&mut freeing, upkeep, answers);
        self.is_saving = for_leases.waiters == 0;
        let bytes = bytes_of_all(&freeing);
        let is_short = self.must_be_described_first(bytes + self.serve_bytes());
        if !is_short && self.reserve_to_free(bytes + upkeep) {
            self.is_stuck = false;
            self.held_back = later;
            taken.append(&mut freeing);
            let for_sweep = relocations.is_empty();
            return (taken, DiskBudget { for_sweep, for_upkeep: true, for_leases, ..DiskBudget::ON_FULL_DISK });
        }
        // The description goes on alone, and whoever came waits for what it lets be dropped: were they refused, they
        // would come again and find no more room than now.
        if self.is_being_described() && self.reserve_to_free(self.sweep_bytes(batch)) {
            self.is_stuck = false;
            freeing.extend(later);
            self.held_back = freeing;
            return (taken, DiskBudget { for_sweep: true, ..DiskBudget::ON_FULL_DISK });
        }
        self.owes_upkeep = !is_short;
        self.admit_a_part((taken, freeing, later), upkeep, for_leases, answers)
    }

    /// Takes as much of what frees room as finds some.
    fn admit_a_part(
        &mut self,
        (mut taken, freeing, later): (Vec<QueuedRequest>, Vec<QueuedRequest>, Vec<QueuedRequest>),
        upkeep: usize,
        for_leases: Allowance,
        answers: &mut Answers,
    ) -> (Vec<QueuedRequest>, DiskBudget) {
        // Either they are too many for a batch that has upkeep in it, which then comes next. Or there is no room for upkeep:
        // the last of it is for those who have leased something already.
        let has_room = self.reserve_to_free(upkeep);
        self.owes_upkeep &= has_room;
        self.is_stuck = !has_room;
        let (mut leases, mut freeing): (Vec<_>, Vec<_>) =
            freeing.into_iter().partition(|request| !has_room && only_prepares(&request.request));
        if has_room {
            self.held_back = later;
        } else {
            leases.extend(later);
        }
        answers.extend(leases.into_iter().map(|request| (request.reply, Err(StoreError::Full))));
        let serve = if has_room { self.serve_bytes() } else { 0 };
        // As many as find room, in the order in which they came; the others when these are done.
        loop {
            if self.reserve_to_free(bytes_of_all(&freeing) + serve) {
                taken.append(&mut freeing);
                let for_leases = if has_room { for_leases } else { Allowance::NONE };
                return (taken, DiskBudget { for_leases, ..DiskBudget::ON_FULL_DISK });
            }
            if freeing.len() <= 1 {
                break;
            }
            let mut later = freeing.split_off(freeing.len() / 2);
            later.append(&mut self.held_back);
            self.held_back = later;
        }
        answers.extend(freeing.into_iter().map(|request| (request.reply, Err(StoreError::Full))));
        (taken, DiskBudget::ON_FULL_DISK)
    }

    /// Takes those out of these requests that would use room and free none, as far as that room is needed. Gives what may
    /// be leased, and who has to wait until room is made.
    fn admit_leases(
        &mut self,
        requests: &mut Vec<QueuedRequest>,
        upkeep: usize,
        answers: &mut Answers,
    ) -> (Allowance, Vec<QueuedRequest>) {
        let allowance = self.limits.allowance;
        let asked: Vec<u64> = requests.iter().filter_map(items_asked).collect();
        let callers = self.waiting.len() + asked.len() as u64;
        let items = asked.into_iter().fold(self.waiting.batches(), u64::saturating_add).min(allowance.items);
        let asked = LeaseDemand { bytes: bytes_of_all(requests) + upkeep, callers, items };
        let leases = match &mut self.persistence {
            Persistence::Log(log) => log.leases_on_full_disk(&self.state, asked),
            Persistence::Memory(_) => LeaseBudget::Open,
        };
        if leases == LeaseBudget::Open {
            return (allowance, Vec::new());
        }
        let is_refused = |request: &mut QueuedRequest| match leases {
            LeaseBudget::Open => false,
            // Whoever only keeps what he has is no nearer to completing it when he has waited.
            LeaseBudget::Later => matches!(request.request, Request::Extend(_)),
            LeaseBudget::OneEach => only_prepares(&request.request) && items_asked(request).is_none(),
            LeaseBudget::Shut => only_prepares(&request.request),
        };
        let refused = requests.extract_if(.., is_refused);
        answers.extend(refused.map(|request| (request.reply, Err(StoreError::Full))));
        match leases {
            LeaseBudget::OneEach => (allowance.one_each(callers), Vec::new()),
            _ => {
                let later = requests.extract_if(.., |request| only_prepares(&request.request)).collect();
                (Allowance::NONE, later)
            }
        }
    }

    /// Whether something that frees room finds some, in one batch.
    fn reserve_to_free(&mut self, bytes: usize) -> bool {
        bytes <= self.limits.batch_bytes && self.reserve(bytes, Use::FreesRoom)
    }

    /// Whether the state is being described, and the rest of that needs the room that this would take.
    fn must_be_described_first(&self, bytes: usize) -> bool {
        matches!(&self.persistence, Persistence::Log(log) if log.must_be_described_first(&self.state, bytes))
    }

    pub(super) fn is_being_described(&self) -> bool {
        matches!(&self.persistence, Persistence::Log(log) if log.is_sweeping())
    }

    /// No less than the next piece of the description takes.
    fn sweep_bytes(&self, batch: Option<usize>) -> usize {
        match &self.persistence {
            Persistence::Log(log) => log.sweep_bytes(&self.state, batch),
            Persistence::Memory(_) => 0,
        }
    }

    pub(super) fn reserve(&mut self, bytes: usize, purpose: Use) -> bool {
        match self.persistence.reserve(bytes, purpose) {
            Ok(()) => true,
            Err(AppendError::Full { .. }) => false,
            Err(error) => {
                tracing::error!(error = %error, "no room could be made sure of");
                false
            }
        }
    }

    /// No less than a request takes, as the state is now.
    pub(super) fn bytes_of(&self, request: &QueuedRequest) -> usize {
        let waits = match &request.request {
            Request::Lease(lease) => {
                usize::try_from(lease.spec.batch.min(self.limits.allowance.items)).unwrap_or(0) * 5
            }
            Request::ClaimDue(_) => self.limits.allowance.letters * disk_space::LETTER,
            _ => 0,
        };
        waits + operations::bytes_max(&request.request, &request.along, &self.state)
    }

    /// No less than what happens by itself in one batch takes, those who wait included.
    pub(super) fn upkeep_bytes(&self, relocations: &[Relocation], batch: Option<usize>) -> usize {
        let own = match &self.persistence {
            Persistence::Log(_) if relocations.is_empty() => self.sweep_bytes(batch),
            Persistence::Log(_) => relocations.iter().map(|relocation| relocation_bytes(&relocation.documents)).sum(),
            Persistence::Memory(_) => 0,
        };
        own + self.limits.transitions * disk_space::TRANSITION + self.set_aside_bytes() + self.serve_bytes()
    }

    /// No less than serving those who wait takes.
    pub(super) fn serve_bytes(&self) -> usize {
        let Allowance { waiters, items, letters } = self.limits.allowance;
        let waiters = usize::try_from(self.waiting.len()).unwrap_or(usize::MAX).min(waiters);
        let items = self.waiting.batches().min(self.state.items_in_slots()).min(items);
        let letters = if self.waiting.claims().next().is_some() { letters } else { 0 };
        waiters * disk_space::LEASE
            + letters * disk_space::LETTER
            + usize::try_from(items).unwrap_or(usize::MAX).saturating_mul(5)
    }
}

/// How many items or letters a request asks for, if it does.
fn items_asked(request: &QueuedRequest) -> Option<u64> {
    match &request.request {
        Request::Lease(lease) => Some(lease.spec.batch),
        Request::ClaimDue(claim) => Some(claim.batch),
        _ => None,
    }
}

pub(super) fn is_read(request: &Request) -> bool {
    request.kind() == OpKind::Read
}

/// Whether a request lets records be dropped, or is on the way to that.
fn frees(request: &Request) -> bool {
    matches!(request.kind(), OpKind::Frees | OpKind::Prepares)
}

/// Whether a request frees nothing itself, and only lets its caller free something later.
fn only_prepares(request: &Request) -> bool {
    request.kind() == OpKind::Prepares
}
