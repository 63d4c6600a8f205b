//! The open journal: a single writer, with one write and one sync per batch.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use crate::disk::Disk;
use crate::error::{AppendError, MaintainError, OpenError, VisitError};
use crate::first_segment::{SpareNeed, spare_need};
use crate::format::{BatchHeader, SEGMENT_HEADER, SegmentHeader};
use crate::open::{self, Mark, Opened, Report};
use crate::options::Options;
use crate::point::Point;
use crate::purpose::Use;
use crate::reader::{Reader, Segments};
use crate::scan::Cursor;
use crate::segment::Segment;
use crate::segment_marker::SegmentMarker;
use crate::spares::{Spares, is_full};
use crate::{Batch, Location, Record, Seq};

/// A batch that was appended and is durable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Appended {
    /// The number of its first record; the others are numbered consecutively.
    pub first: Seq,
    /// The locations of its records, in order.
    pub locations: Vec<Location>,
}

/// A readable segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SegmentInfo {
    pub id: u32,
    /// The number of its first record.
    pub first: Seq,
    /// The number after its last record. For the active segment this is the number of the next record to be appended.
    pub end: Seq,
}

/// An open journal. It holds the lock of its directory, so no other process can open the same journal.
#[derive(Debug)]
pub struct Journal {
    disk: Arc<dyn Disk>,
    directory: PathBuf,
    segment_bytes: usize,
    /// The segment that batches are appended to; `None` before the first batch.
    active: Option<Active>,
    cursor: Cursor,
    /// The first record of every segment.
    firsts: BTreeMap<u32, Seq>,
    segments: Segments,
    spares: Spares,
    /// The size of the reserve in the first segment, in force while that is the active one and there are no spares.
    first_reserve: usize,
    /// The segment that the marker file names.
    marked: Option<u32>,
    point: Point,
    /// The disk space that is reserved for the next batch.
    reservation: Option<SpaceReservation>,
    /// Whether the last batch has records and no later batch proves it.
    is_unproven: bool,
    is_poisoned: bool,
}

/// A guarantee that a batch of up to this size and with this purpose finds space, even if the disk becomes full before
/// it is appended.
#[derive(Debug, Clone, Copy)]
struct SpaceReservation {
    bytes_on_disk: usize,
    purpose: Use,
}

#[derive(Debug)]
struct Active {
    segment: Arc<Segment>,
    offset: usize,
    len: usize,
}

