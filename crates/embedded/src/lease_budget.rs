//! What is kept for a full disk, and who may use it.
//!
//! A disk is full when nothing but the reserve is left. From then on only work that frees room is done, and it takes
//! room itself until files can be dropped. That never uses up what it takes to drop them:
//!
//! - A file goes when nobody needs anything of it and a description of the state stands behind it. So there is always
//!   room for a description. One begins when what it lets go is no less than it takes, or room is short, and where it is
//!   short others wait for its end.
//! - Where every file holds something that is needed, the sparsest is written again first. So there is room for that,
//!   too, as long as there is such a file.
//! - Completes free what others hold. So leases leave room for completing everything that is held, one at a time. Beyond
//!   two files there is no need to: one of them is full of completes then, and goes.
//!
//! When a lease would leave less than that, it waits for what makes room. Where nothing can, those who ask get one item
//! each, as long as what is held can be completed: items that are completed are what makes room at last. Whoever would
//! keep what he has for longer is refused before that.

use std::sync::atomic::Ordering;

use redrive_journal::SegmentInfo;
use redrive_queue::{Checkpoint, State};

use crate::log::Log;

/// What is written on a full disk besides descriptions, where files are as small as they may be: the slack, a batch with
/// all that may happen by itself in it, a piece of documents that are written again, and leases and completes until a
/// description begins. Each of them takes up to 16 KiB.
const WORK_BYTES: u64 = 64 * 1024;
/// So much of the room on a full disk is not counted on: a piece is reckoned larger than it is, and the end of a file into
/// which a batch does not fit is lost.
const SLACK_BYTES: u64 = 16 * 1024;
/// What it takes to complete an item by itself, and a letter.
const COMPLETE_BYTES: u64 = 128;
const COMPLETE_LETTER_BYTES: u64 = 1024;

/// What may be given to those who ask for items or letters, or keep what they have for longer, on a full disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LeaseBudget {
    Open,
    /// They wait: room is being made. None is kept for longer.
    Later,
    /// One for each of those who ask. None is kept for longer.
    OneEach,
    Shut,
}

/// What leases would take.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LeaseDemand {
    pub(crate) bytes: usize,
    /// How many ask, and for how many items.
    pub(crate) callers: u64,
    pub(crate) items: u64,
}

impl Log {
    /// How many files are kept for work that frees room. Two descriptions of everything fit into them, since the files
    /// of one can be dropped when the next one is whole, and the leases and completes until then. Of the first file
    /// only half is counted on.
    ///
    /// Where that is one file, all items that there are can be leased and completed one by one in it: that takes about
    /// three times as much as to describe them. Where it is more, one file is full of leases and completes before the
    /// last one is begun, and goes when a description stands there.
    pub(super) fn reserve_of(&self, state: &State) -> usize {
        let needed = 2 * Checkpoint::bytes_of_all(state) as u64 + WORK_BYTES;
        let beyond = needed.saturating_sub(self.segment_bytes / 2);
        let files = beyond.div_ceil(self.segment_bytes);
        1 + usize::try_from(files).unwrap_or(usize::MAX - 1)
    }

    /// The disk is full. Files that nobody needs may only be kept because recovery begins before their end. The state is
    /// described when they take no less than that does, since it takes room for which only the next description makes up;
    /// or when room is short.
    pub(crate) fn sweep_on_full_disk(&mut self, state: &State) {
        let idle = self.kept_for_recovery(state, &self.journal.segments()) * self.segment_bytes;
        let is_worth_it = idle >= Checkpoint::bytes_of_all(state) as u64 || self.is_short_of_room;
        if self.sweep.is_none() && idle > 0 && is_worth_it {
            self.bytes_since_point = self.bytes_since_point.max(self.sweep_after(state));
        }
    }

    /// How many files nobody needs but recovery.
    fn kept_for_recovery(&self, state: &State, segments: &[SegmentInfo]) -> u64 {
        let (from, _) = self.journal.recovery_point();
        let sealed = segments.split_last().map_or(&[][..], |(_, sealed)| sealed);
        let is_kept = |segment: &&SegmentInfo| segment.end > from && !state.shelves().contains_key(&segment.id);
        sealed.iter().filter(is_kept).count() as u64
    }

    /// Whether there is room for a description of everything. Half of one lets nothing be dropped, and takes room away
    /// from completes.
    pub(super) fn can_be_described(&self, state: &State) -> bool {
        !self.is_full() || self.room() >= Checkpoint::bytes_of_all(state) as u64 + SLACK_BYTES
    }

