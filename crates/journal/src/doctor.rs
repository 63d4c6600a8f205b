//! Reading a journal that may be damaged.
//!
//! Opening refuses a journal of which anything is lost. Here everything is read that can be: a record has a checksum of its
//! own, so that one which is whole is found although its batch, or its segment's header, is not. Nothing is changed.

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, RwLock};

use crate::begun::Begun;
use crate::disk::{Disk, DiskFile, DiskLock, read_all};
use crate::error::{Damage, OpenError};
use crate::format::{ALIGNMENT, BatchHeader, RECORD_HEADER, RecordHeader, SEGMENT_HEADER, SegmentHeader, record_len};
use crate::open::{self, SALVAGE_MARK, failed};
use crate::options::Options;
use crate::point::Point;
use crate::scan::{Cursor, End, Scan};
use crate::segment::Segment;
use crate::{Journal, Location, Reader, Record, Seq};

/// The number behind the last record of a log whose end cannot be read.
const UNKNOWN: Seq = Seq(u64::MAX);

/// What a look at every byte found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Findings {
    pub segments: u64,
    /// Records that can be read.
    pub records: u64,
    /// What cannot. Damage at the very end may be an interrupted write.
    pub damages: Vec<Damage>,
}

/// A journal that is only read. It is nobody else's meanwhile.
#[derive(Debug)]
pub struct DamagedJournal {
    directory: PathBuf,
    segments: BTreeMap<u32, Arc<Segment>>,
    point: Option<Point>,
    damaged_points: Vec<Seq>,
    /// The last segment that the log is known to have reached.
    begun: Option<u32>,
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
        let begun = Begun::newest(&names);
        Ok(Self { directory: directory.to_owned(), segments, point, damaged_points, begun, _lock: lock })
    }

    /// Where recovery begins.
    pub fn recovery_point(&self) -> Seq {
        self.point.as_ref().map_or(Seq::FIRST, |point| point.from)
    }

    /// How long its segments are, the longest of them.
    pub fn segment_bytes(&self) -> usize {
        let sizes = self.segments.values().filter_map(|segment| segment.file.size().ok());
        sizes
            .filter_map(|size| usize::try_from(size).ok())
            .filter(|size| *size <= Options::SEGMENT_BYTES_MAX)
            .max()
            .unwrap_or(0)
    }

    /// Reads records by where they stand. One that is damaged is an error.
    pub fn reader(&self) -> Reader {
        Reader { segments: Arc::new(RwLock::new(self.segments.clone())) }
    }

    /// Shows every record that can be read, in the order of their numbers.
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
    /// Where the log stands behind the last segment; `None` before the first.
    expected: Option<Cursor>,
    /// The last segment of which something was read.
    reached: u32,
    visit: Visit<'v>,
}

impl Examination<'_, '_> {
    /// Reads a file, page by page where the disk does not give it whole: what it does not give is zero. `false` where it is
    /// no segment, for its length.
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
                self.damage(path, offset, "the disk does not give this page", None);
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

    /// Where the batches of a segment begin; `None` where nothing of it can be used.
    fn begin(&mut self, id: u32, path: &Path, header: Option<SegmentHeader>, bytes: &[u8]) -> Option<Cursor> {
        let from = self.journal.recovery_point();
        let Some(header) = header else {
            // The first batch that can be read says where the segment stands.
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
            self.damage(path, 0, "its records have the numbers of others", None);
            return None;
        }
        if bytes.len() < header.len as usize {
            self.damage(path, bytes.len(), "it is shorter than it was", None);
        }
        // Before the recovery point segments are dropped one by one: a hole there is none.
        if expected.next < cursor.next && header.first > from {
            let lost = Some((expected.next.max(from), cursor.next));
            self.damage(path, 0, "what stood before this segment is missing", lost);
        }
        Some(cursor)
    }

    fn found(&mut self, record: Record<'_>) {
        self.findings.records += 1;
        (self.visit)(record);
    }