impl Journal {
    /// Opens or creates the journal in a directory, and passes every record from the recovery point on to `visit`.
    ///
    /// After a power loss the very last batch may be incomplete, if no later batch proves it. It is then cut off and
    /// listed in the report. Any other damage is an error, and no file is changed.
    pub fn open(
        disk: Arc<dyn Disk>,
        directory: &Path,
        options: Options,
        visit: impl FnMut(Record<'_>) -> Result<(), VisitError>,
    ) -> Result<(Self, Report), OpenError> {
        Self::open_with(disk, directory, options, Mark::Rejected, visit)
    }

    /// Opens the target directory of a salvage, which carries the mark of an unfinished salvage.
    pub(crate) fn open_marked(disk: Arc<dyn Disk>, directory: &Path, options: Options) -> Result<Self, OpenError> {
        Self::open_with(disk, directory, options, Mark::Expected, |_| Ok(())).map(|(journal, _)| journal)
    }

    fn open_with(
        disk: Arc<dyn Disk>,
        directory: &Path,
        options: Options,
        mark: Mark,
        visit: impl FnMut(Record<'_>) -> Result<(), VisitError>,
    ) -> Result<(Self, Report), OpenError> {
        options.check()?;
        let Opened { cursor, is_unproven, active, firsts, segments, spares, next_id, marked, point, report, lock } =
            open::open(disk.as_ref(), directory, options.segment_bytes, mark, visit)?;
        let active = active.map(|(id, offset, len)| (segments.get(&id).cloned(), offset, len));
        let active = active.and_then(|(segment, offset, len)| segment.map(|segment| Active { segment, offset, len }));
        let spares = Spares::new(
            Arc::clone(&disk),
            directory.to_owned(),
            options.segment_bytes,
            options.spares,
            spares,
            next_id,
            lock,
        );
        let journal = Self {
            disk,
            directory: directory.to_owned(),
            segment_bytes: options.segment_bytes,
            active,
            cursor,
            firsts,
            segments: Arc::new(RwLock::new(segments)),
            spares,
            first_reserve: 0,
            marked,
            point,
            reservation: None,
            is_unproven,
            is_poisoned: false,
        };
        journal.update_spares();
        Ok((journal, report))
    }

    /// The number of the next record to be appended.
    pub fn next(&self) -> Seq {
        self.cursor.next
    }

    /// A reader of records by location. It can be sent to other threads.
    pub fn reader(&self) -> Reader {
        Reader { segments: Arc::clone(&self.segments) }
    }

    /// The spare segments. The owner of the journal fills them from another thread.
    pub fn spares(&self) -> &Spares {
        &self.spares
    }

    /// Reserves `bytes` of the first segment for work that frees disk space, as long as there are no spares. The
    /// minimum is a quarter of the segment. Applies from the next batch on, and only to the first segment.
    pub fn set_first_reserve(&mut self, bytes: usize) {
        self.first_reserve = bytes;
        self.update_spares();
    }

    /// Whether the journal is still in its first segment.
    pub fn is_in_first_segment(&self) -> bool {
        self.active.as_ref().is_none_or(|active| active.segment.id == Segment::FIRST_ID)
    }

    /// How urgently spares are needed once `bytes` more are written.
    fn spare_need(&self, bytes: usize) -> SpareNeed {
        if !self.is_in_first_segment() {
            return SpareNeed::Now;
        }
        let (offset, len) =
            self.active.as_ref().map_or((SEGMENT_HEADER, self.segment_bytes), |active| (active.offset, active.len));
        spare_need(offset.saturating_add(bytes), len, self.first_reserve)
    }

    fn update_spares(&self) {
        self.spares.set_needed(self.spare_need(0) > SpareNeed::None);
    }

    /// Whether half of the space is written that is left before a spare is needed. From then on the creation of a spare
    /// may slow down other syncs.
    fn is_urgent(&self) -> bool {
        match &self.active {
            Some(active) if self.is_in_first_segment() => self.spare_need(active.len / 8) == SpareNeed::Now,
            Some(active) => active.offset > active.len / 2,
            None => true,
        }
    }

    /// How many bytes can be written without creating another segment: the rest of the active one, and the spares. If a
    /// batch does not fit into the rest of a segment, that rest stays unused.
    pub fn free_bytes(&self) -> usize {
        let left = self.active.as_ref().map_or(0, |active| active.len.saturating_sub(active.offset));
        left + self.spares.ready_count().saturating_mul(self.segment_bytes - SEGMENT_HEADER)
    }

    /// Reserves disk space for the next batch, before the caller makes the changes that the batch will record.
    ///
    /// The reservation holds for the next batch, if that is not larger and has the same purpose, even if the disk
    /// becomes full or the reserve is enlarged in between.
    pub fn reserve(&mut self, bytes_on_disk: usize, purpose: Use) -> Result<(), AppendError> {
        self.reservation = None;
        self.check_poison()?;
        let most = self.segment_bytes - SEGMENT_HEADER;
        if bytes_on_disk > most {
            return Err(AppendError::TooLarge { needed: bytes_on_disk, most });
        }
        let ready = match (self.fits(bytes_on_disk), purpose) {
            (true, Use::FreesSpace) => Ok(()),
            (true, Use::Ordinary) => match self.spare_need(bytes_on_disk) {
                SpareNeed::None => Ok(()),
                SpareNeed::Soon => self.spares.ensure_not_full(),
                // The active segment may itself be the reserve, which ordinary work must not use up.
                SpareNeed::Now => self.spares.ensure_reserve(),
            },
            // The very first batch.
            (false, Use::Ordinary) if self.spare_need(bytes_on_disk) < SpareNeed::Now => self.spares.ensure_first(),
            (false, _) => self.spares.ensure(purpose),
        };
        ready.map_err(|error| no_segment(error, bytes_on_disk))?;
        self.reservation = Some(SpaceReservation { bytes_on_disk, purpose });
        Ok(())
    }

    /// Writes a batch and syncs it. The batch is durable when this returns `Ok`.
    ///
    /// A failed write or sync poisons the journal: all further batches are rejected, and whether this batch was written
    /// is unknown until the journal is opened again. Reading stays possible.
    pub fn append(&mut self, batch: &mut Batch, purpose: Use) -> Result<Appended, AppendError> {
        if batch.is_empty() {
            return Ok(Appended { first: self.cursor.next, locations: Vec::new() });
        }
        let first = self.cursor.next;
        let (segment, offset) = self.write(batch, purpose)?;
        self.is_unproven = true;
        Ok(Appended { first, locations: batch.locations(segment, offset).collect() })
    }

    /// Proves the last batch by appending an empty one: from then on, damage to the last batch can be distinguished
    /// from a torn write. The owner calls this on close, and after an idle period.
    pub fn prove(&mut self) -> Result<(), AppendError> {
        self.check_poison()?;
        if self.is_unproven {
            self.write(&mut Batch::new(), Use::FreesSpace)?;
            self.is_unproven = false;
        }
        Ok(())
    }

    /// Proves the last batch and releases the lock of the directory.
    pub fn close(mut self) -> Result<(), AppendError> {
        self.prove()
    }

    /// Writes and syncs one batch. Returns its segment and offset.
    fn write(&mut self, batch: &mut Batch, purpose: Use) -> Result<(u32, u32), AppendError> {
        let reservation = self.reservation.take().filter(|_| !self.is_poisoned);
        let covers = |held: SpaceReservation| held.purpose == purpose && held.bytes_on_disk >= batch.bytes_on_disk();
        if !reservation.is_some_and(covers) {
            self.reserve(batch.bytes_on_disk(), purpose)?;
            self.reservation = None;
        }
        let new = if self.fits(batch.bytes_on_disk()) {
            None
        } else {
            let needed = batch.bytes_on_disk();
            Some(Arc::new(self.spares.take().ok_or(AppendError::Full { needed })?))
        };
        let (segment, offset) = match (&new, &self.active) {
            (Some(new), _) => (Arc::clone(new), SEGMENT_HEADER),
            (None, Some(active)) => (Arc::clone(&active.segment), active.offset),
            (None, None) => return Err(AppendError::Full { needed: batch.bytes_on_disk() }),
        };
        let after = self.seal(batch, segment.id)?;
        let written = if new.is_some() {
            let Cursor { next, number, previous } = self.cursor;
            let len = u32::try_from(self.segment_bytes).unwrap_or(u32::MAX);
            let header = SegmentHeader { id: segment.id, first: next, number, previous, len };
            segment.file.write_all_at(batch.sealed_with_segment(&header.encode()), 0)
        } else {
            segment.file.write_all_at(batch.sealed(), offset as u64)
        };
        if let Err(error) = written.and_then(|()| sync(&segment)) {
            self.is_poisoned = true;
            return Err(AppendError::Poisoned(Some(error)));
        }

        let id = segment.id;
        let end = offset + batch.bytes_on_disk();
        match (new, &mut self.active) {
            (None, Some(active)) => active.offset = end,
            _ => self.begin(segment, end),
        }
        self.cursor = after;
        self.update_spares();
        self.spares.set_urgent(self.is_urgent());
        Ok((id, u32::try_from(offset).unwrap_or(u32::MAX)))
    }

    /// Numbers the batch's records and writes the headers. Returns the position in the log after the batch.
    fn seal(&self, batch: &mut Batch, segment: u32) -> Result<Cursor, AppendError> {
        let too_large = |needed| AppendError::TooLarge { needed, most: self.segment_bytes - SEGMENT_HEADER };
        let Cursor { next, number, previous } = self.cursor;
        let records = batch.seal(next);
        let header = BatchHeader {
            len: u32::try_from(batch.records_len()).map_err(|_| too_large(batch.bytes_on_disk()))?,
            count: u32::try_from(batch.len()).map_err(|_| too_large(batch.bytes_on_disk()))?,
            first: next,
            number,
            previous,
            records,
            segment,
        };
        let bytes = header.encode();
        batch.set_header(&bytes);
        let checksum = BatchHeader::decode(&bytes).map_or(0, |(_, checksum)| checksum);
        Ok(Cursor { next: Seq(next.0 + batch.len() as u64), number: number + 1, previous: checksum })
    }

    fn begin(&mut self, segment: Arc<Segment>, offset: usize) {
        self.firsts.insert(segment.id, self.cursor.next);
        let mut segments = self.segments.write().unwrap_or_else(PoisonError::into_inner);
        segments.insert(segment.id, Arc::clone(&segment));
        drop(segments);
        // The marker only serves to detect the loss of this segment file. An error is ignored: a failing disk is
        // reported by the next batch.
        if SegmentMarker::advance(self.disk.as_ref(), &self.directory, self.marked, segment.id).is_ok() {
            self.marked = Some(segment.id);
        }
        self.active = Some(Active { segment, offset, len: self.segment_bytes });
    }

    fn fits(&self, bytes_on_disk: usize) -> bool {
        self.active.as_ref().is_some_and(|active| active.offset + bytes_on_disk <= active.len)
    }

    fn check_poison(&self) -> Result<(), AppendError> {
        if self.is_poisoned { Err(AppendError::Poisoned(None)) } else { Ok(()) }
    }

    /// The readable segments, oldest first.
    pub fn segments(&self) -> Vec<SegmentInfo> {
        let ends = self.firsts.values().skip(1).copied().chain([self.cursor.next]);
        self.firsts.iter().zip(ends).map(|((id, first), end)| SegmentInfo { id: *id, first: *first, end }).collect()
    }

    /// The record at which reading begins when the journal is opened, and the caller's note.
    pub fn recovery_point(&self) -> (Seq, &[u8]) {
        (self.point.from, &self.point.note)
    }

    /// Sets the recovery point: when the journal is next opened, reading begins at `from`. The point is durable when
    /// this returns `Ok`; if the process stops earlier, the previous point may still be in force.
    pub fn set_recovery_point(&mut self, from: Seq, note: &[u8]) -> Result<(), MaintainError> {
        if from < self.point.from || from > self.cursor.next {
            return Err(MaintainError::NoSuchRecord(from));
        }
        let point = Point { from, note: note.to_vec() };
        // A spare that the reservation counts on may be discarded below.
        self.reservation = None;
        let failed =
            |source| MaintainError::Io { what: "write a recovery point in", path: self.directory.clone(), source };
        let write = || point.write(self.disk.as_ref(), &self.directory);
        match write() {
            // Without a new point no segment can be dropped, and a full disk would stay full forever.
            Err(error) if is_full(&error) => self.spares.with_reclaimed_space(write).map_err(failed)?,
            written => written.map_err(failed)?,
        }
        self.point = point;
        Ok(())
    }

    /// Detaches a segment that recovery does not need. Reads that are under way still complete. Its disk space is freed
    /// by [`DetachedSegment::remove`], which is slow and may run on another thread.
    pub fn detach_segment(&mut self, id: u32) -> Result<DetachedSegment, MaintainError> {
        let info = self.segments().into_iter().find(|info| info.id == id).ok_or(MaintainError::NoSuchSegment(id))?;
        let is_active = self.active.as_ref().is_some_and(|active| active.segment.id == id);
        let is_needed = is_active || info.end > self.point.from;
        #[cfg(test)]
        let is_needed = is_needed && (is_active || !crate::tests::Sabotage::DropTooEarly.is_on());
        if is_needed {
            return Err(MaintainError::Needed { segment: id, from: info.first.max(self.point.from) });
        }
        self.firsts.remove(&id);
        let segment = self.segments.write().unwrap_or_else(PoisonError::into_inner).remove(&id);
        let path = Segment::path(&self.directory, id);
        Ok(DetachedSegment { disk: Arc::clone(&self.disk), path, spares: self.spares.clone(), _segment: segment })
    }
}

/// A segment that is no longer part of the journal and whose file still takes disk space.
#[derive(Debug)]
#[must_use = "its disk space is freed only when it is removed, or when the journal is opened again"]
pub struct DetachedSegment {
    disk: Arc<dyn Disk>,
    path: PathBuf,
    spares: Spares,
    /// Closing the last handle of a file is part of removing it.
    _segment: Option<Arc<Segment>>,
}

impl DetachedSegment {
    /// Removes the file and frees its disk space.
    pub fn remove(self) -> std::io::Result<()> {
        // The directory is not synced: a segment that reappears after a crash is dropped again.
        self.disk.remove(&self.path)?;
        self.spares.space_was_freed();
        Ok(())
    }
}

fn no_segment(error: std::io::Error, needed: usize) -> AppendError {
    if is_full(&error) { AppendError::Full { needed } } else { AppendError::NoSegment(error) }
}

fn sync(segment: &Segment) -> std::io::Result<()> {
    #[cfg(test)]
    if crate::tests::Sabotage::AckBeforeSync.is_on() {
        return Ok(());
    }
    segment.file.sync()
}
