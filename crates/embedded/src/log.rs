//! The log under a store: batches in, places out, and the upkeep that keeps it short.

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
use crate::message::{Compacted, Message};
use crate::options::{EmbeddedOptions, Vitals};

#[derive(Debug)]
pub(crate) struct Log {
    pub(super) journal: Journal,
    batch: Batch,
    pub(crate) cache: Cache,
    pub(super) segment_bytes: u64,
    recovery_bytes: Option<u64>,
    garbage_percent: u64,
    /// The description of the state that is being written.
    pub(super) sweep: Option<RunningCheckpoint>,
    pub(super) bytes_since_point: u64,
    /// What a description took, about, when it was last tidied up.
    description_bytes: u64,
    /// Since the store was opened; and how much of it when it was last tidied up.
    bytes_in_all: u64,
    bytes_when_tidied: u64,
    compactor: Compactor,
    pub(super) compacting: Option<u32>,
    /// What was needed of each file when they were last looked at, half a file ago or more, and the time before.
    lives: BTreeMap<u32, u64>,
    lives_before: BTreeMap<u32, u64>,
    bytes_when_looked: u64,
    /// The log takes more than it was promised to.
    is_overgrown: bool,
    /// Files that could not be compacted are left alone.
    pub(super) left_alone: Vec<u32>,
    /// Whether something happened after which there may be something to tidy.
    is_untidy: bool,
    /// The disk is full, and what is left of it is needed to make room.
    pub(super) is_short_of_room: bool,
    batches_since_tidying: u32,
    files: Files,
    pub(super) vitals: Arc<Vitals>,
}

#[derive(Debug)]
pub(super) struct RunningCheckpoint {
    pub(super) sweep: Checkpoint,
    /// Where recovery begins once it has ended.
    from: Seq,
    bytes: u64,
    pub(super) has_ended: bool,
}

/// So many bytes of description go into a batch that somebody waits for: less than would be noticed, or a quarter of
/// the batch; and into one that nobody waits for.
const PIECE_BYTES: usize = 4 * 1024;
const PIECE_BYTES_MAX: usize = 256 * 1024;
const IDLE_PIECE_BYTES: usize = 64 * 1024;
/// A file that lost such a part of itself since it was last looked at is being emptied.
const EMPTIED_PART: u64 = 16;
/// Recovery may always read so many files; and so many times what a description takes.
const RECOVERY_SEGMENTS: u64 = 4;
const DESCRIPTIONS: u64 = 3;
/// Without any other reason, it is looked for things to tidy after so many batches.
const BATCHES_BETWEEN_TIDYING: u32 = 1024;

impl Log {
    pub(crate) fn new(
        journal: Journal,
        state: &State,
        options: &EmbeddedOptions,
        writer: SyncSender<Message>,
        vitals: Arc<Vitals>,
    ) -> std::io::Result<Self> {
        let (from, _) = journal.recovery_point();
        let behind = journal.segments().into_iter().filter(|segment| segment.end > from).count();
        let segment_bytes = options.segment_bytes;
        let compactor = Compactor::start(journal.reader(), writer, segment_bytes / 8)?;
        let log = Self {
            files: Files::start(journal.spares().clone())?,
            batch: Batch::new(),
            cache: Cache::new(options.cache_bytes),
            recovery_bytes: options.recovery_bytes,
            garbage_percent: options.garbage_percent,
            segment_bytes: segment_bytes as u64,
            sweep: None,
            bytes_since_point: (behind.saturating_sub(1) * segment_bytes) as u64,
            description_bytes: 0,
            bytes_in_all: 0,
            bytes_when_tidied: 0,
            compactor,
            compacting: None,
            lives: BTreeMap::new(),
            lives_before: BTreeMap::new(),
            bytes_when_looked: 0,
            is_overgrown: false,
            left_alone: Vec::new(),
            is_untidy: true,
            is_short_of_room: false,
            batches_since_tidying: 0,
            journal,
            vitals,
        };
        log.journal.spares().demand_reserve(log.reserve_of(state));
        log.files.wish_if_wanted();
        Ok(log)
    }

    pub(crate) fn reader(&self) -> Reader {
        self.journal.reader()
    }

    pub(crate) fn reserve(&mut self, bytes: usize, purpose: Use) -> Result<(), AppendError> {
        self.journal.reserve(bytes, purpose)
    }

    /// Writes these facts as one batch and syncs it; gives the place of each.
    pub(crate) fn keep(&mut self, state: &State, facts: &Facts, purpose: Use) -> Result<Vec<DocumentRef>, AppendError> {
        fill(&mut self.batch, facts)?;
        let begun = begin();
        let appended = self.journal.append(&mut self.batch, purpose)?;
        self.vitals.syncs.add(since(begun));
        let bytes = self.batch.bytes_on_disk() as u64;
        self.bytes_since_point += bytes;
        self.bytes_in_all += bytes;
        if let Some(running) = &mut self.sweep {
            running.bytes += bytes;
        }
        let places: Vec<DocumentRef> = appended.locations.into_iter().map(place).collect();
        for (recorded, place) in facts.iter().zip(&places) {
            if let Some(content) = recorded.content {
                let before = recorded.slot.map_or(0, |slot| state.ready_beside(slot));
                self.cache.put(*place, content, before);
            }
        }
        Vitals::add(&self.vitals.batches, 1);
        Vitals::add(&self.vitals.facts, facts.len() as u64);
        Ok(places)
    }

