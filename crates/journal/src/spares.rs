//! Spare segments, created before they are needed.
//!
//! Filling a segment with zeros takes as long as a hundred batches, so it is done in advance, off the hot path. The
//! last spare is the reserve: on a full disk, work that frees disk space can still write to it.
//!
//! A journal that is still in its first segment needs no spares: the end of that segment is its reserve
//! (`first_segment.rs`).

use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::disk::{Disk, DiskLock};
use crate::purpose::Use;
use crate::segment::Segment;

/// The spare segments of a journal. Clones share them.
#[derive(Debug, Clone)]
pub struct Spares {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    disk: Arc<dyn Disk>,
    directory: PathBuf,
    segment_bytes: usize,
    /// How many are kept ready in addition to the reserve.
    spares: usize,
    /// How many are reserved for work that frees disk space, now and once all of them are created.
    reserve: AtomicUsize,
    reserve_target: AtomicUsize,
    ready: Mutex<Ready>,
    /// Held by the thread that creates a segment, so that ids are consecutive and unique.
    creating: Mutex<()>,
    /// Whether the log has grown enough to need spares.
    is_needed: AtomicBool,
    /// Whether the next segment is needed soon, so that its creation may slow down other syncs.
    is_urgent: AtomicBool,
    /// Keeps the directory locked as long as a clone can still create a segment in it.
    _lock: Arc<dyn DiskLock>,
}

#[derive(Debug)]
struct Ready {
    segments: VecDeque<Segment>,
    next_id: u32,
    /// The last attempt to create a segment found the disk full. Ordinary work is then rejected without another
    /// attempt, since each attempt fills the disk completely.
    is_full: bool,
}

/// The minimum and default size of the reserve, in segments.
const RESERVE: usize = 1;

impl Spares {
    pub(crate) fn new(
        disk: Arc<dyn Disk>,
        directory: PathBuf,
        segment_bytes: usize,
        spares: usize,
        found: Vec<Segment>,
        next_id: u32,
        lock: Arc<dyn DiskLock>,
    ) -> Self {
        let ready = Mutex::new(Ready { segments: found.into(), next_id, is_full: false });
        let shared = Shared {
            disk,
            directory,
            segment_bytes,
            spares,
            reserve: AtomicUsize::new(RESERVE),
            reserve_target: AtomicUsize::new(RESERVE),
            ready,
            creating: Mutex::new(()),
            is_needed: AtomicBool::new(true),
            is_urgent: AtomicBool::new(true),
            _lock: lock,
        };
        Self { shared: Arc::new(shared) }
    }

    /// Whether [`Spares::fill`] should be called: there are too few spares, and the log has grown enough to need them.
    pub fn are_wanted(&self) -> bool {
        self.shared.is_needed.load(Ordering::Relaxed) && self.are_missing()
    }

    fn are_missing(&self) -> bool {
        self.ready().segments.len() < self.shared.spares + self.shared.reserve_target.load(Ordering::Relaxed)
    }

    /// Sets the number of segments that are reserved for work that frees disk space. Existing spares are reserved at
    /// once. Missing ones are created by [`Spares::fill`]; until then ordinary work continues in the active segment,
    /// unless the disk is too full to create them, but does not begin another segment.
    pub fn set_reserve(&self, segments: usize) {
        let target = segments.max(RESERVE);
        let existing = self.ready_count().max(self.reserve());
        self.shared.reserve_target.store(target, Ordering::Relaxed);
        self.shared.reserve.store(target.min(existing), Ordering::Relaxed);
    }

    /// Sets the number of segments that must be reserved for work that frees disk space before any ordinary work is
    /// accepted. A journal that is opened on a full disk may have used up a part of its reserve: the rest is not for
    /// ordinary work either.
    pub fn require_reserve(&self, segments: usize) {
        let target = segments.max(RESERVE);
        self.shared.reserve_target.store(target, Ordering::Relaxed);
        self.shared.reserve.store(target, Ordering::Relaxed);
    }

    fn reserve(&self) -> usize {
        self.shared.reserve.load(Ordering::Relaxed)
    }

    /// How many spares exist, including the reserve.
    pub fn ready_count(&self) -> usize {
        self.ready().segments.len()
    }

    /// Creates the missing spares, even if the log does not need them yet. Call it off the hot path. After a full disk,
    /// ordinary work is accepted again once this has succeeded or a segment was dropped.
    pub fn fill(&self) -> io::Result<()> {
        while self.are_missing() {
            let creating = self.creating();
            if self.are_missing() {
                self.create(&creating)?;
            }
        }
        self.shared.reserve.store(self.shared.reserve_target.load(Ordering::Relaxed), Ordering::Relaxed);
        self.ready().is_full = false;
        Ok(())
    }

