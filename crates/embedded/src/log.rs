//! The log of a store on disk: appends batches, writes checkpoints, drops segments and starts compaction.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};

use redrive_journal::{AppendError, Batch, Journal, Reader, SegmentInfo, Seq, Use};
use redrive_model::DocumentRef;
use redrive_queue::{Checkpoint, Facts, State};

use crate::answer::place;
use crate::cache::Cache;
use crate::compactor::Compactor;
use crate::files::Files;
use crate::message::{CompactionOutcome, Message};
use crate::options::{EmbeddedOptions, LiveStatus};

#[derive(Debug)]
pub(crate) struct Log {
    pub(super) journal: Journal,
    batch: Batch,
    pub(crate) cache: Cache,
    pub(super) segment_bytes: u64,
    recovery_bytes: Option<u64>,
    garbage_percent: u64,
    /// The checkpoint that is being written.
    pub(super) checkpoint: Option<RunningCheckpoint>,
    pub(super) bytes_since_point: u64,
    /// The approximate size of a checkpoint at the last tidying.
    checkpoint_size: u64,
    /// The bytes written since the store was opened, now and at the last tidying,
    bytes_written: u64,
    bytes_when_tidied: u64,
    /// and at the last update of the reserve in the first segment.
    bytes_when_reserve_updated: u64,
    compactor: Compactor,
    pub(super) compacting: Option<u32>,
    /// Samples of the needed bytes of each segment: the last one, taken at least half a segment ago, and the one
    /// before.
    sampled: BTreeMap<u32, u64>,
    sampled_before: BTreeMap<u32, u64>,
    bytes_when_sampled: u64,
    /// Whether the log takes more space than it should.
    is_overgrown: bool,
    /// Segments that could not be compacted; compaction skips them.
    pub(super) uncompactable: Vec<u32>,
    /// Whether something has happened since the last tidying that may allow segments to be dropped.
    needs_tidying: bool,
    /// Whether the disk is full and the remaining space is needed to free some.
    pub(super) is_short_of_space: bool,
    batches_since_tidying: u32,
    files: Files,
    pub(super) status: Arc<LiveStatus>,
}

#[derive(Debug)]
pub(super) struct RunningCheckpoint {
    pub(super) checkpoint: Checkpoint,
    /// The recovery point once the checkpoint is complete.
    from: Seq,
    bytes: u64,
    pub(super) has_ended: bool,
}

/// The bytes of a checkpoint that go into one batch. If callers wait for the batch: a quarter of it, at least
/// `PIECE_BYTES`, which does not delay it noticeably, and at most `PIECE_BYTES_MAX`. Otherwise `IDLE_PIECE_BYTES`.
const PIECE_BYTES: usize = 4 * 1024;
const PIECE_BYTES_MAX: usize = 256 * 1024;
const IDLE_PIECE_BYTES: usize = 64 * 1024;
/// A segment that lost more than this part of its size between two samples is being emptied.
const EMPTIED_PART: u64 = 16;
/// What recovery may always read: this many segments, and this many times the size of a checkpoint.
const RECOVERY_SEGMENTS: u64 = 4;
const RECOVERY_CHECKPOINTS: u64 = 3;
/// How often the reserve in the first segment is updated while the segment is filled.
const RESERVE_UPDATES: u64 = 64;
/// The log is tidied at least after this many batches.
const BATCHES_BETWEEN_TIDYING: u32 = 1024;

impl Log {
    pub(crate) fn new(
        journal: Journal,
        state: &State,
        options: &EmbeddedOptions,
        writer: SyncSender<Message>,
        status: Arc<LiveStatus>,
    ) -> std::io::Result<Self> {
        let (from, _) = journal.recovery_point();
        let behind = journal.segments().into_iter().filter(|segment| segment.end > from).count();
        let segment_bytes = options.segment_bytes;
        let compactor = Compactor::start(journal.reader(), writer, segment_bytes / 8)?;
        let mut log = Self {
            files: Files::start(journal.spares().clone())?,
            batch: Batch::new(),
            cache: Cache::new(options.cache_bytes),
            recovery_bytes: options.recovery_bytes,
            garbage_percent: options.garbage_percent,
            segment_bytes: segment_bytes as u64,
            checkpoint: None,
            bytes_since_point: (behind.saturating_sub(1) * segment_bytes) as u64,
            checkpoint_size: 0,
            bytes_written: 0,
            bytes_when_tidied: 0,
            bytes_when_reserve_updated: 0,
            compactor,
            compacting: None,
            sampled: BTreeMap::new(),
            sampled_before: BTreeMap::new(),
            bytes_when_sampled: 0,
            is_overgrown: false,
            uncompactable: Vec::new(),
            needs_tidying: true,
            is_short_of_space: false,
            batches_since_tidying: 0,
            journal,
            status,
        };
        let reserve = log.reserve_of(state);
        log.journal.spares().require_reserve(reserve);
        log.show_reserve(reserve);
        log.set_first_reserve(state);
        log.files.wake_if_needed();
        Ok(log)
    }

