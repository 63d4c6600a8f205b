//! The log while it is open: one writer, one write and one sync a batch.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use crate::begun::Begun;
use crate::disk::Disk;
use crate::error::{AppendError, MaintainError, OpenError};
use crate::format::{BatchHeader, SEGMENT_HEADER, SegmentHeader};
use crate::open::{self, Mark, Opened, Report};
use crate::options::Options;
use crate::point::Point;
use crate::purpose::Use;
use crate::reader::{Reader, Segments};
use crate::scan::Cursor;
use crate::segment::Segment;
use crate::spares::{Spares, is_full};
use crate::{Batch, Location, Record, Seq};

/// A batch that is durable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Appended {
    /// The number of its first record; the others follow.
    pub first: Seq,
    /// Where its records stand, in order.
    pub locations: Vec<Location>,
}

/// A segment that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SegmentInfo {
    pub id: u32,
    /// The number of its first record.
    pub first: Seq,
    /// The number behind its last record; that of the next one to come, for the segment that is written.
    pub end: Seq,
}

/// An open journal. It is the only one on its directory.
#[derive(Debug)]
pub struct Journal {
    disk: Arc<dyn Disk>,
    directory: PathBuf,
    segment_bytes: usize,
    /// The segment that is written; `None` before the first batch.
    active: Option<Active>,
    cursor: Cursor,
    /// The first record of every segment.
    firsts: BTreeMap<u32, Seq>,
    segments: Segments,
    spares: Spares,
    /// The last segment of which a file says that it was begun.
    begun: Option<u32>,
    point: Point,
    /// The room that was made sure of for the next batch.
    promise: Option<Promise>,
    /// The last batch has records, and no later batch proves it.
    is_unproven: bool,
    is_poisoned: bool,
}

