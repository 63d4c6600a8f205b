//! Opening a journal: finding the end of the log, and distinguishing a torn tail from damage.
//!
//! A batch is written only after the previous one was synced. So after a power loss only the last batch can be
//! incomplete, and an unreadable batch that is followed by a later one was synced once and is damaged now. The rule:
//! the tail is what no later batch proves; it is cut off and reported. Everything else must be readable.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::disk::{Disk, DiskLock, read_all, read_part};
use crate::error::{Damage, OpenError, VisitError};
use crate::format::{ALIGNMENT, BatchHeader, SEGMENT_HEADER, SegmentHeader};
use crate::options::Options;
use crate::point::Point;
use crate::scan::{Cursor, End, Scan};
use crate::segment::{Segment, zero};
use crate::segment_marker::SegmentMarker;
use crate::spares::is_full;
use crate::{Record, Seq};

/// The findings of opening a journal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// How many records were passed to the visitor.
    pub records: u64,
    /// The incomplete batch at the end that was cut off.
    pub cut: Option<TailCut>,
    /// Recovery points that could not be read; an older one was used.
    pub damaged_points: Vec<PathBuf>,
    /// Segments with bytes other than zero in their unused space. No data is lost.
    pub dirty_space: Vec<PathBuf>,
}

/// An incomplete batch that no later one proves: an interrupted write, or damage to the very last batch, which
/// cannot be distinguished from one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TailCut {
    pub file: PathBuf,
    pub offset: u64,
    /// The number of the first record of the cut batch.
    pub from: Seq,
    /// How many records it had, if its header is still readable.
    pub records: Option<u32>,
}

/// The state of a journal that was just opened.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) cursor: Cursor,
    pub(crate) is_unproven: bool,
    /// The active segment: its id, the offset of the next batch, its length.
    pub(crate) active: Option<(u32, usize, usize)>,
    pub(crate) firsts: BTreeMap<u32, Seq>,
    pub(crate) segments: BTreeMap<u32, Arc<Segment>>,
    pub(crate) spares: Vec<Segment>,
    pub(crate) next_id: u32,
    pub(crate) marked: Option<u32>,
    pub(crate) point: Point,
    pub(crate) report: Report,
    pub(crate) lock: Arc<dyn DiskLock>,
}

const LOCK: &str = "LOCK";
/// The name of a file that exists in the target of a salvage until the salvage is complete.
pub(crate) const SALVAGE_MARK: &str = "SALVAGE";
const START: Cursor = Cursor { next: Seq::FIRST, number: 0, previous: 0 };

/// Takes the lock of the directory, so that no other process can open the journal.
pub(crate) fn lock(disk: &dyn Disk, directory: &Path) -> Result<Arc<dyn DiskLock>, OpenError> {
    disk.lock(&directory.join(LOCK)).map_err(|error| match error.kind() {
        io::ErrorKind::WouldBlock => {
            OpenError::Locked { directory: directory.to_owned(), holder: disk.lock_holder(&directory.join(LOCK)) }
        }
        _ => failed("lock", directory)(error),
    })
}

/// Converts an error of the disk, adding the failed action and its path.
pub(crate) fn failed(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> OpenError {
    let path = path.to_owned();
    move |source| {
        if is_full(&source) { OpenError::Full { what, path, source } } else { OpenError::Io { what, path, source } }
    }
}

/// How to treat the mark of an unfinished salvage in the directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    Rejected,
    /// The salvage itself opens its target.
    Expected,
}