    fn show_reserve(&self, segments: usize) {
        let bytes = (segments as u64).saturating_mul(self.segment_bytes);
        self.status.reserve_bytes.store(bytes, Ordering::Relaxed);
    }

    pub(crate) fn reader(&self) -> Reader {
        self.journal.reader()
    }

    pub(crate) fn reserve(&mut self, bytes: usize, purpose: Use) -> Result<(), AppendError> {
        self.journal.reserve(bytes, purpose)
    }

    /// Writes these facts as one batch and syncs it. Returns the place of each.
    pub(crate) fn keep(&mut self, state: &State, facts: &Facts, purpose: Use) -> Result<Vec<DocumentRef>, AppendError> {
        fill(&mut self.batch, facts)?;
        let (appended, took) = timed(|| self.journal.append(&mut self.batch, purpose));
        let appended = appended?;
        self.status.syncs.add(took);
        let bytes = self.batch.bytes_on_disk() as u64;
        self.bytes_since_point += bytes;
        self.bytes_written += bytes;
        if let Some(running) = &mut self.checkpoint {
            running.bytes += bytes;
        }
        let places: Vec<DocumentRef> = appended.locations.into_iter().map(place).collect();
        for (recorded, place) in facts.iter().zip(&places) {
            if let Some(content) = recorded.content {
                let before = recorded.slot.map_or(0, |slot| state.ready_beside(slot));
                self.cache.put(*place, content, before);
            }
        }
        LiveStatus::add(&self.status.batches, 1);
        LiveStatus::add(&self.status.facts, facts.len() as u64);
        Ok(places)
    }

    pub(crate) fn prove(&mut self) -> Result<(), AppendError> {
        self.journal.prove()
    }

    /// Whether a checkpoint is being written or about to be finished.
    pub(crate) const fn is_checkpointing(&self) -> bool {
        self.checkpoint.is_some()
    }

    pub(crate) const fn is_compacting(&self) -> bool {
        self.compacting.is_some()
    }

    /// Whether the log grows faster than it is compacted, so that compaction should briefly take precedence over
    /// requests.
    pub(crate) const fn must_catch_up(&self) -> bool {
        self.is_overgrown && self.is_compacting()
    }

    /// How many bytes of a checkpoint go into one batch.
    fn piece_bytes(&self, batch: Option<usize>) -> usize {
        let piece = batch.map_or(IDLE_PIECE_BYTES, |bytes| (bytes / 4).clamp(PIECE_BYTES, PIECE_BYTES_MAX));
        piece.min(usize::try_from(self.segment_bytes / 32).unwrap_or(piece))
    }

    /// An upper bound for the size of the next piece of the checkpoint.
    pub(crate) fn checkpoint_bytes(&self, state: &State, batch: Option<usize>) -> usize {
        match &self.checkpoint {
            Some(running) => running.checkpoint.bytes_max(state, self.piece_bytes(batch)),
            None => Checkpoint::begin_bytes_max(state),
        }
    }

    /// Writes the next piece of the checkpoint, or begins one if it is due. It must be the first in a batch: no
    /// document may be pending.
    pub(crate) fn write_checkpoint(&mut self, state: &mut State, batch: Option<usize>, facts: &mut Facts) {
        let bytes = self.piece_bytes(batch);
        let is_time = self.bytes_since_point >= self.checkpoint_after(state) && self.can_checkpoint(state);
        match &mut self.checkpoint {
            Some(running) if !running.has_ended => running.has_ended = running.checkpoint.proceed(state, bytes, facts),
            None if is_time => {
                let from = self.journal.next();
                let checkpoint = Checkpoint::begin(state, facts);
                self.checkpoint = Some(RunningCheckpoint { checkpoint, from, bytes: 0, has_ended: false });
            }
            Some(_) | None => {}
        }
    }

    /// Abandons the running checkpoint, because the batch with a piece of it was not written. A later one starts over.
    pub(crate) fn abandon_checkpoint(&mut self) {
        self.checkpoint = None;
    }