    pub(crate) fn prove(&mut self) -> Result<(), AppendError> {
        self.journal.prove()
    }

    /// Whether there is upkeep that does not wait for requests.
    pub(crate) const fn is_sweeping(&self) -> bool {
        self.sweep.is_some()
    }

    pub(crate) const fn is_compacting(&self) -> bool {
        self.compacting.is_some()
    }

    /// Whether requests come faster than files are given up, so that these should go first for a moment.
    pub(crate) const fn must_catch_up(&self) -> bool {
        self.is_overgrown && self.is_compacting()
    }

    /// How much of the state is described in one batch.
    fn piece_bytes(&self, batch: Option<usize>) -> usize {
        let piece = batch.map_or(IDLE_PIECE_BYTES, |bytes| (bytes / 4).clamp(PIECE_BYTES, PIECE_BYTES_MAX));
        piece.min(usize::try_from(self.segment_bytes / 32).unwrap_or(piece))
    }

    /// No less than the next piece of the description takes.
    pub(crate) fn sweep_bytes(&self, state: &State, batch: Option<usize>) -> usize {
        match &self.sweep {
            Some(running) => running.sweep.bytes_max(state, self.piece_bytes(batch)),
            None => Checkpoint::begin_bytes_max(state),
        }
    }

    /// Describes a piece of the state, where that is due. No document may be pending: it comes first in a batch.
    pub(crate) fn sweep(&mut self, state: &mut State, batch: Option<usize>, facts: &mut Facts) {
        let bytes = self.piece_bytes(batch);
        let is_time = self.bytes_since_point >= self.sweep_after(state) && self.can_be_described(state);
        match &mut self.sweep {
            Some(running) if !running.has_ended => running.has_ended = running.sweep.proceed(state, bytes, facts),
            None if is_time => {
                let from = self.journal.next();
                let sweep = Checkpoint::begin(state, facts);
                self.sweep = Some(RunningCheckpoint { sweep, from, bytes: 0, has_ended: false });
            }
            Some(_) | None => {}
        }
    }

    /// The batch of a description's piece was not written: it is begun anew some time.
    pub(crate) fn abandon_sweep(&mut self) {
        self.sweep = None;
    }

    /// After so many bytes the state is described anew: recovery reads no more, and the description costs a
    /// fraction of what was written. Files that nobody needs do not wait for that.
    pub(super) fn sweep_after(&self, state: &State) -> u64 {
        self.recovery_bytes.unwrap_or_else(|| {
            let least = self.segment_bytes * RECOVERY_SEGMENTS;
            least.max(live_bytes(state) / 3).max(self.description_bytes * DESCRIPTIONS)
        })
    }

    /// Tidies up behind a batch: recovery begins later, files go. Whether any did.
    pub(crate) fn tidy(&mut self, state: &State) -> bool {
        self.files.wish_if_wanted();
        if let Some(running) = self.sweep.take_if(|running| running.has_ended) {
            self.set_point(&running);
        }
        self.vitals.is_sweeping.store(self.sweep.is_some(), Ordering::Relaxed);
        let bytes = self.bytes_in_all - self.bytes_when_tidied;
        if bytes >= self.segment_bytes / 2 {
            self.files.remove_late();
        }
        self.is_short_of_room &= self.is_full();
        self.is_untidy |= bytes >= self.segment_bytes / 2 || self.is_short_of_room;
        self.batches_since_tidying += 1;
        if !self.is_untidy && self.batches_since_tidying < BATCHES_BETWEEN_TIDYING {
            return false;
        }
        self.is_untidy = false;
        self.batches_since_tidying = 0;
        self.bytes_when_tidied = self.bytes_in_all;
        self.description_bytes = Checkpoint::bytes_of_all(state) as u64;
        self.journal.spares().set_reserve(self.reserve_of(state));
        let segments = self.journal.segments();
        self.drop_unneeded(state, &segments);
        let left = self.journal.segments();
        self.compact(state, &left);
        let live = live_bytes(state);
        self.vitals.live_bytes.store(live, Ordering::Relaxed);
        self.vitals.log_bytes.store(left.len() as u64 * self.segment_bytes, Ordering::Relaxed);
        left.len() < segments.len()
    }

    fn set_point(&mut self, running: &RunningCheckpoint) {
        match self.journal.set_recovery_point(running.from, &[]) {
            Ok(()) => {
                self.bytes_since_point = running.bytes;
                Vitals::add(&self.vitals.sweeps, 1);
            }
            // The former point holds: recovery reads more than it need.
            Err(error) => tracing::warn!(error = %error, "a recovery point could not be set"),
        }
        self.is_untidy = true;
    }