/// A batch of this size and for this use finds room, whatever becomes of the disk until then.
#[derive(Debug, Clone, Copy)]
struct Promise {
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
    /// Opens or creates the journal in a directory, and shows `visit` every record from the recovery point on.
    ///
    /// A batch at the very end that no later one proves may be half there after a power loss; it is cut, and
    /// the report says so. Any other damage is an error, and nothing is changed.
    pub fn open<V>(
        disk: Arc<dyn Disk>,
        directory: &Path,
        options: Options,
        visit: V,
    ) -> Result<(Self, Report), OpenError>
    where
        V: FnMut(Record<'_>) -> Result<(), Box<dyn std::error::Error + Send + Sync>>,
    {
        Self::open_with(disk, directory, options, Mark::Refused, visit)
    }

    /// Opens the target of a salvage, which is marked as unfinished.
    pub(crate) fn open_marked(disk: Arc<dyn Disk>, directory: &Path, options: Options) -> Result<Self, OpenError> {
        Self::open_with(disk, directory, options, Mark::Expected, |_| Ok(())).map(|(journal, _)| journal)
    }

    fn open_with<V>(
        disk: Arc<dyn Disk>,
        directory: &Path,
        options: Options,
        mark: Mark,
        visit: V,
    ) -> Result<(Self, Report), OpenError>
    where
        V: FnMut(Record<'_>) -> Result<(), Box<dyn std::error::Error + Send + Sync>>,
    {
        options.check()?;
        let Opened { cursor, is_unproven, active, firsts, segments, spares, next_id, begun, point, report, lock } =
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
            begun,
            point,
            promise: None,
            is_unproven,
            is_poisoned: false,
        };
        Ok((journal, report))
    }

    /// The number that the next record gets.
    pub fn next(&self) -> Seq {
        self.cursor.next
    }

    /// What reads records by their locations; it can be given to other threads.
    pub fn reader(&self) -> Reader {
        Reader { segments: Arc::clone(&self.segments) }
    }

    /// What makes segments ready; to be driven from another thread.
    pub fn spares(&self) -> &Spares {
        &self.spares
    }

    /// How many bytes can be written without making another segment: what is left of the one that is written, and
    /// those that are ready. The end of a segment into which a batch does not fit is lost.
    pub fn room(&self) -> usize {
        let left = self.active.as_ref().map_or(0, |active| active.len.saturating_sub(active.offset));
        left + self.spares.ready_count().saturating_mul(self.segment_bytes - SEGMENT_HEADER)
    }

    /// Makes sure that a batch of this size will find room, before anything is done that it must record.
    ///
    /// That holds for the next batch, if it is no larger and for the same use: also when the disk becomes full in
    /// between, or more is to be kept in reserve.
    pub fn reserve(&mut self, bytes_on_disk: usize, purpose: Use) -> Result<(), AppendError> {
        self.promise = None;
        self.check_poison()?;
        let most = self.segment_bytes - SEGMENT_HEADER;
        if bytes_on_disk > most {
            return Err(AppendError::TooLarge { needed: bytes_on_disk, most });
        }
        let ready = match (self.fits(bytes_on_disk), purpose) {
            (true, Use::FreesRoom) => Ok(()),
            // The segment that is written may be the reserve: ordinary work does not use that up.
            (true, Use::Ordinary) => self.spares.ensure_reserve(),
            (false, _) => self.spares.ensure(purpose),
        };
        ready.map_err(|error| no_segment(error, bytes_on_disk))?;
        self.promise = Some(Promise { bytes_on_disk, purpose });
        Ok(())
    }

    /// Writes a batch and syncs it. When this returns, the batch is durable.
    ///
    /// An error of the disk poisons the journal: whether the batch is there is unknown until it is opened
    /// again, and nothing more is taken. Reading goes on.
    pub fn append(&mut self, batch: &mut Batch, purpose: Use) -> Result<Appended, AppendError> {
        if batch.is_empty() {
            return Ok(Appended { first: self.cursor.next, locations: Vec::new() });
        }
        let first = self.cursor.next;
        let (segment, offset) = self.write(batch, purpose)?;
        self.is_unproven = true;
        Ok(Appended { first, locations: batch.locations(segment, offset).collect() })
    }

    /// Proves the last batch, by one without records behind it: from now on damage to it is told from a torn
    /// write. To be called on close, and when there was nothing to do for a while.
    pub fn prove(&mut self) -> Result<(), AppendError> {
        self.check_poison()?;
        if self.is_unproven {
            self.write(&mut Batch::new(), Use::FreesRoom)?;
            self.is_unproven = false;
        }
        Ok(())
    }

    /// Proves what was written and releases the directory.
    pub fn close(mut self) -> Result<(), AppendError> {
        self.prove()
    }

    /// Writes and syncs one batch; gives its segment and offset.
    fn write(&mut self, batch: &mut Batch, purpose: Use) -> Result<(u32, u32), AppendError> {
        let promise = self.promise.take().filter(|_| !self.is_poisoned);
        let is_kept = |promise: Promise| promise.purpose == purpose && promise.bytes_on_disk >= batch.bytes_on_disk();
        if !promise.is_some_and(is_kept) {
            self.reserve(batch.bytes_on_disk(), purpose)?;
            self.promise = None;
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
        self.spares.set_urgent(end > self.segment_bytes / 2);
        Ok((id, u32::try_from(offset).unwrap_or(u32::MAX)))
    }

    /// Numbers the batch's records and writes its headers; gives where the log stands behind it.
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
        // Without it the loss of this file would not be noticed, and nothing else depends on it. A disk that fails is heard of
        // with the next batch.
        if Begun::say(self.disk.as_ref(), &self.directory, self.begun, segment.id).is_ok() {
            self.begun = Some(segment.id);
        }
        self.active = Some(Active { segment, offset, len: self.segment_bytes });
    }

    fn fits(&self, bytes_on_disk: usize) -> bool {
        self.active.as_ref().is_some_and(|active| active.offset + bytes_on_disk <= active.len)
    }

    fn check_poison(&self) -> Result<(), AppendError> {
        if self.is_poisoned { Err(AppendError::Poisoned(None)) } else { Ok(()) }
    }

    /// The segments that can be read, oldest first.
    pub fn segments(&self) -> Vec<SegmentInfo> {
        let ends = self.firsts.values().skip(1).copied().chain([self.cursor.next]);
        self.firsts.iter().zip(ends).map(|((id, first), end)| SegmentInfo { id: *id, first: *first, end }).collect()
    }

    /// From where the journal is read when it is opened, and the caller's note about it.
    pub fn recovery_point(&self) -> (Seq, &[u8]) {
        (self.point.from, &self.point.note)
    }

    /// From now on, reading begins at `from`. Durable when this returns; after a crash before that, the
    /// former point holds.
    pub fn set_recovery_point(&mut self, from: Seq, note: &[u8]) -> Result<(), MaintainError> {
        if from < self.point.from || from > self.cursor.next {
            return Err(MaintainError::NoSuchRecord(from));
        }
        let point = Point { from, note: note.to_vec() };
        // A spare that was counted on may be given up for it.
        self.promise = None;
        let failed =
            |source| MaintainError::Io { what: "write a recovery point in", path: self.directory.clone(), source };
        let write = || point.write(self.disk.as_ref(), &self.directory);
        match write() {
            // Without a new point nothing can be dropped, and a full disk would stay full for ever.
            Err(error) if is_full(&error) => self.spares.with_all_room(write).map_err(failed)?,
            written => written.map_err(failed)?,
        }
        self.point = point;
        Ok(())
    }

    /// Removes a segment that recovery does not need. Whoever reads it now can finish.
    pub fn drop_segment(&mut self, id: u32) -> Result<(), MaintainError> {
        let path = Segment::path(&self.directory, id);
        let forgotten = self.forget_segment(id)?;
        forgotten.remove().map_err(|source| MaintainError::Io { what: "remove", path, source })
    }

    /// Gives up a segment that recovery does not need. Its room is given back when the answer is
    /// [removed](Forgotten::remove), which takes its time and may be done on another thread.
    pub fn forget_segment(&mut self, id: u32) -> Result<Forgotten, MaintainError> {
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
        Ok(Forgotten { disk: Arc::clone(&self.disk), path, spares: self.spares.clone(), _segment: segment })
    }
}

/// A segment that was given up and still takes room.
#[derive(Debug)]
#[must_use = "its room is given back only when it is removed, or when the journal is opened again"]
pub struct Forgotten {
    disk: Arc<dyn Disk>,
    path: PathBuf,
    spares: Spares,
    /// Closing the last handle of a file is part of removing it.
    _segment: Option<Arc<Segment>>,
}

impl Forgotten {
    /// Gives its room back.
    pub fn remove(self) -> std::io::Result<()> {
        // The name need not be gone for certain: a segment that comes back is dropped again.
        self.disk.remove(&self.path)?;
        self.spares.room_was_made();
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
