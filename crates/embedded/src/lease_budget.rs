//! The reserve for a full disk, and which requests may use it.
//!
//! Only work that frees disk space may use the reserve. In the first segment of a new store the reserve is the end of
//! that segment, as long as that is large enough; later it consists of spare segments. Requests that add data are
//! accepted only while the reserve is complete, so it exists no matter when the disk becomes full.
//!
//! The disk counts as full when only the reserve is left. From then on the store accepts only work that frees disk
//! space, which needs space itself until segments can be dropped. It must never use up the space that dropping segments
//! requires:
//!
//! - A segment can be dropped when no document in it is needed and a later checkpoint is complete. So there is always
//!   space for a checkpoint. One begins when it lets at least as much be dropped as it takes, or when space is short.
//!   If space is short, other requests wait until it is complete.
//! - If every segment contains needed documents, the one with the least needed data is compacted first. So there is
//!   also space for that, as long as there is such a segment.
//! - Completing items frees space. So leases leave space for completing everything that is leased, one item at a time,
//!   up to two segments: beyond that, one of the two contains only completes and can be dropped.
//!
//! A lease that would leave less than that waits until space is freed. If nothing can free space, each caller gets one
//! item, as long as all leased items can still be completed: completing them is then the only way to free space.
//! Requests that extend a lease are rejected before that.

use std::sync::atomic::Ordering;

use redrive_journal::SegmentInfo;
use redrive_queue::{Checkpoint, State};

use crate::log::Log;

/// The space needed on a full disk in addition to checkpoints, with segments of the minimum size: the slack, a batch
/// with all timed transitions, a piece of compacted documents, and the leases and completes until a checkpoint begins.
/// Each takes up to 16 KiB.
const WORK_BYTES: u64 = 64 * 1024;
/// Space on a full disk that is treated as unusable: sizes are estimated from above, and the end of a segment stays
/// unused if a batch does not fit into it.
const SLACK_BYTES: u64 = 16 * 1024;
/// The space that completing one item takes, and one letter.
const COMPLETE_BYTES: u64 = 128;
const COMPLETE_LETTER_BYTES: u64 = 1024;

/// How requests that lease, claim or extend are treated on a full disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LeaseBudget {
    /// All are served.
    Open,
    /// Leases and claims wait: space is being freed. Extends are rejected.
    Later,
    /// Each lease or claim gets one item. Extends are rejected.
    OneEach,
    /// All are rejected.
    Shut,
}

/// What the pending lease and claim requests need.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LeaseDemand {
    pub(crate) bytes: usize,
    /// The number of callers, and of the items that they request in total.
    pub(crate) callers: u64,
    pub(crate) items: u64,
}

impl Log {
    /// The number of segments to reserve for work that frees disk space. Two checkpoints fit into them, since the
    /// segments of one can be dropped once the next one is complete, plus the leases and completes until then. Only
    /// half of the first segment is counted.
    ///
    /// If one segment is enough, all items can be leased and completed one by one in it: that takes about three times
    /// the size of their checkpoint. If more are needed, one segment is full of leases and completes before the last
    /// one is begun, and can be dropped when the checkpoint is complete.
    pub(super) fn reserve_of(&self, state: &State) -> usize {
        let beyond = bytes_to_free(state).saturating_sub(self.segment_bytes / 2);
        let files = beyond.div_ceil(self.segment_bytes);
        1 + usize::try_from(files).unwrap_or(usize::MAX - 1)
    }

    /// Sets the reserve in the first segment, which is in force while that is the only one. As with spare segments,
    /// half of it is counted, so that all items can be leased and completed one by one in it. A checkpoint is of no use
    /// before there is a second segment, since nothing can be dropped.
    pub(super) fn set_first_reserve(&mut self, state: &State) {
        let bytes = bytes_to_free(state).saturating_mul(2);
        self.journal.set_first_reserve(usize::try_from(bytes).unwrap_or(usize::MAX));
    }

    /// Starts a checkpoint on a full disk, if segments without needed documents are kept only because recovery begins
    /// before their end. They must take at least as much space as the checkpoint, since only the next checkpoint frees
    /// its space again; or space must be short.
    pub(crate) fn checkpoint_on_full_disk(&mut self, state: &State) {
        let idle = self.kept_for_recovery(state, &self.journal.segments()) * self.segment_bytes;
        let is_worth_it = idle >= Checkpoint::bytes_of_all(state) as u64 || self.is_short_of_space;
        if self.checkpoint.is_none() && idle > 0 && is_worth_it {
            self.bytes_since_point = self.bytes_since_point.max(self.checkpoint_after(state));
        }
    }

    /// How many segments are kept only for recovery.
    fn kept_for_recovery(&self, state: &State, segments: &[SegmentInfo]) -> u64 {
        let (from, _) = self.journal.recovery_point();
        let sealed = segments.split_last().map_or(&[][..], |(_, sealed)| sealed);
        let is_kept = |segment: &&SegmentInfo| segment.end > from && !state.segment_usage().contains_key(&segment.id);
        sealed.iter().filter(is_kept).count() as u64
    }

    /// Whether there is space for a complete checkpoint. An incomplete one lets nothing be dropped and takes space away
    /// from completes; so does one in the only segment.
    pub(super) fn can_checkpoint(&self, state: &State) -> bool {
        let has_space = || self.free_bytes() >= Checkpoint::bytes_of_all(state) as u64 + SLACK_BYTES;
        !self.is_full() || (!self.journal.is_in_first_segment() && has_space())
    }