    /// Creates the missing spares, unless the disk was found full and no segment was dropped since.
    pub fn fill_unless_full(&self) -> io::Result<()> {
        if self.ready().is_full { Ok(()) } else { self.fill() }
    }

    /// Ensures that the reserve is complete, creating segments if necessary. Ordinary work requires that.
    pub(crate) fn ensure_reserve(&self) -> io::Result<()> {
        self.ensure_ready(self.reserve(), Use::Ordinary)
    }

    /// Fails if the disk was found full. Ordinary work may otherwise continue while spares are being created.
    pub(crate) fn ensure_not_full(&self) -> io::Result<()> {
        self.ensure_ready(0, Use::Ordinary)
    }

    /// Ensures that there is a first segment, creating it if necessary.
    pub(crate) fn ensure_first(&self) -> io::Result<()> {
        self.ensure_ready(1, Use::FreesSpace)
    }

    /// Ensures that a segment can be taken for this purpose, creating segments if necessary.
    pub(crate) fn ensure(&self, purpose: Use) -> io::Result<()> {
        self.ensure_ready(self.needed(purpose), purpose)
    }

    /// How many spares must exist for one to be taken.
    fn needed(&self, purpose: Use) -> usize {
        match purpose {
            Use::Ordinary => 1 + self.shared.reserve_target.load(Ordering::Relaxed),
            Use::FreesSpace => 1,
        }
    }

    fn ensure_ready(&self, enough: usize, purpose: Use) -> io::Result<()> {
        loop {
            let (count, is_full) = {
                let ready = self.ready();
                (ready.segments.len(), ready.is_full)
            };
            if is_full && purpose == Use::Ordinary {
                return Err(io::ErrorKind::StorageFull.into());
            }
            if count >= enough {
                return Ok(());
            }
            let creating = self.creating();
            if self.ready().segments.len() < enough {
                self.create(&creating)?;
            }
        }
    }

    /// Sets whether the log has grown enough to need spares.
    pub(crate) fn set_needed(&self, is_needed: bool) {
        self.shared.is_needed.store(is_needed, Ordering::Relaxed);
    }

    /// Sets whether the active segment will be full soon.
    pub(crate) fn set_urgent(&self, is_urgent: bool) {
        self.shared.is_urgent.store(is_urgent, Ordering::Relaxed);
    }

    /// Records that disk space was freed: the next attempt to create a segment is made.
    pub(crate) fn space_was_freed(&self) {
        self.ready().is_full = false;
    }

    /// Performs a small write on a full disk. An attempt to create a segment temporarily fills the disk completely, so
    /// none is made meanwhile. If the write still finds no space, one spare is discarded and the write repeated.
    pub(crate) fn with_reclaimed_space(&self, write: impl Fn() -> io::Result<()>) -> io::Result<()> {
        let creating = self.creating();
        match write() {
            Err(error) if is_full(&error) && self.discard_one(&creating)? => write(),
            written => written,
        }
    }

    /// Discards one spare. Returns `false` if there is none.
    fn discard_one(&self, _creating: &MutexGuard<'_, ()>) -> io::Result<bool> {
        let Shared { disk, directory, .. } = &*self.shared;
        let mut ready = self.ready();
        let Some(segment) = ready.segments.pop_back() else { return Ok(false) };
        if let Err(error) = disk.remove(&Segment::path(directory, segment.id)) {
            // The file still exists, so it must be used next: a gap in the ids would look like a lost segment.
            ready.segments.push_back(segment);
            return Err(error);
        }
        ready.next_id = segment.id;
        drop(ready);
        disk.sync_directory(directory)?;
        Ok(true)
    }

    /// Takes the next segment. The caller has called [`Spares::ensure`] before. It is not checked again: another thread
    /// may have found the disk full since then, and the reservation must hold nevertheless.
    pub(crate) fn take(&self) -> Option<Segment> {
        self.ready().segments.pop_front()
    }

    fn create(&self, _creating: &MutexGuard<'_, ()>) -> io::Result<()> {
        let Shared { disk, directory, segment_bytes, .. } = &*self.shared;
        let id = self.ready().next_id;
        let is_urgent = || self.shared.is_urgent.load(Ordering::Relaxed);
        let created = Segment::create(disk.as_ref(), directory, id, *segment_bytes, is_urgent);
        let mut ready = self.ready();
        ready.is_full = matches!(&created, Err(error) if is_full(error));
        let segment = created?;
        ready.next_id = id.saturating_add(1);
        ready.segments.push_back(segment);
        Ok(())
    }

    // A poisoned lock is ignored: neither lock guards data that a panic could leave inconsistent.
    fn ready(&self) -> MutexGuard<'_, Ready> {
        self.shared.ready.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn creating(&self) -> MutexGuard<'_, ()> {
        self.shared.creating.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether the error means that the disk or a quota is full, which is not permanent.
pub(crate) fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}
