//! A journal on a simulated disk, with a model of its content.
//!
//! The model is the list of all acknowledged records, in order. Every method compares the journal with the model and
//! returns a difference as an error, so that tests with injected faults can require one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Random;
use crate::{
    AppendError, Batch, Crash, DetachedSegment, Journal, Location, OpenError, Options, Report, Seq, SimDisk, SyncFault,
    Use,
};

pub(super) type Checked = Result<(), String>;

#[derive(Debug)]
pub(super) struct Harness {
    pub(super) disk: SimDisk,
    pub(super) directory: PathBuf,
    pub(super) options: Options,
    pub(super) random: Random,
    journal: Option<Journal>,
    /// Acknowledged records; the first has number 1.
    pub(super) model: Vec<(u8, Vec<u8>)>,
    pub(super) locations: BTreeMap<u64, Location>,
    /// A batch that was written but not acknowledged: it may be found or not.
    unacknowledged: Vec<(u8, Vec<u8>)>,
    /// How many of the last records no later batch proves.
    pub(super) unproven: usize,
    pub(super) point: Seq,
    /// A point that was being set when the machine stopped: either it or the previous one is in force.
    pending_point: Option<Seq>,
}

/// The records and the report of an opening.
pub(super) struct Found {
    pub(super) records: Vec<(Seq, u8, Vec<u8>, Location)>,
    pub(super) report: Report,
}

impl Harness {
    pub(super) fn new(seed: u64) -> Self {
        let mut random = Random(seed);
        let options = Options { segment_bytes: 4096 + 8 * random.below(1024), spares: 1 + random.below(2) };
        let mut harness = Self {
            disk: SimDisk::new(),
            directory: PathBuf::from("/journal"),
            options,
            random,
            journal: None,
            model: Vec::new(),
            locations: BTreeMap::new(),
            unacknowledged: Vec::new(),
            unproven: 0,
            point: Seq::FIRST,
            pending_point: None,
        };
        harness.open_unchecked().expect("a new journal opens");
        harness
    }

    pub(super) fn journal(&mut self) -> &mut Journal {
        self.journal.as_mut().expect("the journal is open")
    }

    /// Opens the journal without comparing it with the model.
    pub(super) fn open_unchecked(&mut self) -> Result<Found, OpenError> {
        let (journal, found) = open(&self.disk, &self.directory.clone(), self.options)?;
        self.journal = Some(journal);
        Ok(found)
    }

    /// Opens the journal and compares it with the model.
    pub(super) fn open(&mut self) -> Checked {
        let found = self.open_unchecked().map_err(|error| format!("opening failed: {error}"))?;
        let point = self.journal().recovery_point().0;
        if self.pending_point.take() == Some(point) {
            self.point = point;
        } else if point != self.point {
            return Err(format!("the recovery point is {point}, expected {}", self.point));
        }
        let unacknowledged = std::mem::take(&mut self.unacknowledged);
        let expected = self.expected_from(self.point);
        let with_unacknowledged: Vec<_> = expected.iter().chain(&unacknowledged).cloned().collect();
        let records: Vec<_> = found.records.iter().map(|(_, kind, body, _)| (*kind, body.clone())).collect();
        if records == with_unacknowledged {
            self.model.extend(unacknowledged);
        } else if records != expected {
            return Err(format!(
                "{} records from {} on were expected (or {} more), {} were found",
                expected.len(),
                self.point,
                unacknowledged.len(),
                records.len(),
            ));
        }
        for (number, (seq, _, _, location)) in (self.point.0..).zip(&found.records) {
            if seq.0 != number {
                return Err(format!("record {number} has the number {seq}"));
            }
            self.locations.insert(number, *location);
        }
        Ok(())
    }

    pub(super) fn expected_from(&self, from: Seq) -> Vec<(u8, Vec<u8>)> {
        let skipped = usize::try_from(from.0 - 1).unwrap_or(usize::MAX);
        self.model.iter().skip(skipped).cloned().collect()
    }