    /// Whether a description is under way, and would find no room behind so many bytes.
    pub(crate) fn must_be_described_first(&self, state: &State, bytes: usize) -> bool {
        self.is_describing() && self.room() < bytes as u64 + self.rest_of_description(state)
    }

    /// Whether documents of this size may be written again. On a full disk a description must find room behind them,
    /// without which nothing can be dropped; and one that is under way comes first, since nothing is dropped that was
    /// written behind its beginning.
    pub(crate) fn may_relocate(&self, state: &State, bytes: u64) -> bool {
        let has_room = || !self.is_describing() && self.room() >= bytes + self.rest_of_description(state);
        !self.is_full() || has_room()
    }

    /// What may be given to those who ask, on a full disk.
    pub(crate) fn leases_on_full_disk(&mut self, state: &State, asked: LeaseDemand) -> LeaseBudget {
        let LeaseDemand { bytes, callers, items } = asked;
        let room = self.room();
        let description = self.rest_of_description(state);
        let compaction = self.compaction_bytes(state).filter(|bytes| room >= bytes + description);
        let completes = completes_bytes(state, items).min(2 * self.segment_bytes);
        let is_open = room >= bytes as u64 + description + compaction.unwrap_or(0) + completes;
        self.is_short_of_room = !is_open;
        if is_open {
            LeaseBudget::Open
        } else if compaction.is_some() || self.is_compacting() || self.is_describing() {
            LeaseBudget::Later
        } else if room >= bytes as u64 + completes_bytes(state, callers) {
            LeaseBudget::OneEach
        } else {
            LeaseBudget::Shut
        }
    }

    /// What it takes to give up the file that is being given up, or the one that would be next.
    fn compaction_bytes(&self, state: &State) -> Option<u64> {
        let segments = self.journal.segments();
        let next = || self.sparsest_of_all(state, &segments);
        let shelf = self.compacting.or_else(next)?;
        state.shelves().get(&shelf).map(|live| self.relocation_bytes(*live))
    }

    /// The file whose documents are written again with the least effort, where room is needed at once.
    pub(super) fn sparsest_of_all(&self, state: &State, segments: &[SegmentInfo]) -> Option<u32> {
        self.sparsest(state, segments, |_| true)
    }

    /// The file whose documents are written again with the least effort, among those that are worth it and find room. On a
    /// full disk files that go without that come first.
    pub(super) fn sparsest(
        &self,
        state: &State,
        segments: &[SegmentInfo],
        is_meant: impl Fn(&SegmentInfo) -> bool,
    ) -> Option<u32> {
        let (_, sealed) = segments.split_last()?;
        if self.is_full() && self.kept_for_recovery(state, segments) > 0 && self.can_be_described(state) {
            return None;
        }
        let live = |segment: &SegmentInfo| state.shelves().get(&segment.id).copied().unwrap_or(0);
        let worth = sealed.iter().filter(|segment| {
            let live = live(segment);
            let is_sparse = live > 0 && live < self.segment_bytes / 4 * 3 && !self.left_alone.contains(&segment.id);
            is_sparse && is_meant(segment) && self.may_relocate(state, self.relocation_bytes(live))
        });
        worth.min_by_key(|segment| live(segment)).map(|segment| segment.id)
    }

    /// What it takes to write documents of so many bytes again: each has a head, and pieces of them may not fit into the
    /// file that is written.
    const fn relocation_bytes(&self, live: u64) -> u64 {
        live + live / 8 + self.segment_bytes / 4
    }

    /// What a description takes, or the rest of the one that is under way. A quarter more is reckoned, since it may become
    /// longer and is not written alone.
    fn rest_of_description(&self, state: &State) -> u64 {
        let bytes = match &self.sweep {
            Some(running) => running.sweep.bytes_left(state),
            None => Checkpoint::bytes_of_all(state),
        } as u64;
        bytes + bytes / 4 + SLACK_BYTES
    }

    fn is_describing(&self) -> bool {
        self.sweep.as_ref().is_some_and(|running| !running.has_ended)
    }

    pub(super) fn is_full(&self) -> bool {
        self.vitals.is_full.load(Ordering::Relaxed)
    }

    fn room(&self) -> u64 {
        self.journal.room() as u64
    }
}

/// What it takes to complete all that is held, one at a time, and so many items more.
fn completes_bytes(state: &State, more: u64) -> u64 {
    let held = state.held().saturating_add(more).min(state.items_in_slots());
    let letters = state.letters().min(held);
    held.saturating_mul(COMPLETE_BYTES).saturating_add(letters.saturating_mul(COMPLETE_LETTER_BYTES))
}
