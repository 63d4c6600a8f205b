//! Segments that are ready before they are needed.
//!
//! Writing a segment full of zeros takes a hundred batches' time, so it is done ahead, off the hot path. And
//! the last spare is the reserve: when the disk is full, work that frees room still has somewhere to write.

use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::disk::{Disk, DiskLock};
use crate::purpose::Use;
use crate::segment::Segment;

/// Makes segments ready. Clones make them for the same journal.
#[derive(Debug, Clone)]
pub struct Spares {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    disk: Arc<dyn Disk>,
    directory: PathBuf,
    segment_bytes: usize,
    /// How many are kept ready besides the reserve.
    spares: usize,
    /// How many only work that frees room may take, and how many it shall be.
    reserve: AtomicUsize,
    reserve_wanted: AtomicUsize,
    ready: Mutex<Ready>,
    /// Held by whoever creates one, so that ids are in order and no two create the same.
    creating: Mutex<()>,
    /// Whether the next segment is needed soon, so that making it may get in the way of others.
    is_urgent: AtomicBool,
    /// The directory stays locked while anybody can still create a segment in it.
    _lock: Arc<dyn DiskLock>,
}

#[derive(Debug)]
struct Ready {
    segments: VecDeque<Segment>,
    next_id: u32,
    /// The last one could not be created: ordinary work is refused at once until one can, since each try
    /// fills the disk to its end.
    is_full: bool,
}

/// How many only work that frees room may take, unless more is wished for.
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
            reserve_wanted: AtomicUsize::new(RESERVE),
            ready,
            creating: Mutex::new(()),
            is_urgent: AtomicBool::new(true),
            _lock: lock,
        };
        Self { shared: Arc::new(shared) }
    }

    /// Whether [`Spares::fill`] has something to do.
    pub fn are_wanted(&self) -> bool {
        self.ready().segments.len() < self.shared.spares + self.shared.reserve_wanted.load(Ordering::Relaxed)
    }

    /// Has so many kept for work that frees room. What is there of them counts at once. What is missing is made by
    /// [`Spares::fill`]; until then ordinary work goes on in the segment that is written, unless the disk is too full to
    /// make them, and begins no other.
    pub fn set_reserve(&self, segments: usize) {
        let wanted = segments.max(RESERVE);
        let there = self.ready_count().max(self.reserve());
        self.shared.reserve_wanted.store(wanted, Ordering::Relaxed);
        self.shared.reserve.store(wanted.min(there), Ordering::Relaxed);
    }

    /// Has so many kept for work that frees room, before any ordinary work is taken. A journal that is opened on a full
    /// disk may have used some of them up: what it has left is not for ordinary work either.
    pub fn demand_reserve(&self, segments: usize) {
        let wanted = segments.max(RESERVE);
        self.shared.reserve_wanted.store(wanted, Ordering::Relaxed);
        self.shared.reserve.store(wanted, Ordering::Relaxed);
    }

    fn reserve(&self) -> usize {
        self.shared.reserve.load(Ordering::Relaxed)
    }

    /// How many are ready, the reserve included.
    pub fn ready_count(&self) -> usize {
        self.ready().segments.len()
    }

    /// Creates what is missing; to be called off the hot path. After a full disk, ordinary work is taken again
    /// once this has succeeded, or a segment was dropped.
    pub fn fill(&self) -> io::Result<()> {
        while self.are_wanted() {
            let creating = self.creating();
            if self.are_wanted() {
                self.create(&creating)?;
            }
        }
        self.shared.reserve.store(self.shared.reserve_wanted.load(Ordering::Relaxed), Ordering::Relaxed);
        self.ready().is_full = false;
        Ok(())
    }

    /// Creates what is missing, unless the disk was found full and nothing was dropped since.
    pub fn fill_unless_full(&self) -> io::Result<()> {
        if self.ready().is_full { Ok(()) } else { self.fill() }
    }

    /// Whether the reserve is whole, now or by making it so: without it, no ordinary work is taken.
    pub(crate) fn ensure_reserve(&self) -> io::Result<()> {
        self.ensure_ready(self.reserve(), Use::Ordinary)
    }

    /// Whether a segment can be had for this use, now or by making one.
    pub(crate) fn ensure(&self, purpose: Use) -> io::Result<()> {
        self.ensure_ready(self.needed(purpose), purpose)
    }

    /// How many must be there for one to be taken.
    fn needed(&self, purpose: Use) -> usize {
        match purpose {
            Use::Ordinary => 1 + self.shared.reserve_wanted.load(Ordering::Relaxed),
            Use::FreesRoom => 1,
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

    /// Whether the segment that is written will be full soon.
    pub(crate) fn set_urgent(&self, is_urgent: bool) {
        self.shared.is_urgent.store(is_urgent, Ordering::Relaxed);
    }

    /// There is room again: the next one in want of a segment may try.
    pub(crate) fn room_was_made(&self) {
        self.ready().is_full = false;
    }

    /// Writes something small to a full disk. Whoever tries to make a segment fills the disk to its end for that time, so
    /// nobody does meanwhile; and if that is not enough, one that is ready is given up.
    pub(crate) fn with_all_room(&self, write: impl Fn() -> io::Result<()>) -> io::Result<()> {
        let creating = self.creating();
        match write() {
            Err(error) if is_full(&error) && self.give_one_up(&creating)? => write(),
            written => written,
        }
    }

    /// Gives up one that is ready; `false` when there is none.
    fn give_one_up(&self, _creating: &MutexGuard<'_, ()>) -> io::Result<bool> {
        let Shared { disk, directory, .. } = &*self.shared;
        let mut ready = self.ready();
        let Some(segment) = ready.segments.pop_back() else { return Ok(false) };
        if let Err(error) = disk.remove(&Segment::path(directory, segment.id)) {
            // It is still there and still next: a number that was left out would look like a lost segment.
            ready.segments.push_back(segment);
            return Err(error);
        }
        ready.next_id = segment.id;
        drop(ready);
        disk.sync_directory(directory)?;
        Ok(true)
    }

    /// Takes the next segment. [`Spares::ensure`] was asked before, and is not asked again: whoever makes segments may
    /// have found the disk full since then, and what was promised must hold all the same.
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

    // Neither lock guards anything that a panic could leave half-changed.
    fn ready(&self) -> MutexGuard<'_, Ready> {
        self.shared.ready.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn creating(&self) -> MutexGuard<'_, ()> {
        self.shared.creating.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether this is want of room, which time or a deletion may cure.
pub(crate) fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}