    fn body(&mut self) -> Vec<u8> {
        let len = match self.random.below(4) {
            0 => self.random.below(9),
            1 => self.random.below(1500),
            _ => self.random.below(200),
        };
        match self.random.below(4) {
            // Zeros look like unused space, and the magic number like a batch: neither may confuse the journal.
            0 => vec![0; len],
            1 => b"RDBTRDSG".iter().copied().cycle().take(len).collect(),
            _ => (0..len).map(|_| u8::try_from(self.random.below(256)).unwrap_or(0)).collect(),
        }
    }

    pub(super) fn random_batch(&mut self) -> (Batch, Vec<(u8, Vec<u8>)>) {
        let mut batch = Batch::new();
        let count = 1 + self.random.below(6);
        let mut records = Vec::new();
        while records.len() < count {
            let kind = u8::try_from(self.random.below(256)).unwrap_or(0);
            let body = self.body();
            if batch.bytes_on_disk() + body.len() + 64 > self.options.segment_bytes - 200 {
                break;
            }
            let (head, tail) = body.split_at(body.len() / 2);
            batch.push(kind, &[head, tail]).expect("it is short");
            records.push((kind, body));
        }
        (batch, records)
    }

    /// Appends a random batch. After a failed disk it is unknown whether the batch was written.
    pub(super) fn append(&mut self, purpose: Use) -> Result<Appending, String> {
        let (mut batch, records) = self.random_batch();
        let expected = Seq(self.model.len() as u64 + 1);
        match self.journal().append(&mut batch, purpose) {
            Ok(appended) => {
                if appended.first != expected || appended.locations.len() != records.len() {
                    return Err(format!("the first record has the number {}, expected {expected}", appended.first));
                }
                self.locations.extend((expected.0..).zip(appended.locations));
                self.unproven = records.len();
                self.model.extend(records);
                Ok(Appending::Done)
            }
            Err(AppendError::Full { .. } | AppendError::NoSegment(_)) => Ok(Appending::Full),
            Err(AppendError::Poisoned(_)) => {
                self.unacknowledged = records;
                Ok(Appending::Failed)
            }
            Err(error @ AppendError::TooLarge { .. }) => Err(error.to_string()),
        }
    }

    pub(super) fn prove(&mut self) -> Checked {
        self.journal().prove().map_err(|error| format!("proving failed: {error}"))?;
        self.unproven = 0;
        Ok(())
    }

    /// Reads a random range of records by their locations.
    pub(super) fn read_some(&mut self) -> Checked {
        let reader = self.journal().reader();
        let segments: Vec<u32> = self.journal().segments().iter().map(|info| info.id).collect();
        let readable: Vec<(u64, Location)> = self
            .locations
            .iter()
            .filter(|(_, location)| segments.contains(&location.segment))
            .map(|(seq, location)| (*seq, *location))
            .collect();
        if readable.is_empty() {
            return Ok(());
        }
        let start = self.random.below(readable.len());
        let some = &readable[start..readable.len().min(start + 1 + self.random.below(20))];
        let locations: Vec<_> = some.iter().map(|(_, location)| *location).collect();
        let records = reader.read_many(&locations).map_err(|error| format!("unreadable: {error}"))?;
        for ((seq, _), record) in some.iter().zip(&records) {
            self.compare(*seq, record.seq, record.kind, &record.body)?;
        }
        Ok(())
    }

    pub(super) fn compare(&self, seq: u64, found: Seq, kind: u8, body: &[u8]) -> Checked {
        let index = usize::try_from(seq - 1).unwrap_or(usize::MAX);
        match self.model.get(index) {
            Some((expected_kind, expected)) if found.0 == seq && *expected_kind == kind && expected == body => Ok(()),
            _ => Err(format!("record {seq} differs from what was written")),
        }
    }

