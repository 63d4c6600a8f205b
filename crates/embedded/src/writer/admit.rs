//! Admission control: which requests of a batch find disk space. On a full disk only requests that free space are
//! admitted.

use std::sync::atomic::Ordering;

use redrive_journal::{AppendError, Use};
use redrive_model::Rejection;
use redrive_store::{OpKind, Request, StoreError};

use super::Writer;
use super::limits::Allowance;
use super::sizes::{bytes_of_all, relocation_bytes};
use super::writer::{Answers, Relocation};
use crate::disk_space;
use crate::lease_budget::{LeaseBudget, LeaseDemand};
use crate::message::QueuedRequest;
use crate::operations;
use crate::persistence::Persistence;

/// What the current batch has disk space for.
#[derive(Debug, Clone, Copy)]
pub(super) struct DiskBudget {
    pub(super) purpose: Use,
    /// Whether a piece of the checkpoint may be written.
    pub(super) for_checkpoint: bool,
    /// Whether upkeep may be done: timed transitions, setting damaged items aside, compaction.
    pub(super) for_upkeep: bool,
    /// What waiting leases and claims may be given.
    pub(super) for_leases: Allowance,
}

impl DiskBudget {
    /// Space for admitted requests that free space, and for nothing else.
    const ON_FULL_DISK: Self =
        Self { purpose: Use::FreesSpace, for_checkpoint: false, for_upkeep: false, for_leases: Allowance::NONE };
}

