//! The log under a store: batches in, places out, and the upkeep that keeps it short.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};

use redrive_journal::{AppendError, Batch, Journal, Reader, SegmentInfo, Seq, Use};
use redrive_queue::{Facts, Place, State, Sweep};

use super::answer::place;
use super::cache::Cache;
use super::compactor::{Compacted, Compactor};
use super::files::Files;
use super::message::Message;
use super::options::{Options, Vitals};

#[derive(Debug)]
pub(crate) struct Log {
    journal: Journal,
    batch: Batch,
    pub(crate) cache: Cache,
    segment_bytes: u64,
    recovery_bytes: Option<u64>,
    garbage_percent: u64,
    /// The description of the state that is being written.
    sweep: Option<Running>,
    bytes_since_point: u64,
    /// Since the store was opened; and how much of it when it was last tidied up.
    bytes_in_all: u64,
    bytes_when_tidied: u64,
    compactor: Compactor,
    compacting: Option<u32>,
    /// What was needed of each file when they were last looked at, half a file ago or more, and the time before.
    lives: BTreeMap<u32, u64>,
    lives_before: BTreeMap<u32, u64>,
    bytes_when_looked: u64,
    /// Files that could not be compacted are left alone.
    left_alone: Vec<u32>,
    /// Whether something happened after which there may be something to tidy.
    is_untidy: bool,
    batches_since_tidying: u32,
    files: Files,
    vitals: Arc<Vitals>,
}

#[derive(Debug)]
struct Running {
    sweep: Sweep,
    /// Where recovery begins once it has ended.
    from: Seq,
    bytes: u64,
    has_ended: bool,
}

/// So many bytes of description go into a batch that somebody waits for: less than would be noticed, or a sixth of
/// the batch; and into one that nobody waits for.
const PIECE_BYTES: usize = 4 * 1024;
const PIECE_BYTES_MAX: usize = 256 * 1024;
const IDLE_PIECE_BYTES: usize = 64 * 1024;
/// What is written on a full disk until files can be dropped, besides descriptions.
const WORK_BYTES: u64 = 128 * 1024;
/// So much of the room on a full disk is not counted on: a piece is reckoned larger than it is, and the end of a file into
/// which a batch does not fit is lost.
const SLACK_BYTES: u64 = 16 * 1024;
/// A file that lost such a part of itself since it was last looked at is being emptied.
const EMPTIED_PART: u64 = 16;
/// Without any other reason, it is looked for things to tidy after so many batches.
const BATCHES_BETWEEN_TIDYING: u32 = 1024;

impl Log {
    pub(crate) fn new(
        journal: Journal,
        options: &Options,
        writer: SyncSender<Message>,
        vitals: Arc<Vitals>,
    ) -> std::io::Result<Self> {
        let (from, _) = journal.recovery_point();
        let behind = journal.segments().into_iter().filter(|segment| segment.end > from).count();
        let segment_bytes = options.segment_bytes;
        let compactor = Compactor::start(journal.reader(), writer, segment_bytes / 8)?;
        Ok(Self {
            files: Files::start(journal.spares().clone())?,
            batch: Batch::new(),
            cache: Cache::new(options.cache_bytes),
            recovery_bytes: options.recovery_bytes,
            garbage_percent: options.garbage_percent,
            segment_bytes: segment_bytes as u64,
            sweep: None,
            bytes_since_point: (behind.saturating_sub(1) * segment_bytes) as u64,
            bytes_in_all: 0,
            bytes_when_tidied: 0,
            compactor,
            compacting: None,
            lives: BTreeMap::new(),
            lives_before: BTreeMap::new(),
            bytes_when_looked: 0,
            left_alone: Vec::new(),
            is_untidy: true,
            batches_since_tidying: 0,
            journal,
            vitals,
        })
    }

    pub(crate) fn reader(&self) -> Reader {
        self.journal.reader()
    }

    pub(crate) fn reserve(&mut self, bytes: usize, purpose: Use) -> Result<(), AppendError> {
        self.journal.reserve(bytes, purpose)
    }

