//! Reading a damaged journal.
//!
//! [`Journal::open`] fails if any synced record is lost. This module reads every record that is still intact: each has
//! its own checksum, so it is found even if its batch or the header of its segment is damaged. No file is changed.

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, RwLock};

use crate::disk::{Disk, DiskFile, DiskLock, read_all};
use crate::error::{Damage, OpenError};
use crate::format::{ALIGNMENT, BatchHeader, RECORD_HEADER, RecordHeader, SEGMENT_HEADER, SegmentHeader, record_len};
use crate::open::{self, SALVAGE_MARK, failed};
use crate::options::Options;
use crate::point::Point;
use crate::scan::{Cursor, End, Scan};
use crate::segment::Segment;
use crate::segment_marker::SegmentMarker;
use crate::{Journal, Location, Reader, Record, Seq};

/// Stands for the number after the last record if the end of the log is unreadable.
const UNKNOWN: Seq = Seq(u64::MAX);

/// The result of reading every byte of a journal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Findings {
    pub segments: u64,
    /// Readable records.
    pub records: u64,
    /// Unreadable parts. Damage at the very end may be an interrupted write.
    pub damages: Vec<Damage>,
}

/// A possibly damaged journal, opened for reading only. It holds the lock of its directory.
#[derive(Debug)]
pub struct DamagedJournal {
    directory: PathBuf,
    segments: BTreeMap<u32, Arc<Segment>>,
    point: Option<Point>,
    damaged_points: Vec<Seq>,
    /// The segment that the marker file names: the log is known to have reached it.
    marked: Option<u32>,
    _lock: Arc<dyn DiskLock>,
}

impl DamagedJournal {
    pub fn open(disk: &dyn Disk, directory: &Path) -> Result<Self, OpenError> {
        let lock = open::lock(disk, directory)?;
        let names = disk.list(directory).map_err(failed("list", directory))?;
        let mut damaged_points = Vec::new();
        let point = Point::newest(disk, directory, &names, &mut damaged_points)?;
        let mut segments = BTreeMap::new();
        for id in names.iter().filter_map(|name| Segment::id_of(name)) {
            let opened = Segment::open(disk, directory, id).map_err(failed("open", &Segment::path(directory, id)))?;
            segments.insert(id, Arc::new(opened));
        }
        let marked = SegmentMarker::newest(&names);
        Ok(Self { directory: directory.to_owned(), segments, point, damaged_points, marked, _lock: lock })
    }

    /// The record at which recovery begins.
    pub fn recovery_point(&self) -> Seq {
        self.point.as_ref().map_or(Seq::FIRST, |point| point.from)
    }

    /// The length of its longest segment.
    pub fn segment_bytes(&self) -> usize {
        let sizes = self.segments.values().filter_map(|segment| segment.file.size().ok());
        sizes
            .filter_map(|size| usize::try_from(size).ok())
            .filter(|size| *size <= Options::SEGMENT_BYTES_MAX)
            .max()
            .unwrap_or(0)
    }

    /// A reader of records by location. Reading a damaged record is an error.
    pub fn reader(&self) -> Reader {
        Reader { segments: Arc::new(RwLock::new(self.segments.clone())) }
    }

