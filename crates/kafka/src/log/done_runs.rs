//! The records of a partition that are done.
//!
//! Those above an open record are kept as runs, so a blocked partition costs memory for its open records only.

use std::collections::BTreeMap;

use super::completion_map::CompletionMap;

#[derive(Debug, Clone, Default)]
pub(super) struct DoneRuns {
    /// By the sequence number of the first record of each run.
    runs: BTreeMap<u64, DoneRun>,
    /// The first sequence number that is not done.
    first: u64,
    /// The offset after the last record of which all earlier ones are done; `None` before the first delivery.
    position: Option<i64>,
}

#[derive(Debug, Clone, Copy)]
struct DoneRun {
    end: u64,
    first_offset: i64,
    last_offset: i64,
}

impl DoneRuns {
    /// Sets the position before the first delivery.
    pub(super) const fn start_at(&mut self, offset: i64) {
        self.position = Some(offset);
    }

    /// The first sequence number that is not done.
    pub(super) const fn first(&self) -> u64 {
        self.first
    }

    /// Adds a record. Returns whether the position moved.
    pub(super) fn add(&mut self, seq: u64, offset: i64) -> bool {
        let mut run = DoneRun { end: seq + 1, first_offset: offset, last_offset: offset };
        let mut start = seq;
        if let Some((before, earlier)) = self.runs.range(..seq).next_back()
            && earlier.end == seq
        {
            (start, run.first_offset) = (*before, earlier.first_offset);
        }
        if let Some(later) = self.runs.remove(&run.end) {
            (run.end, run.last_offset) = (later.end, later.last_offset);
        }
        if start == self.first {
            (self.first, self.position) = (run.end, Some(run.last_offset.saturating_add(1)));
            return true;
        }
        self.runs.insert(start, run);
        false
    }

    /// The same with more records; `None` if there are none.
    pub(super) fn with(&self, more: impl IntoIterator<Item = (u64, i64)>) -> Option<Self> {
        let mut more = more.into_iter().peekable();
        more.peek()?;
        let mut runs = self.clone();
        for (seq, offset) in more {
            runs.add(seq, offset);
        }
        Some(runs)
    }

    pub(super) const fn position(&self) -> Option<i64> {
        self.position
    }

    pub(super) fn len(&self) -> usize {
        self.runs.len()
    }

    /// The offsets above the position. Offsets between two records of a run count as done: there is nothing at them.
    pub(super) fn completion_map(&self) -> CompletionMap {
        let mut map = CompletionMap::default();
        for run in self.runs.values() {
            map.push(run.first_offset..run.last_offset.saturating_add(1));
        }
        map
    }
}