    /// Whether a checkpoint is running that would find no space after `bytes` more were written.
    pub(crate) fn must_checkpoint_first(&self, state: &State, bytes: usize) -> bool {
        self.is_checkpoint_unfinished() && self.free_bytes() < bytes as u64 + self.remaining_checkpoint_bytes(state)
    }

    /// Whether documents of this size may be rewritten by compaction. On a full disk there must be space for a
    /// checkpoint after them, without which nothing can be dropped. A running checkpoint comes first, since no segment
    /// written after its start can be dropped.
    pub(crate) fn may_relocate(&self, state: &State, bytes: u64) -> bool {
        let has_space =
            || !self.is_checkpoint_unfinished() && self.free_bytes() >= bytes + self.remaining_checkpoint_bytes(state);
        !self.is_full() || has_space()
    }

    /// How to treat lease and claim requests on a full disk.
    pub(crate) fn leases_on_full_disk(&mut self, state: &State, demand: LeaseDemand) -> LeaseBudget {
        let LeaseDemand { bytes, callers, items } = demand;
        let free = self.free_bytes();
        let checkpoint = self.remaining_checkpoint_bytes(state);
        let compaction = self.compaction_bytes(state).filter(|bytes| free >= bytes + checkpoint);
        let completes = completes_bytes(state, items).min(2 * self.segment_bytes);
        let is_open = free >= bytes as u64 + checkpoint + compaction.unwrap_or(0) + completes;
        self.is_short_of_space = !is_open;
        if is_open {
            LeaseBudget::Open
        } else if compaction.is_some() || self.is_compacting() || self.is_checkpoint_unfinished() {
            LeaseBudget::Later
        } else if free >= bytes as u64 + completes_bytes(state, callers) {
            LeaseBudget::OneEach
        } else {
            LeaseBudget::Shut
        }
    }

    /// The space needed to compact the segment that is being compacted, or the one that would be next.
    fn compaction_bytes(&self, state: &State) -> Option<u64> {
        let segments = self.journal.segments();
        let next = || self.sparsest_of_all(state, &segments);
        let segment = self.compacting.or_else(next)?;
        state.segment_usage().get(&segment).map(|live| self.relocation_bytes(*live))
    }

    /// The segment with the least needed data, of all that can be compacted. For use when space is needed at once.
    pub(super) fn sparsest_of_all(&self, state: &State, segments: &[SegmentInfo]) -> Option<u32> {
        self.sparsest(state, segments, |_| true)
    }

    /// The segment with the least needed data, among those that are worth compacting and for which there is space. On a
    /// full disk there is none while a checkpoint alone would let segments be dropped.
    pub(super) fn sparsest(
        &self,
        state: &State,
        segments: &[SegmentInfo],
        is_candidate: impl Fn(&SegmentInfo) -> bool,
    ) -> Option<u32> {
        let (_, sealed) = segments.split_last()?;
        if self.is_full() && self.kept_for_recovery(state, segments) > 0 && self.can_checkpoint(state) {
            return None;
        }
        let live = |segment: &SegmentInfo| state.segment_usage().get(&segment.id).copied().unwrap_or(0);
        let worth = sealed.iter().filter(|segment| {
            let live = live(segment);
            let is_sparse = live > 0 && live < self.segment_bytes / 4 * 3 && !self.uncompactable.contains(&segment.id);
            is_sparse && is_candidate(segment) && self.may_relocate(state, self.relocation_bytes(live))
        });
        worth.min_by_key(|segment| live(segment)).map(|segment| segment.id)
    }

    /// The space needed to rewrite `live` bytes of documents: each has a header, and the end of the active segment may
    /// stay unused.
    const fn relocation_bytes(&self, live: u64) -> u64 {
        live + live / 8 + self.segment_bytes / 4
    }

    /// The space needed for a checkpoint, or for the rest of the running one, plus a quarter: it may grow, and other
    /// records are written between its pieces.
    fn remaining_checkpoint_bytes(&self, state: &State) -> u64 {
        let bytes = match &self.checkpoint {
            Some(running) => running.checkpoint.bytes_left(state),
            None => Checkpoint::bytes_of_all(state),
        } as u64;
        bytes + bytes / 4 + SLACK_BYTES
    }

    fn is_checkpoint_unfinished(&self) -> bool {
        self.checkpoint.as_ref().is_some_and(|running| !running.has_ended)
    }

    pub(super) fn is_full(&self) -> bool {
        self.status.is_full.load(Ordering::Relaxed)
    }

    fn free_bytes(&self) -> u64 {
        self.journal.free_bytes() as u64
    }
}

/// The space that work that frees disk space needs before any is freed: two checkpoints, plus leases and completes.
fn bytes_to_free(state: &State) -> u64 {
    (2 * Checkpoint::bytes_of_all(state) as u64).saturating_add(WORK_BYTES)
}

/// The space needed to complete all leased items and `more` items, one at a time.
fn completes_bytes(state: &State, more: u64) -> u64 {
    let held = state.held().saturating_add(more).min(state.items_in_slots());
    let letters = state.letters().min(held);
    held.saturating_mul(COMPLETE_BYTES).saturating_add(letters.saturating_mul(COMPLETE_LETTER_BYTES))
}