    /// Writes these facts as one batch and syncs it; gives the place of each.
    pub(crate) fn keep(&mut self, state: &State, facts: &Facts, purpose: Use) -> Result<Vec<Place>, AppendError> {
        self.batch.clear();
        for recorded in facts.iter() {
            let pushed = self.batch.push(recorded.kind, &[recorded.head, recorded.payload]);
            pushed.map_err(|error| AppendError::TooLarge { needed: error.len, most: Batch::BODY_BYTES_MAX })?;
        }
        let begun = begin();
        let appended = self.journal.append(&mut self.batch, purpose)?;
        self.vitals.syncs.add(since(begun));
        let bytes = self.batch.bytes_on_disk() as u64;
        self.bytes_since_point += bytes;
        self.bytes_in_all += bytes;
        if let Some(running) = &mut self.sweep {
            running.bytes += bytes;
        }
        let places: Vec<Place> = appended.locations.into_iter().map(place).collect();
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

    /// How much of the state is described in one batch.
    fn piece_bytes(&self, batch: Option<usize>) -> usize {
        let piece = batch.map_or(IDLE_PIECE_BYTES, |bytes| (bytes / 6).clamp(PIECE_BYTES, PIECE_BYTES_MAX));
        piece.min(usize::try_from(self.segment_bytes / 32).unwrap_or(piece))
    }

    /// No less than the next piece of the description takes.
    pub(crate) fn sweep_bytes(&self, state: &State, batch: Option<usize>) -> usize {
        match &self.sweep {
            Some(running) => running.sweep.bytes_max(state, self.piece_bytes(batch)),
            None => Sweep::begin_bytes_max(state),
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
                let sweep = Sweep::begin(state, facts);
                self.sweep = Some(Running { sweep, from, bytes: 0, has_ended: false });
            }
            Some(_) | None => {}
        }
    }

    /// The batch of a description's piece was not written: it is begun anew some time.
    pub(crate) fn abandon_sweep(&mut self) {
        self.sweep = None;
    }

    /// The disk is full. Files that nobody needs may only be kept because recovery begins before their end.
    pub(crate) fn sweep_on_full_disk(&mut self, state: &State) {
        let (from, _) = self.journal.recovery_point();
        let segments = self.journal.segments();
        let sealed = segments.split_last().map_or(&[][..], |(_, sealed)| sealed);
        let is_kept_for_recovery =
            |segment: &SegmentInfo| segment.end > from && !state.shelves().contains_key(&segment.id);
        if self.sweep.is_none() && sealed.iter().any(is_kept_for_recovery) {
            self.bytes_since_point = self.bytes_since_point.max(self.sweep_after(state));
        }
    }

    /// Whether there is room for a description of everything. Half of one lets nothing be dropped, and takes room away
    /// from completes.
    fn can_be_described(&self, state: &State) -> bool {
        !self.is_full() || self.journal.room() as u64 >= Sweep::bytes_of_all(state) as u64 + SLACK_BYTES
    }

    /// Whether a description is under way, and would find no room behind so many bytes.
    pub(crate) fn must_be_described_first(&self, state: &State, bytes: usize) -> bool {
        let running = self.sweep.as_ref().filter(|running| !running.has_ended);
        running.is_some_and(|running| !self.has_room_beside(running.sweep.bytes_left(state) as u64, bytes as u64))
    }

    /// How many files are kept for work that frees room. Two descriptions of everything fit into them, since the files
    /// of one can be dropped when the next one is whole, and the leases and completes until then. Of the first file
    /// only half is counted on.
    fn reserve_of(&self, state: &State) -> usize {
        let needed = 2 * Sweep::bytes_of_all(state) as u64 + WORK_BYTES;
        let beyond = needed.saturating_sub(self.segment_bytes / 2);
        let files = beyond.div_ceil(self.segment_bytes);
        1 + usize::try_from(files).unwrap_or(usize::MAX - 1)
    }