impl Writer {
    /// Rejects the requests for which there is no space, before any request is applied.
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
            let rejection = Rejection::TooLarge { bytes: request.bytes, most: self.limits.request_bytes };
            answers.push((request.reply, Err(StoreError::Rejected(rejection))));
        }
        let upkeep = self.upkeep_bytes(relocations, batch);
        let bytes = bytes_of_all(&requests);
        // A request that leaves no space for upkeep in its segment is written without it; upkeep follows in the next
        // batch.
        let for_upkeep = bytes == 0 || bytes + upkeep <= self.limits.batch_bytes;
        self.owes_upkeep = !for_upkeep;
        let needed = bytes + if for_upkeep { upkeep } else { self.serve_bytes() };
        if self.reserve(needed, Use::Ordinary) {
            self.status.is_full.store(false, Ordering::Relaxed);
            self.is_stuck = false;
            self.is_saving = false;
            let for_checkpoint = for_upkeep && relocations.is_empty();
            let for_leases = self.limits.allowance;
            return (requests, DiskBudget { purpose: Use::Ordinary, for_checkpoint, for_upkeep, for_leases });
        }
        self.admit_on_full_disk(requests, relocations, batch, answers)
    }

    /// Admits only requests that free space.
    fn admit_on_full_disk(
        &mut self,
        requests: Vec<QueuedRequest>,
        relocations: &[Relocation],
        batch: Option<usize>,
        answers: &mut Answers,
    ) -> (Vec<QueuedRequest>, DiskBudget) {
        self.status.is_full.store(true, Ordering::Relaxed);
        if let Persistence::Log(log) = &mut self.persistence {
            log.request_space();
            log.checkpoint_on_full_disk(&self.state);
        }
        self.owes_upkeep = false;
        let (mut taken, others): (Vec<_>, Vec<_>) = requests.into_iter().partition(|request| is_read(&request.request));
        let (mut freeing, ordinary): (Vec<_>, Vec<_>) = others.into_iter().partition(|request| frees(&request.request));
        answers.extend(ordinary.into_iter().map(|request| (request.reply, Err(StoreError::Full))));

        let upkeep = self.upkeep_bytes(relocations, batch);
        let (for_leases, later) = self.admit_leases(&mut freeing, upkeep, answers);
        self.is_saving = for_leases.waiters == 0;
        let bytes = bytes_of_all(&freeing);
        let is_short = self.must_checkpoint_first(bytes + self.serve_bytes());
        if !is_short && self.reserve_to_free(bytes + upkeep) {
            self.is_stuck = false;
            self.held_back = later;
            taken.append(&mut freeing);
            let for_checkpoint = relocations.is_empty();
            return (taken, DiskBudget { for_checkpoint, for_upkeep: true, for_leases, ..DiskBudget::ON_FULL_DISK });
        }
        // Only the checkpoint continues, and the requests wait until it lets segments be dropped. If they were
        // rejected, callers would retry and find no more space than now.
        if self.is_checkpoint_running() && self.reserve_to_free(self.checkpoint_bytes(batch)) {
            self.is_stuck = false;
            freeing.extend(later);
            self.held_back = freeing;
            return (taken, DiskBudget { for_checkpoint: true, ..DiskBudget::ON_FULL_DISK });
        }
        self.owes_upkeep = !is_short;
        self.admit_a_part((taken, freeing, later), upkeep, for_leases, answers)
    }

    /// Admits as many of the requests that free space as there is space for.
    fn admit_a_part(
        &mut self,
        (mut taken, freeing, later): (Vec<QueuedRequest>, Vec<QueuedRequest>, Vec<QueuedRequest>),
        upkeep: usize,
        for_leases: Allowance,
        answers: &mut Answers,
    ) -> (Vec<QueuedRequest>, DiskBudget) {
        // Either there are too many requests for a batch that includes upkeep, and upkeep follows in the next batch. Or
        // there is no space for upkeep: the remaining space is for callers that already hold leases.
        let has_space = self.reserve_to_free(upkeep);
        self.owes_upkeep &= has_space;
        self.is_stuck = !has_space;
        let (mut leases, mut freeing): (Vec<_>, Vec<_>) =
            freeing.into_iter().partition(|request| !has_space && only_prepares(&request.request));
        if has_space {
            self.held_back = later;
        } else {
            leases.extend(later);
        }
        answers.extend(leases.into_iter().map(|request| (request.reply, Err(StoreError::Full))));
        let serve = if has_space { self.serve_bytes() } else { 0 };
        // As many as there is space for, in the order of arrival; the others in a later batch.
        loop {
            if self.reserve_to_free(bytes_of_all(&freeing) + serve) {
                taken.append(&mut freeing);
                let for_leases = if has_space { for_leases } else { Allowance::NONE };
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

    /// Removes requests that use space without freeing any, as far as that space is needed. Returns what may be leased,
    /// and the requests that wait until space is freed.
    fn admit_leases(
        &mut self,
        requests: &mut Vec<QueuedRequest>,
        upkeep: usize,
        answers: &mut Answers,
    ) -> (Allowance, Vec<QueuedRequest>) {
        let allowance = self.limits.allowance;
        let batches: Vec<u64> = requests.iter().filter_map(requested_items).collect();
        let callers = self.waiting.len() + batches.len() as u64;
        let items = batches.into_iter().fold(self.waiting.batches(), u64::saturating_add).min(allowance.items);
        let demand = LeaseDemand { bytes: bytes_of_all(requests) + upkeep, callers, items };
        let leases = match &mut self.persistence {
            Persistence::Log(log) => log.leases_on_full_disk(&self.state, demand),
            Persistence::Memory(_) => LeaseBudget::Open,
        };
        if leases == LeaseBudget::Open {
            return (allowance, Vec::new());
        }
        let is_rejected = |request: &mut QueuedRequest| match leases {
            LeaseBudget::Open => false,
            // Extends do not wait: the holder would be no closer to completing its items afterwards.
            LeaseBudget::Later => matches!(request.request, Request::Extend(_)),
            LeaseBudget::OneEach => only_prepares(&request.request) && requested_items(request).is_none(),
            LeaseBudget::Shut => only_prepares(&request.request),
        };
        let rejected = requests.extract_if(.., is_rejected);
        answers.extend(rejected.map(|request| (request.reply, Err(StoreError::Full))));
        match leases {
            LeaseBudget::OneEach => (allowance.one_each(callers), Vec::new()),
            _ => {
                let later = requests.extract_if(.., |request| only_prepares(&request.request)).collect();
                (Allowance::NONE, later)
            }
        }
    }

    /// Reserves space for work that frees space. Returns `false` if there is none, or if it does not fit into one
    /// batch.
    fn reserve_to_free(&mut self, bytes: usize) -> bool {
        bytes <= self.limits.batch_bytes && self.reserve(bytes, Use::FreesSpace)
    }

    /// Whether a checkpoint is running whose rest needs the space that `bytes` would take.
    fn must_checkpoint_first(&self, bytes: usize) -> bool {
        matches!(&self.persistence, Persistence::Log(log) if log.must_checkpoint_first(&self.state, bytes))
    }

    pub(super) fn is_checkpoint_running(&self) -> bool {
        matches!(&self.persistence, Persistence::Log(log) if log.is_checkpointing())
    }

    /// An upper bound for the size of the next piece of the checkpoint.
    fn checkpoint_bytes(&self, batch: Option<usize>) -> usize {
        match &self.persistence {
            Persistence::Log(log) => log.checkpoint_bytes(&self.state, batch),
            Persistence::Memory(_) => 0,
        }
    }

    pub(super) fn reserve(&mut self, bytes: usize, purpose: Use) -> bool {
        match self.persistence.reserve(bytes, purpose) {
            Ok(()) => true,
            Err(AppendError::Full { .. }) => false,
            Err(error) => {
                tracing::error!(error = %error, "failed to reserve disk space");
                false
            }
        }
    }

    /// An upper bound for the space that a request needs, given the current state.
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

    /// An upper bound for the space that the upkeep of one batch needs, including serving waiting requests.
    pub(super) fn upkeep_bytes(&self, relocations: &[Relocation], batch: Option<usize>) -> usize {
        let own = match &self.persistence {
            Persistence::Log(_) if relocations.is_empty() => self.checkpoint_bytes(batch),
            Persistence::Log(_) => relocations.iter().map(|relocation| relocation_bytes(&relocation.documents)).sum(),
            Persistence::Memory(_) => 0,
        };
        own + self.limits.transitions * disk_space::TRANSITION + self.set_aside_bytes() + self.serve_bytes()
    }

    /// An upper bound for the space that serving waiting leases and claims needs.
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

/// How many items a lease or claim requests; `None` for other requests.
fn requested_items(request: &QueuedRequest) -> Option<u64> {
    match &request.request {
        Request::Lease(lease) => Some(lease.spec.batch),
        Request::ClaimDue(claim) => Some(claim.batch),
        _ => None,
    }
}

pub(super) fn is_read(request: &Request) -> bool {
    request.kind() == OpKind::Read
}

/// Whether a request frees space, or lets its caller free some later.
fn frees(request: &Request) -> bool {
    matches!(request.kind(), OpKind::Frees | OpKind::Prepares)
}

/// Whether a request frees no space itself, and only lets its caller free some later.
fn only_prepares(request: &Request) -> bool {
    request.kind() == OpKind::Prepares
}