    /// The number of bytes after which a new checkpoint begins. It bounds what recovery reads, and keeps the cost of
    /// checkpoints to a fraction of what is written. Unneeded segments may cause one earlier.
    pub(super) fn checkpoint_after(&self, state: &State) -> u64 {
        self.recovery_bytes.unwrap_or_else(|| {
            let least = self.segment_bytes * RECOVERY_SEGMENTS;
            least.max(live_bytes(state) / 3).max(self.checkpoint_size * RECOVERY_CHECKPOINTS)
        })
    }

    /// Tidies up after a batch: sets a new recovery point, drops unneeded segments and starts compaction. Returns
    /// whether any segment was dropped.
    pub(crate) fn tidy(&mut self, state: &State) -> bool {
        self.update_first_reserve(state);
        self.files.wake_if_needed();
        if let Some(running) = self.checkpoint.take_if(|running| running.has_ended) {
            self.set_point(&running);
        }
        self.status.is_checkpointing.store(self.checkpoint.is_some(), Ordering::Relaxed);
        let bytes = self.bytes_written - self.bytes_when_tidied;
        if bytes >= self.segment_bytes / 2 {
            self.files.remove_overdue();
        }
        self.is_short_of_space &= self.is_full();
        self.needs_tidying |= bytes >= self.segment_bytes / 2 || self.is_short_of_space;
        self.batches_since_tidying += 1;
        if !self.needs_tidying && self.batches_since_tidying < BATCHES_BETWEEN_TIDYING {
            return false;
        }
        self.needs_tidying = false;
        self.batches_since_tidying = 0;
        self.bytes_when_tidied = self.bytes_written;
        self.checkpoint_size = Checkpoint::bytes_of_all(state) as u64;
        let reserve = self.reserve_of(state);
        self.journal.spares().set_reserve(reserve);
        self.show_reserve(reserve);
        let segments = self.journal.segments();
        self.drop_unneeded(state, &segments);
        let left = self.journal.segments();
        self.compact(state, &left);
        let live = live_bytes(state);
        self.status.live_bytes.store(live, Ordering::Relaxed);
        self.status.log_bytes.store(left.len() as u64 * self.segment_bytes, Ordering::Relaxed);
        left.len() < segments.len()
    }

    /// Updates the reserve in the first segment, which grows with the state. This is not done for every batch, since it
    /// visits all queues: only half of the reserve is counted, which makes up for the growth since the last update.
    fn update_first_reserve(&mut self, state: &State) {
        let bytes = self.bytes_written - self.bytes_when_reserve_updated;
        if self.journal.is_in_first_segment() && bytes >= self.segment_bytes / RESERVE_UPDATES {
            self.bytes_when_reserve_updated = self.bytes_written;
            self.set_first_reserve(state);
        }
    }

    fn set_point(&mut self, running: &RunningCheckpoint) {
        match self.journal.set_recovery_point(running.from, &[]) {
            Ok(()) => {
                self.bytes_since_point = running.bytes;
                LiveStatus::add(&self.status.checkpoints, 1);
            }
            // The previous point stays in force: recovery reads more than necessary.
            Err(error) => tracing::warn!(error = %error, "failed to set a recovery point"),
        }
        self.needs_tidying = true;
    }

    /// Drops segments that recovery does not read and that contain no needed document.
    fn drop_unneeded(&mut self, state: &State, segments: &[SegmentInfo]) {
        let (from, _) = self.journal.recovery_point();
        let Some((_, sealed)) = segments.split_last() else { return };
        let is_unneeded =
            |segment: &&SegmentInfo| segment.end <= from && !state.segment_usage().contains_key(&segment.id);
        for segment in sealed.iter().filter(is_unneeded) {
            match self.journal.detach_segment(segment.id) {
                Ok(detached) => {
                    self.files.remove(detached);
                    LiveStatus::add(&self.status.dropped, 1);
                }
                Err(error) => tracing::warn!(segment = segment.id, error = %error, "failed to drop a segment"),
            }
        }
    }