    pub(super) fn move_point(&mut self) -> Checked {
        let next = self.journal().next().0;
        let from = Seq(self.point.0 + self.random.below(usize::try_from(next - self.point.0).unwrap_or(0) + 1) as u64);
        let note = from.0.to_le_bytes();
        self.journal().set_recovery_point(from, &note).map_err(|error| error.to_string())?;
        self.point = from;
        Ok(())
    }

    /// Tries to drop each segment with a probability of one half.
    pub(super) fn drop_some(&mut self) -> Checked {
        for info in self.journal().segments() {
            if self.random.chance(50) {
                // Segments that are still needed are rejected, as they should be.
                let detached = self.journal().detach_segment(info.id);
                // The file of a segment stays if the machine stops while it is removed.
                let _removed = detached.map(DetachedSegment::remove);
            }
        }
        Ok(())
    }

    /// Stops the machine, or only the process, at a random change of the disk, in the middle of an operation.
    pub(super) fn stop_somewhere(&mut self) -> Checked {
        self.disk.stop_after(self.random.below(25) as u64);
        for _ in 0..6 {
            let is_stopped = match self.random.below(6) {
                0 => {
                    let from = self.journal().next();
                    self.pending_point = Some(from);
                    let set = self.journal().set_recovery_point(from, &[]);
                    if set.is_ok() {
                        (self.point, self.pending_point) = (from, None);
                    }
                    set.is_err()
                }
                1 => {
                    self.drop_some()?;
                    false
                }
                2 => self.journal().spares().fill().is_err(),
                3 => {
                    // Opening changes the disk, too.
                    let is_closed = self.close().is_ok();
                    self.journal = None;
                    if !is_closed { true } else { self.open_unchecked().is_err() }
                }
                _ => self.append(Use::Ordinary)? != Appending::Done,
            };
            if is_stopped {
                break;
            }
        }
        let crash = [Crash::Any, Crash::LoseAll, Crash::KeepAll, Crash::ProcessOnly][self.random.below(4)];
        self.crash(crash);
        Ok(())
    }

    /// Crashes the disk without closing the journal.
    pub(super) fn crash(&mut self, crash: Crash) {
        self.journal = None;
        let seed = self.random.below(usize::MAX) as u64;
        self.disk.crash(crash, seed);
        self.disk.heal_syncs();
    }

    pub(super) fn close(&mut self) -> Checked {
        let journal = self.journal.take().expect("the journal is open");
        journal.close().map_err(|error| format!("closing failed: {error}"))?;
        self.unproven = 0;
        Ok(())
    }

    /// Appends a batch whose sync fails, then crashes the machine or the process.
    pub(super) fn fail_in_append(&mut self) -> Checked {
        let fault = if self.random.chance(50) { SyncFault::Error } else { SyncFault::PowerLoss };
        // The failing sync may be that of a new segment; the append then fails as on a full disk.
        self.disk.fail_syncs_after(self.random.below(2) as u64, fault);
        let first = self.append(Use::Ordinary)?;
        let failed = if first == Appending::Done { self.append(Use::Ordinary)? } else { first };
        if failed == Appending::Failed {
            let (mut batch, _) = self.random_batch();
            let again = self.journal().append(&mut batch, Use::FreesSpace);
            if !matches!(again, Err(AppendError::Poisoned(None))) {
                return Err("a poisoned journal accepted a batch".into());
            }
            self.read_some()?;
        }
        let crash = [Crash::Any, Crash::LoseAll, Crash::KeepAll, Crash::ProcessOnly][self.random.below(4)];
        self.crash(crash);
        Ok(())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Appending {
    Done,
    Full,
    Failed,
}

/// Opens a journal and collects its records.
pub(super) fn open(disk: &SimDisk, directory: &Path, options: Options) -> Result<(Journal, Found), OpenError> {
    let mut records = Vec::new();
    let (journal, report) = Journal::open(Arc::new(disk.clone()), directory, options, |record| {
        records.push((record.seq, record.kind, record.body.to_vec(), record.location));
        Ok(())
    })?;
    Ok((journal, Found { records, report }))
}