    /// After so many bytes the state is described anew: recovery reads no more, and the description costs a
    /// fraction of what was written.
    fn sweep_after(&self, state: &State) -> u64 {
        self.recovery_bytes.unwrap_or_else(|| self.segment_bytes.max(live_bytes(state) / 3))
    }

    /// Tidies up behind a batch: recovery begins later, files go.
    pub(crate) fn tidy(&mut self, state: &State) {
        self.files.wish_if_wanted();
        if let Some(running) = self.sweep.take_if(|running| running.has_ended) {
            self.set_point(&running);
        }
        self.vitals.is_sweeping.store(self.sweep.is_some(), Ordering::Relaxed);
        let bytes = self.bytes_in_all - self.bytes_when_tidied;
        self.is_untidy |= bytes >= self.segment_bytes / 2;
        self.batches_since_tidying += 1;
        if !self.is_untidy && self.batches_since_tidying < BATCHES_BETWEEN_TIDYING {
            return;
        }
        self.is_untidy = false;
        self.batches_since_tidying = 0;
        self.bytes_when_tidied = self.bytes_in_all;
        self.journal.spares().set_reserve(self.reserve_of(state));
        let segments = self.journal.segments();
        self.drop_unneeded(state, &segments);
        self.compact(state, &self.journal.segments());
        let live = live_bytes(state);
        self.vitals.live_bytes.store(live, Ordering::Relaxed);
        self.vitals.log_bytes.store(self.journal.segments().len() as u64 * self.segment_bytes, Ordering::Relaxed);
    }

    fn set_point(&mut self, running: &Running) {
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
        let garbage = live_bytes(state).saturating_mul(self.garbage_percent) / 100;
        let allowed = live_bytes(state).saturating_add(garbage) + self.segment_bytes;
        // Without a pause only when garbage has grown to twice what it may be.
        let is_hurried = taken - unneeded > allowed + garbage + self.segment_bytes;
        self.compactor.hurry(is_hurried);
        if taken > allowed && unneeded > 0 {
            self.bytes_since_point = self.bytes_since_point.max(self.sweep_after(state));
        }
        if self.compacting.is_some() || taken - unneeded <= allowed {
            return;
        }
        // A file that is being emptied is soon needed by nobody: what is written again of it is written for nothing.
        let is_emptied = |segment: &SegmentInfo| {
            let gone = self.lives_before.get(&segment.id).map_or(0, |before| before.saturating_sub(live(segment)));
            gone > self.segment_bytes / EMPTIED_PART
        };
        let sparse = if is_hurried { self.segment_bytes / 4 * 3 } else { self.segment_bytes / 2 };
        let worth = sealed.iter().filter(|segment| {
            let live = live(segment);
            let is_sparse = live > 0 && live < sparse && !self.left_alone.contains(&segment.id);
            is_sparse
                && (is_hurried || !is_emptied(segment))
                && self.may_relocate(state, live + live / 8 + self.segment_bytes / 4)
        });
        if let Some(sparsest) = worth.min_by_key(|segment| live(segment))
            && self.compactor.give_up(sparsest.id)
        {
            self.compacting = Some(sparsest.id);
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

    /// Whether documents of this size may be written again. On a full disk a description must find room behind them,
    /// without which nothing can be dropped, and completes while it is written.
    pub(crate) fn may_relocate(&self, state: &State, bytes: u64) -> bool {
        let description = || match &self.sweep {
            Some(running) => running.sweep.bytes_left(state) as u64,
            None => Sweep::bytes_of_all(state) as u64,
        };
        !self.is_full() || self.has_room_beside(description(), bytes)
    }

    fn is_full(&self) -> bool {
        self.vitals.is_full.load(Ordering::Relaxed)
    }

    /// Whether so many bytes find room, and a description of about this length behind them. A quarter more is reckoned
    /// for it, since it may become longer and is not written alone.
    fn has_room_beside(&self, description: u64, bytes: u64) -> bool {
        self.journal.room() as u64 >= bytes + description + description / 4 + SLACK_BYTES
    }

    /// The disk was full: perhaps it is not any more.
    pub(crate) fn wish_for_room(&self) {
        self.files.remove_now();
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
