//! Segments that are ready before they are needed.
//!
//! Writing a segment full of zeros takes a hundred batches' time, so it is done ahead, off the hot path. And
//! the last spare is the reserve: when the disk is full, work that frees room still has somewhere to write.

use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::disk::Disk;
use crate::journal::Use;
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
    /// How many are kept ready, the reserve included.
    target: usize,
    ready: Mutex<Ready>,
    /// Held by whoever creates one, so that ids are in order and no two create the same.
    creating: Mutex<()>,
}

#[derive(Debug)]
struct Ready {
    segments: VecDeque<Segment>,
    next_id: u32,
}

/// The spare that only work which frees room may take.
const RESERVE: usize = 1;

impl Spares {
    pub(crate) fn new(
        disk: Arc<dyn Disk>,
        directory: PathBuf,
        segment_bytes: usize,
        target: usize,
        found: Vec<Segment>,
        next_id: u32,
    ) -> Self {
        let ready = Mutex::new(Ready { segments: found.into(), next_id });
        let shared =
            Shared { disk, directory, segment_bytes, target: target + RESERVE, ready, creating: Mutex::new(()) };
        Self { shared: Arc::new(shared) }
    }

    /// Whether [`Spares::fill`] has something to do.
    pub fn are_wanted(&self) -> bool {
        self.ready().segments.len() < self.shared.target
    }

    /// Creates what is missing; to be called off the hot path.
    pub fn fill(&self) -> io::Result<()> {
        while self.are_wanted() {
            let creating = self.creating();
            if self.are_wanted() {
                self.create(&creating)?;
            }
        }
        Ok(())
    }

    /// Whether a segment can be had for this use, now or by making one.
    pub(crate) fn ensure(&self, purpose: Use) -> io::Result<()> {
        let enough = needed(purpose);
        while self.ready().segments.len() < enough {
            let creating = self.creating();
            if self.ready().segments.len() < enough {
                self.create(&creating)?;
            }
        }
        Ok(())
    }

    /// Takes the next segment. [`Spares::ensure`] was asked before.
    pub(crate) fn take(&self, purpose: Use) -> io::Result<Segment> {
        self.ensure(purpose)?;
        self.ready().segments.pop_front().ok_or_else(|| io::ErrorKind::StorageFull.into())
    }

    fn create(&self, _creating: &MutexGuard<'_, ()>) -> io::Result<()> {
        let Shared { disk, directory, segment_bytes, .. } = &*self.shared;
        let id = self.ready().next_id;
        let segment = Segment::create(disk.as_ref(), directory, id, *segment_bytes)?;
        let mut ready = self.ready();
        ready.next_id = id + 1;
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

/// How many must be there for one to be taken.
fn needed(purpose: Use) -> usize {
    match purpose {
        Use::Ordinary => 1 + RESERVE,
        Use::FreesRoom => 1,
    }
}