    /// Starts compaction of the segment with the least needed data, if the needed segments take more space than
    /// allowed. Unneeded segments are dropped after the next checkpoint anyway.
    fn compact(&mut self, state: &State, segments: &[SegmentInfo]) {
        let lives = state.segment_usage();
        if self.bytes_written - self.bytes_when_sampled >= self.segment_bytes / 2 {
            self.bytes_when_sampled = self.bytes_written;
            self.sampled_before = std::mem::replace(&mut self.sampled, lives.clone());
        }
        let Some((_, sealed)) = segments.split_last() else { return };
        let live = |segment: &SegmentInfo| lives.get(&segment.id).copied().unwrap_or(0);
        let unneeded = sealed.iter().filter(|segment| live(segment) == 0).count() as u64 * self.segment_bytes;
        let taken = segments.len() as u64 * self.segment_bytes;
        let needed = live_bytes(state);
        let garbage = needed.saturating_mul(self.garbage_percent) / 100;
        let allowed = needed.saturating_add(garbage) + self.segment_bytes;
        // Compaction works without pauses only if garbage has grown to twice its limit, or requests wait for space.
        let is_urgent = taken - unneeded > allowed + garbage + self.segment_bytes || self.is_short_of_space;
        self.compactor.set_urgent(is_urgent);
        self.is_overgrown = taken > 2 * needed + 3 * self.segment_bytes;
        if taken > allowed && unneeded > 0 && !self.is_full() {
            self.bytes_since_point = self.bytes_since_point.max(self.checkpoint_after(state));
        }
        // Half of the allowed garbage is for segments that are dropped after the next checkpoint.
        let is_within = taken - unneeded <= allowed - garbage / 2;
        if self.compacting.is_some() || (is_within && !self.is_short_of_space) {
            return;
        }
        // A segment that is being emptied will soon be unneeded: rewriting its documents would be wasted.
        let is_emptied = |segment: &SegmentInfo| {
            let gone = self.sampled_before.get(&segment.id).map_or(0, |before| before.saturating_sub(live(segment)));
            gone > self.segment_bytes / EMPTIED_PART
        };
        let sparsest = if is_urgent {
            self.sparsest_of_all(state, segments)
        } else {
            self.sparsest(state, segments, |segment| live(segment) < self.segment_bytes / 2 && !is_emptied(segment))
        };
        if let Some(sparsest) = sparsest
            && self.compactor.compact(sparsest)
        {
            self.compacting = Some(sparsest);
        }
    }

    pub(crate) fn compacted(&mut self, segment: u32, outcome: CompactionOutcome) {
        self.compacting = None;
        match outcome {
            CompactionOutcome::Complete => self.needs_tidying = true,
            // There was no space: compaction is retried at the next tidying.
            CompactionOutcome::Interrupted => {}
            CompactionOutcome::Unreadable => self.uncompactable.push(segment),
        }
    }

    /// Tries to free disk space and to create spares, because the disk was full.
    pub(crate) fn request_space(&self) {
        self.files.recycle_now();
        self.files.wake();
    }

    /// Rebuilds the acknowledged state from disk. Used after a failed batch, when the state in memory is ahead of the
    /// disk.
    pub(crate) fn acknowledged(&self) -> Result<State, String> {
        let (from, _) = self.journal.recovery_point();
        let until = self.journal.next();
        let mut state = if from > Seq::FIRST { State::recovering() } else { State::new() };
        let mut broken = None;
        for segment in self.journal.segments().into_iter().filter(|segment| segment.end > from) {
            let walked = self.journal.reader().walk(segment.id, |record| {
                if record.seq >= from && record.seq < until && broken.is_none() {
                    broken = state.recover(record.kind, record.body, place(record.location)).err();
                }
            });
            walked.map_err(|error| error.to_string())?;
        }
        match broken.or(state.recovered().err()) {
            Some(broken) => Err(broken.to_string()),
            None => Ok(state),
        }
    }

    /// Proves the last batch and releases the directory.
    pub(crate) fn close(self) -> Result<(), AppendError> {
        let Self { journal, files, .. } = self;
        let closed = journal.close();
        files.join();
        closed
    }
}

/// Replaces the content of a batch with these facts.
pub(crate) fn fill(batch: &mut Batch, facts: &Facts) -> Result<(), AppendError> {
    batch.clear();
    for recorded in facts.iter() {
        let pushed = batch.push(recorded.kind, &[recorded.head, recorded.payload]);
        pushed.map_err(|error| AppendError::TooLarge { needed: error.len, most: Batch::BODY_BYTES_MAX })?;
    }
    Ok(())
}

/// The total size of all needed documents.
fn live_bytes(state: &State) -> u64 {
    let segment_usage: &BTreeMap<u32, u64> = state.segment_usage();
    segment_usage.values().sum()
}

#[expect(clippy::disallowed_methods, reason = "the duration of a sync is only measured; no decision depends on it")]
fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let begun = Instant::now();
    (work(), begun.elapsed())
}