    /// Shows the records of a stretch whose batches are not whole, each by its own checksum; gives the number behind the
    /// last one.
    ///
    /// Where the header of a damaged record can be believed, its body is passed over unseen: it may imitate records.
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
        let mut is_told = false;
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
                        is_told = true;
                    }
                    next = Seq(header.seq.0 + 1);
                    let location =
                        Location { segment: id, offset: u32::try_from(at).unwrap_or(u32::MAX), len: header.len };
                    self.found(Record { seq: header.seq, kind: header.kind, body, location });
                    at += len;
                }
                None if header.seq == next && is_believed(&bytes[at..], len, Seq(next.0 + 1)) => at += len,
                None => at += ALIGNMENT,
            }
        }
        let lost = (numbers.end != UNKNOWN && next < numbers.end).then_some((next, numbers.end));
        if lost.is_some() || !is_told {
            self.damage(path, offset, what, lost);
        }
        next.max(if numbers.end == UNKNOWN { next } else { numbers.end })
    }

    /// Whether the log reaches as far as it once did.
    fn end(&mut self) {
        let directory = self.journal.directory.clone();
        let ends = self.expected.map_or(Seq::FIRST, |cursor| cursor.next);
        let reaches = self.journal.damaged_points.iter().copied().chain([self.journal.recovery_point()]).max();
        if let Some(reaches) = reaches.filter(|reaches| ends < *reaches) {
            self.damage(&directory, 0, "the log ends before the recovery point", Some((ends, reaches)));
        }
        // Segments are made in order, the next one before the last is full.
        let next = self.reached.saturating_add(1);
        let unused = self.journal.segments.range(next..).next().map(|(id, _)| *id);
        let missing = unused.filter(|id| *id != next).map(|_| next).or(self.journal.begun);
        if let Some(missing) = missing.filter(|missing| *missing > self.reached) {
            self.damage(
                &Segment::path(&directory, missing),
                0,
                "the segment is missing, or nothing is left of it",
                None,
            );
        }
    }

    fn damage(&mut self, file: &Path, offset: usize, what: &'static str, lost: Option<(Seq, Seq)>) {
        let damage = Damage { file: file.to_owned(), offset: offset as u64, what, lost };
        self.findings.damages.push(damage);
    }
}

/// The header of a record that may begin here: its number is one of these, and it is no longer than what follows.
fn plausible(bytes: &[u8], numbers: Range<Seq>) -> Option<RecordHeader> {
    let header = RecordHeader::peek(bytes)?;
    // Behind the last whole batch nobody knows how many there were: no more than fit.
    let end = numbers.end.min(Seq(numbers.start.0.saturating_add((bytes.len() / RECORD_HEADER) as u64 + 1)));
    let fits = RECORD_HEADER + header.len as usize <= bytes.len();
    (fits && (numbers.start..end).contains(&header.seq)).then_some(header)
}

/// Whether a damaged record is as long as it says: behind it the stretch ends, or there is what has the next number. Zeros
/// prove nothing: they may be the body of another record.
fn is_believed(bytes: &[u8], len: usize, next: Seq) -> bool {
    let Some(behind) = bytes.get(len..) else { return false };
    behind.is_empty()
        || BatchHeader::decode(behind).is_some_and(|(header, _)| header.first == next)
        || RecordHeader::peek(behind).is_some_and(|header| header.seq == next)
}

/// What the first batch of a segment that can be read whole follows.
fn first_batch(id: u32, bytes: &[u8], expected: Cursor) -> Option<Cursor> {
    let (header, _) = bytes.get(SEGMENT_HEADER..).and_then(BatchHeader::decode).unzip();
    let header: BatchHeader =
        header.filter(|header: &BatchHeader| header.segment == id && header.number >= expected.number)?;
    let cursor = Cursor { next: header.first, number: header.number, previous: header.previous };
    Scan::new(id, bytes, cursor).next().is_ok().then_some(cursor)
}

/// The journal into which a damaged one is saved. It cannot be opened before it is whole: a mark stands in it until then.
#[derive(Debug)]
pub struct SalvageTarget {
    disk: Arc<dyn Disk>,
    directory: PathBuf,
    pub journal: Journal,
}

impl SalvageTarget {
    /// Begins in a directory that must be empty.
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

    /// All of it is there.
    pub fn finish(self) -> Result<(), OpenError> {
        let Self { disk, directory, journal } = self;
        let prove = journal.close().map_err(|error| failed("write", &directory)(io::Error::other(error)));
        prove?;
        let unmark = disk.remove(&directory.join(SALVAGE_MARK)).and_then(|()| disk.sync_directory(&directory));
        unmark.map_err(failed("unmark", &directory))
    }
}