pub(crate) fn open(
    disk: &dyn Disk,
    directory: &Path,
    segment_bytes: usize,
    mark: Mark,
    visit: impl FnMut(Record<'_>) -> Result<(), VisitError>,
) -> Result<Opened, OpenError> {
    disk.create_directory(directory).map_err(failed("create", directory))?;
    let lock = lock(disk, directory)?;
    let names = disk.list(directory).map_err(failed("list", directory))?;
    if mark == Mark::Rejected && names.iter().any(|name| name == SALVAGE_MARK) {
        return Err(OpenError::UnfinishedSalvage { directory: directory.to_owned() });
    }
    let mut damaged_points = Vec::new();
    let point = Point::newest(disk, directory, &names, &mut damaged_points)?;
    let has_point = point.is_some();
    let point = point.unwrap_or(Point { from: Seq::FIRST, note: Vec::new() });
    // The name of an unreadable point still says how far the log reached.
    let reaches = damaged_points.iter().copied().chain([point.from]).max().unwrap_or(point.from);
    let report = Report {
        damaged_points: damaged_points.iter().map(|from| Point::path(directory, *from)).collect(),
        ..Report::default()
    };

    let mut found = find_segments(disk, directory, &names)?;
    let marked = SegmentMarker::newest(&names);
    let opening = Opening { directory, from: point.from, reaches, marked, report, visit, buffer: Vec::new() };
    let log = opening.read_log(&found)?;

    // No file was changed so far; from here on the journal is known to be intact.
    let (spares, next_id) = sort_out_unused(disk, directory, segment_bytes, &mut found, &log)?;
    if let Some(active) = &log.active
        && let Some(found) = found.get(&active.id)
    {
        active
            .make_durable(&found.segment, log.is_dirty)
            .map_err(failed("sync", &Segment::path(directory, active.id)))?;
    }
    let first = if has_point { Ok(()) } else { point.write(disk, directory) };
    match first.and_then(|()| Point::make_ready(disk, directory)) {
        // Not fatal: the next point must then find disk space when it is set.
        Err(error) if is_full(&error) => {}
        made => made.map_err(failed("write", directory))?,
    }
    disk.sync_directory(directory).map_err(failed("sync", directory))?;

    let firsts = found.iter().filter_map(|(id, found)| Some((*id, found.header?.first))).collect();
    let segments = found.into_iter().map(|(id, found)| (id, Arc::new(found.segment))).collect();
    Ok(Opened {
        cursor: log.cursor,
        is_unproven: log.is_unproven,
        active: log.active.map(|active| (active.id, active.offset, active.len)),
        firsts,
        segments,
        spares,
        next_id,
        marked,
        point,
        report: log.report,
        lock,
    })
}

/// Sorts the segments after the end of the log: those filled with zeros become spares, remains of an interrupted write
/// are removed.
///
/// Removal starts with the last segment, and each removal is synced. A gap in the ids is therefore always damage.
fn sort_out_unused(
    disk: &dyn Disk,
    directory: &Path,
    segment_bytes: usize,
    found: &mut BTreeMap<u32, Found>,
    log: &Log,
) -> Result<(Vec<Segment>, u32), OpenError> {
    let first = log.active.as_ref().map_or(0, |active| active.id).saturating_add(1);
    let unused = found.split_off(&first);
    let mut bytes = Vec::new();
    let mut is_spare = BTreeMap::new();
    for (id, unused) in &unused {
        let path = Segment::path(directory, *id);
        read_all(unused.segment.file.as_ref(), Options::SEGMENT_BYTES_MAX, &mut bytes)
            .map_err(failed("read", &path))?;
        is_spare.insert(*id, bytes.len() == segment_bytes && bytes.iter().all(|byte| *byte == 0));
    }
    let kept =
        is_spare.iter().zip(first..).take_while(|((id, is_spare), expected)| **id == *expected && **is_spare).count();
    let mut spares: Vec<Segment> = unused.into_values().map(|unused| unused.segment).collect();
    for unused in spares.drain(kept..).rev() {
        let path = Segment::path(directory, unused.id);
        disk.remove(&path).and_then(|()| disk.sync_directory(directory)).map_err(failed("remove", &path))?;
    }
    let next_id = first.saturating_add(u32::try_from(kept).unwrap_or(u32::MAX));
    Ok((spares, next_id))
}

/// A segment on disk, with its header if that is readable.
struct Found {
    segment: Segment,
    header: Option<SegmentHeader>,
}

fn find_segments(disk: &dyn Disk, directory: &Path, names: &[String]) -> Result<BTreeMap<u32, Found>, OpenError> {
    let mut found = BTreeMap::new();
    for id in names.iter().filter_map(|name| Segment::id_of(name)) {
        let path = Segment::path(directory, id);
        let segment = Segment::open(disk, directory, id).map_err(failed("open", &path))?;
        let mut bytes = [0; SEGMENT_HEADER];
        let read = segment.file.read_at(&mut bytes, 0).map_err(failed("read", &path))?;
        let header = SegmentHeader::decode(&bytes[..read])
            .map_err(|version| OpenError::NewerVersion { file: path.clone(), version })?;
        let damaged = |what| Err(OpenError::Damaged(Damage { file: path.clone(), offset: 0, what, lost: None }));
        if let Some(header) = header {
            if header.id != id {
                return damaged("it holds another segment than its name says");
            }
            if segment.file.size().map_err(failed("read", &path))? < u64::from(header.len) {
                return damaged("it is shorter than it was");
            }
        }
        found.insert(id, Found { segment, header });
    }
    Ok(found)
}

/// The result of reading the log.
struct Log {
    cursor: Cursor,
    /// Whether the last batch has records.
    is_unproven: bool,
    active: Option<ActiveEnd>,
    /// Whether bytes after the end of the log must be zeroed.
    is_dirty: bool,
    report: Report,
}

/// The active segment, and where the log ends in it.
struct ActiveEnd {
    id: u32,
    /// The offset of the last batch; 0 if it is the first of the segment, so that the segment header is included.
    last: usize,
    offset: usize,
    len: usize,
}

impl ActiveEnd {
    /// Makes the last batch durable.
    ///
    /// The process that wrote it may have died before the sync, or the sync may have failed. Then the page cache
    /// shows data that is not on disk, and a sync alone finds nothing to write. So the batch is written again.
    fn make_durable(&self, segment: &Segment, is_dirty: bool) -> io::Result<()> {
        let file = segment.file.as_ref();
        let (mut batch, len) = (Vec::new(), self.offset - self.last);
        read_part(file, self.last as u64, len, &mut batch)?;
        if batch.len() < len {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        file.write_all_at(&batch, self.last as u64)?;
        if is_dirty {
            zero(file, self.offset as u64, self.len as u64)?;
        }
        file.sync()
    }
}

struct Opening<'d, V> {
    directory: &'d Path,
    from: Seq,
    /// The log is known to have been synced up to this record,
    reaches: Seq,
    /// and into this segment.
    marked: Option<u32>,
    report: Report,
    visit: V,
    buffer: Vec<u8>,
}

impl<V: FnMut(Record<'_>) -> Result<(), VisitError>> Opening<'_, V> {
    fn path(&self, id: u32) -> PathBuf {
        Segment::path(self.directory, id)
    }

    fn damaged(&self, id: u32, offset: usize, what: &'static str, lost: Option<(Seq, Seq)>) -> OpenError {
        OpenError::Damaged(Damage { file: self.path(id), offset: offset as u64, what, lost })
    }

    /// Reads from the segment that contains the recovery point to the end of the log.
    fn read_log(mut self, found: &BTreeMap<u32, Found>) -> Result<Log, OpenError> {
        let headers = || found.iter().filter_map(|(id, found)| Some((*id, found.header?)));
        let start = headers().rev().find(|(_, header)| header.first <= self.from);
        let Some((start, header)) = start else { return self.begin_empty(found) };

        let mut log = Log {
            cursor: Cursor { next: header.first, number: header.number, previous: header.previous },
            is_unproven: false,
            active: None,
            is_dirty: false,
            report: Report::default(),
        };
        let mut expected = start;
        for (&id, segment) in found.range(start..) {
            if id != expected {
                let later = self.later_evidence(found, expected)?;
                let lost = later.map(|later| (log.cursor.next, later));
                return Err(self.damaged(expected, 0, "the segment is missing", lost));
            }
            expected = id.saturating_add(1);
            match segment.header {
                Some(header) if continues(header, log.cursor) => {}
                Some(header) => {
                    let what = "the end of the segment before is missing";
                    return Err(self.damaged(id, 0, what, Some((log.cursor.next, header.first))));
                }
                None => {
                    self.check_tail(found, id, segment, log.cursor)?;
                    break;
                }
            }
            if self.read_segment(found, id, segment, &mut log)? {
                break;
            }
        }
        if log.cursor.next < self.reaches {
            let what = "the log ends before the recovery point";
            return Err(self.damaged(start, 0, what, Some((log.cursor.next, self.reaches))));
        }
        self.check_marked(log.active.as_ref().map_or(0, |active| active.id))?;
        log.report = self.report;
        Ok(log)
    }

    /// Fails if the marker names a segment after the last one of the log.
    fn check_marked(&self, last: u32) -> Result<(), OpenError> {
        match self.marked.filter(|marked| *marked > last) {
            Some(marked) => Err(self.damaged(marked, 0, "the segment is missing or was overwritten with zeros", None)),
            None => Ok(()),
        }
    }

    /// Reads a segment into the buffer. The buffer is reused: allocating memory for each segment costs more than
    /// reading it.
    fn read(&mut self, found: &Found, id: u32) -> Result<Vec<u8>, OpenError> {
        let mut bytes = std::mem::take(&mut self.buffer);
        let read = read_all(found.segment.file.as_ref(), Options::SEGMENT_BYTES_MAX, &mut bytes);
        read.map_err(failed("read", &self.path(id)))?;
        Ok(bytes)
    }

    /// Reads one segment to its end. Returns `true` if that is the end of the log.
    fn read_segment(
        &mut self,
        found: &BTreeMap<u32, Found>,
        id: u32,
        segment: &Found,
        log: &mut Log,
    ) -> Result<bool, OpenError> {
        let bytes = self.read(segment, id)?;
        let mut scan = Scan::new(id, &bytes, log.cursor);
        let mut last = 0;
        let end = loop {
            let begin = scan.offset();
            match scan.next() {
                Ok(batch) => {
                    last = if begin == SEGMENT_HEADER { 0 } else { begin };
                    log.is_unproven = batch.header.count > 0;
                    for record in batch.records().filter(|record| record.seq >= self.from) {
                        (self.visit)(record).map_err(|source| OpenError::Visit { seq: record.seq, source })?;
                        self.report.records += 1;
                    }
                }
                Err(end) => break end,
            }
        };
        log.cursor = scan.cursor;
        log.active = Some(ActiveEnd { id, last, offset: scan.offset(), len: bytes.len() });
        let is_end = match end {
            End::Clean { .. } => false,
            End::Broken { offset, what, proof } => {
                self.judge_broken(found, id, (offset, what, proof), bytes.get(offset..).unwrap_or_default(), log)?
            }
        };
        self.buffer = bytes;
        Ok(is_end)
    }

    /// Decides what the bytes after the last readable batch are: unused space, the tail, or damage (an error). Returns
    /// `true` for the tail.
    fn judge_broken(
        &mut self,
        found: &BTreeMap<u32, Found>,
        id: u32,
        (offset, what, proof): (usize, &'static str, Option<Seq>),
        rest: &[u8],
        log: &mut Log,
    ) -> Result<bool, OpenError> {
        if let Some(proof) = proof {
            return Err(self.damaged(id, offset, what, Some((log.cursor.next, proof))));
        }
        let next = found.get(&(id + 1)).and_then(|next| next.header);
        if next.is_some_and(|next| continues(next, log.cursor)) {
            // The next segment continues exactly here: the remaining bytes of this one were never part of the log.
            self.report.dirty_space.push(self.path(id));
            return Ok(false);
        }
        if let Some(later) = self.later_evidence(found, id)? {
            return Err(self.damaged(id, offset, what, Some((log.cursor.next, later))));
        }
        let header = BatchHeader::decode(rest).map(|(header, _)| header);
        let records = header.filter(|header| header.number == log.cursor.number).map(|header| header.count);
        self.report.cut = Some(TailCut { file: self.path(id), offset: offset as u64, from: log.cursor.next, records });
        log.is_dirty = true;
        Ok(true)
    }

    /// Checks a segment without a readable header: it is unused or the tail, unless it or a later segment contains a
    /// batch that was written later.
    fn check_tail(
        &mut self,
        found: &BTreeMap<u32, Found>,
        id: u32,
        segment: &Found,
        cursor: Cursor,
    ) -> Result<(), OpenError> {
        let bytes = self.read(segment, id)?;
        let inside = Scan::new(id, &bytes, cursor).proof();
        let is_used = bytes.iter().any(|byte| *byte != 0);
        self.buffer = bytes;
        let later = match inside {
            Some(later) => Some(later),
            None => self.later_evidence(found, id)?,
        };
        if let Some(later) = later {
            return Err(self.damaged(id, 0, "the segment's header is damaged", Some((cursor.next, later))));
        }
        if is_used {
            self.report.cut = Some(TailCut { file: self.path(id), offset: 0, from: cursor.next, records: None });
        }
        Ok(())
    }

    /// The first record that was written to a later segment, if any.
    fn later_evidence(&mut self, found: &BTreeMap<u32, Found>, id: u32) -> Result<Option<Seq>, OpenError> {
        for (&id, later) in found.range(id.saturating_add(1)..) {
            if let Some(header) = later.header {
                return Ok(Some(header.first));
            }
            let bytes = self.read(later, id)?;
            let batch = first_header(id, &bytes);
            let is_used = bytes.iter().any(|byte| *byte != 0);
            self.buffer = bytes;
            if let Some(header) = batch {
                return Ok(Some(header.first));
            }
            if is_used {
                return Err(self.damaged(id, 0, "it contains bytes that were never written by the journal", None));
            }
        }
        Ok(None)
    }

    /// Handles a directory without a segment to begin with: a new journal, or one whose first segments are lost.
    fn begin_empty(mut self, found: &BTreeMap<u32, Found>) -> Result<Log, OpenError> {
        if let Some((id, header)) = found.iter().find_map(|(id, found)| Some((*id, found.header?))) {
            return Err(self.damaged(id, 0, "the segments before it are missing", Some((self.from, header.first))));
        }
        if self.reaches > Seq::FIRST {
            return Err(self.damaged(1, 0, "no segment holds the record that recovery begins with", None));
        }
        if let Some((&id, segment)) = found.iter().next() {
            if id != 1 {
                return Err(self.damaged(1, 0, "the segment is missing", None));
            }
            self.check_tail(found, id, segment, START)?;
        }
        self.check_marked(0)?;
        Ok(Log { cursor: START, is_unproven: false, active: None, is_dirty: false, report: self.report })
    }
}

fn continues(header: SegmentHeader, cursor: Cursor) -> bool {
    header.first == cursor.next && header.number == cursor.number && header.previous == cursor.previous
}

/// The first readable batch header of a segment, at any offset.
fn first_header(id: u32, bytes: &[u8]) -> Option<BatchHeader> {
    let places = (SEGMENT_HEADER..bytes.len()).step_by(ALIGNMENT);
    places
        .filter_map(|at| BatchHeader::decode(&bytes[at..]))
        .map(|(header, _)| header)
        .find(|header| header.segment == id)
}