    /// Passes every readable record to `visit`, in the order of their numbers.
    pub fn read(&self, mut visit: impl FnMut(Record<'_>)) -> Result<Findings, OpenError> {
        let mut examination =
            Examination { journal: self, findings: Findings::default(), expected: None, reached: 0, visit: &mut visit };
        for from in &self.damaged_points {
            examination.damage(&Point::path(&self.directory, *from), 0, "the recovery point cannot be read", None);
        }
        let mut bytes = Vec::new();
        for (id, segment) in &self.segments {
            let path = Segment::path(&self.directory, *id);
            if examination.load(segment.file.as_ref(), &path, &mut bytes)? && bytes.iter().any(|byte| *byte != 0) {
                examination.segment(*id, &path, &bytes)?;
            }
        }
        examination.end();
        Ok(examination.findings)
    }
}

type Visit<'v> = &'v mut dyn FnMut(Record<'_>);

struct Examination<'p, 'v> {
    journal: &'p DamagedJournal,
    findings: Findings,
    /// The position in the log after the last segment that was read; `None` before the first.
    expected: Option<Cursor>,
    /// The last segment of which any data was read.
    reached: u32,
    visit: Visit<'v>,
}

impl Examination<'_, '_> {
    /// Reads a file; page by page if reading it at once fails. Unreadable pages are filled with zeros. Returns `false`
    /// if the file is too long to be a segment.
    fn load(&mut self, file: &dyn DiskFile, path: &Path, bytes: &mut Vec<u8>) -> Result<bool, OpenError> {
        const PAGE: usize = 4096;
        match read_all(file, Options::SEGMENT_BYTES_MAX, bytes) {
            Ok(()) => return Ok(true),
            Err(error) if error.kind() == io::ErrorKind::FileTooLarge => {
                self.damage(path, 0, "it is longer than a segment can be", None);
                return Ok(false);
            }
            Err(_) => {}
        }
        let size = file.size().map_err(failed("read", path))?;
        bytes.clear();
        bytes.resize(usize::try_from(size).unwrap_or(0), 0);
        for (index, page) in bytes.chunks_mut(PAGE).enumerate() {
            let offset = index * PAGE;
            if file.read_at(page, offset as u64).is_err() {
                page.fill(0);
                self.damage(path, offset, "the page cannot be read from the disk", None);
            }
        }
        Ok(true)
    }

    fn segment(&mut self, id: u32, path: &Path, bytes: &[u8]) -> Result<(), OpenError> {
        let header = SegmentHeader::decode(bytes)
            .map_err(|version| OpenError::NewerVersion { file: path.to_owned(), version })?;
        let Some(begin) = self.begin(id, path, header, bytes) else { return Ok(()) };
        self.findings.segments += 1;
        self.reached = id;
        let mut scan = Scan::new(id, bytes, begin);
        loop {
            match scan.next() {
                Ok(batch) => batch.records().for_each(|record| self.found(record)),
                Err(End::Clean { .. }) => break,
                Err(End::Broken { offset, what, .. }) => {
                    let begin = scan.cursor.next;
                    let whole_again = scan.skip_damage();
                    let (until, end) = whole_again.unwrap_or((bytes.len(), UNKNOWN));
                    let next = self.survivors(id, &bytes[..until], offset, begin..end, path, what);
                    if whole_again.is_none() {
                        scan.cursor.next = next;
                        break;
                    }
                }
            }
        }
        self.expected = Some(scan.cursor);
        Ok(())
    }

    /// The position in the log at which a segment begins; `None` if the segment is unusable.
    fn begin(&mut self, id: u32, path: &Path, header: Option<SegmentHeader>, bytes: &[u8]) -> Option<Cursor> {
        let from = self.journal.recovery_point();
        let Some(header) = header else {
            // The first readable batch contains the position of the segment in the log.
            let expected = self.expected.unwrap_or(Cursor { next: Seq::FIRST, number: 0, previous: 0 });
            self.damage(path, 0, "the segment's header is damaged", None);
            return Some(first_batch(id, bytes, expected).unwrap_or(expected));
        };
        let cursor = Cursor { next: header.first, number: header.number, previous: header.previous };
        if header.id != id {
            self.damage(path, 0, "it holds another segment than its name says", None);
            return None;
        }
        let expected = self.expected.unwrap_or(Cursor { next: from.min(header.first), ..cursor });
        if cursor.next < expected.next {
            self.damage(path, 0, "its record numbers overlap with those of earlier segments", None);
            return None;
        }
        if bytes.len() < header.len as usize {
            self.damage(path, bytes.len(), "it is shorter than it was", None);
        }
        // Before the recovery point segments are dropped in any order: a gap there is not damage.
        if expected.next < cursor.next && header.first > from {
            let lost = Some((expected.next.max(from), cursor.next));
            self.damage(path, 0, "the records before this segment are missing", lost);
        }
        Some(cursor)
    }

    fn found(&mut self, record: Record<'_>) {
        self.findings.records += 1;
        (self.visit)(record);
    }

    /// Reads the intact records of a range whose batches are damaged, each verified by its own checksum. Returns the
    /// number after the last one.
    ///
    /// If the header of a damaged record is plausible, its body is skipped: it may contain bytes that look like
    /// records.
    fn survivors(
        &mut self,
        id: u32,
        bytes: &[u8],
        offset: usize,
        numbers: Range<Seq>,
        path: &Path,
        what: &'static str,
    ) -> Seq {
        let mut next = numbers.start;
        let mut at = offset;
        let mut is_reported = false;
        while at + RECORD_HEADER <= bytes.len() {
            let rest = &bytes[at..];
            let Some(header) = plausible(rest, next..numbers.end) else {
                at += ALIGNMENT;
                continue;
            };
            let len = record_len(header.len as usize);
            match RecordHeader::open(rest) {
                Some((header, body, _)) => {
                    if next < header.seq {
                        self.damage(path, offset, what, Some((next, header.seq)));
                        is_reported = true;
                    }
                    next = Seq(header.seq.0 + 1);
                    let location =
                        Location { segment: id, offset: u32::try_from(at).unwrap_or(u32::MAX), len: header.len };
                    self.found(Record { seq: header.seq, kind: header.kind, body, location });
                    at += len;
                }
                None if header.seq == next && is_length_confirmed(&bytes[at..], len, Seq(next.0 + 1)) => at += len,
                None => at += ALIGNMENT,
            }
        }
        let lost = (numbers.end != UNKNOWN && next < numbers.end).then_some((next, numbers.end));
        if lost.is_some() || !is_reported {
            self.damage(path, offset, what, lost);
        }
        next.max(if numbers.end == UNKNOWN { next } else { numbers.end })
    }

    /// Reports damage if the log ends before the recovery point, or before the last segment known to be in use.
    fn end(&mut self) {
        let directory = self.journal.directory.clone();
        let ends = self.expected.map_or(Seq::FIRST, |cursor| cursor.next);
        let reaches = self.journal.damaged_points.iter().copied().chain([self.journal.recovery_point()]).max();
        if let Some(reaches) = reaches.filter(|reaches| ends < *reaches) {
            self.damage(&directory, 0, "the log ends before the recovery point", Some((ends, reaches)));
        }
        // Segments are created in order, the next one before the last is full.
        let next = self.reached.saturating_add(1);
        let unused = self.journal.segments.range(next..).next().map(|(id, _)| *id);
        let missing = unused.filter(|id| *id != next).map(|_| next).or(self.journal.marked);
        if let Some(missing) = missing.filter(|missing| *missing > self.reached) {
            self.damage(
                &Segment::path(&directory, missing),
                0,
                "the segment is missing or was overwritten with zeros",
                None,
            );
        }
    }

    fn damage(&mut self, file: &Path, offset: usize, what: &'static str, lost: Option<(Seq, Seq)>) {
        let damage = Damage { file: file.to_owned(), offset: offset as u64, what, lost };
        self.findings.damages.push(damage);
    }
}

/// The unverified header at the start of `bytes`, if its number is in the range and its body fits into `bytes`.
fn plausible(bytes: &[u8], numbers: Range<Seq>) -> Option<RecordHeader> {
    let header = RecordHeader::peek(bytes)?;
    // After the last intact batch the number of records is unknown: at most as many as fit into the bytes.
    let end = numbers.end.min(Seq(numbers.start.0.saturating_add((bytes.len() / RECORD_HEADER) as u64 + 1)));
    let fits = RECORD_HEADER + header.len as usize <= bytes.len();
    (fits && (numbers.start..end).contains(&header.seq)).then_some(header)
}

/// Whether the length in the header of a damaged record is confirmed by what follows it: the end of the range, or a
/// batch or record with the next number. Zeros confirm nothing: they may be part of another record's body.
fn is_length_confirmed(bytes: &[u8], len: usize, next: Seq) -> bool {
    let Some(behind) = bytes.get(len..) else { return false };
    behind.is_empty()
        || BatchHeader::decode(behind).is_some_and(|(header, _)| header.first == next)
        || RecordHeader::peek(behind).is_some_and(|header| header.seq == next)
}

/// The position in the log before the first batch of a segment, if that batch is fully readable.
fn first_batch(id: u32, bytes: &[u8], expected: Cursor) -> Option<Cursor> {
    let (header, _) = bytes.get(SEGMENT_HEADER..).and_then(BatchHeader::decode).unzip();
    let header: BatchHeader =
        header.filter(|header: &BatchHeader| header.segment == id && header.number >= expected.number)?;
    let cursor = Cursor { next: header.first, number: header.number, previous: header.previous };
    Scan::new(id, bytes, cursor).next().is_ok().then_some(cursor)
}

/// The journal that a salvage writes to. A mark file prevents it from being opened before the salvage is complete.
#[derive(Debug)]
pub struct SalvageTarget {
    disk: Arc<dyn Disk>,
    directory: PathBuf,
    pub journal: Journal,
}

impl SalvageTarget {
    /// Creates the target journal. The directory must be empty or missing.
    pub fn begin(disk: Arc<dyn Disk>, directory: &Path, options: Options) -> Result<Self, OpenError> {
        disk.create_directory(directory).map_err(failed("create", directory))?;
        if !disk.list(directory).map_err(failed("list", directory))?.is_empty() {
            return Err(failed("salvage into", directory)(io::ErrorKind::DirectoryNotEmpty.into()));
        }
        let mark = disk.create(&directory.join(SALVAGE_MARK)).and_then(|file| file.sync());
        mark.and_then(|()| disk.sync_directory(directory)).map_err(failed("mark", directory))?;
        let journal = Journal::open_marked(Arc::clone(&disk), directory, options)?;
        Ok(Self { disk, directory: directory.to_owned(), journal })
    }

    /// Closes the journal and removes the mark: the salvage is complete.
    pub fn finish(self) -> Result<(), OpenError> {
        let Self { disk, directory, journal } = self;
        let prove = journal.close().map_err(|error| failed("write", &directory)(io::Error::other(error)));
        prove?;
        let unmark = disk.remove(&directory.join(SALVAGE_MARK)).and_then(|()| disk.sync_directory(&directory));
        unmark.map_err(failed("unmark", &directory))
    }
}