    /// Removes files that recovery does not read and of which no document is needed.
    fn drop_unneeded(&mut self, state: &State, segments: &[SegmentInfo]) {
        let (from, _) = self.journal.recovery_point();
        let Some((_, sealed)) = segments.split_last() else { return };
        let is_unneeded = |segment: &&SegmentInfo| segment.end <= from && !state.shelves().contains_key(&segment.id);
        for segment in sealed.iter().filter(is_unneeded) {
            match self.journal.forget_segment(segment.id) {
                Ok(forgotten) => {
                    self.files.remove(forgotten);
                    Vitals::add(&self.vitals.dropped, 1);
                }
                Err(error) => tracing::warn!(segment = segment.id, error = %error, "a segment could not be dropped"),
            }
        }
    }

    /// Has the sparsest file written again, where files that are needed take more room than they may. Those that nobody
    /// needs go by themselves when the next description ends.
    fn compact(&mut self, state: &State, segments: &[SegmentInfo]) {
        let lives = state.shelves();
        if self.bytes_in_all - self.bytes_when_looked >= self.segment_bytes / 2 {
            self.bytes_when_looked = self.bytes_in_all;
            self.lives_before = std::mem::replace(&mut self.lives, lives.clone());
        }
        let Some((_, sealed)) = segments.split_last() else { return };
        let live = |segment: &SegmentInfo| lives.get(&segment.id).copied().unwrap_or(0);
        let unneeded = sealed.iter().filter(|segment| live(segment) == 0).count() as u64 * self.segment_bytes;
        let taken = segments.len() as u64 * self.segment_bytes;
        let needed = live_bytes(state);
        let garbage = needed.saturating_mul(self.garbage_percent) / 100;
        let allowed = needed.saturating_add(garbage) + self.segment_bytes;
        // Without a pause only when garbage has grown to twice what it may be, or somebody waits for room.
        let is_hurried = taken - unneeded > allowed + garbage + self.segment_bytes || self.is_short_of_room;
        self.compactor.hurry(is_hurried);
        self.is_overgrown = taken > 2 * needed + 3 * self.segment_bytes;
        if taken > allowed && unneeded > 0 && !self.is_full() {
            self.bytes_since_point = self.bytes_since_point.max(self.sweep_after(state));
        }
        // Half of it is for files that go by themselves with the next description.
        let is_within = taken - unneeded <= allowed - garbage / 2;
        if self.compacting.is_some() || (is_within && !self.is_short_of_room) {
            return;
        }
        // A file that is being emptied is soon needed by nobody: what is written again of it is written for nothing.
        let is_emptied = |segment: &SegmentInfo| {
            let gone = self.lives_before.get(&segment.id).map_or(0, |before| before.saturating_sub(live(segment)));
            gone > self.segment_bytes / EMPTIED_PART
        };
        let sparsest = if is_hurried {
            self.sparsest_of_all(state, segments)
        } else {
            self.sparsest(state, segments, |segment| live(segment) < self.segment_bytes / 2 && !is_emptied(segment))
        };
        if let Some(sparsest) = sparsest
            && self.compactor.give_up(sparsest)
        {
            self.compacting = Some(sparsest);
        }
    }

    pub(crate) fn compacted(&mut self, shelf: u32, outcome: Compacted) {
        self.compacting = None;
        match outcome {
            Compacted::Whole => self.is_untidy = true,
            // There was no room: it is tried again when something has happened that may have made some.
            Compacted::Interrupted => {}
            Compacted::Unreadable => self.left_alone.push(shelf),
        }
    }

    /// The disk was full: perhaps it is not any more.
    pub(crate) fn wish_for_room(&self) {
        self.files.renew_now();
        self.files.wish();
    }

    /// The state as it was acknowledged, read from the disk again: what is in memory is ahead of it.
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

    /// Proves what was written, and gives the directory back.
    pub(crate) fn close(self) -> Result<(), AppendError> {
        let Self { journal, files, .. } = self;
        let closed = journal.close();
        files.join();
        closed
    }
}

/// Has a batch hold these facts and nothing else.
pub(crate) fn fill(batch: &mut Batch, facts: &Facts) -> Result<(), AppendError> {
    batch.clear();
    for recorded in facts.iter() {
        let pushed = batch.push(recorded.kind, &[recorded.head, recorded.payload]);
        pushed.map_err(|error| AppendError::TooLarge { needed: error.len, most: Batch::BODY_BYTES_MAX })?;
    }
    Ok(())
}

/// Bytes of documents that somebody needs.
fn live_bytes(state: &State) -> u64 {
    let shelves: &BTreeMap<u32, u64> = state.shelves();
    shelves.values().sum()
}

#[expect(clippy::disallowed_methods, reason = "how long a sync takes is no decision")]
fn begin() -> Instant {
    Instant::now()
}

#[expect(clippy::disallowed_methods, reason = "how long a sync takes is no decision")]
fn since(begun: Instant) -> Duration {
    begun.elapsed()
}
