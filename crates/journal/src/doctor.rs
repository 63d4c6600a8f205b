//! Looking at a damaged journal, and saving what can be read.
//!
//! A salvage copies every segment to another directory and puts what cannot be read aside: records keep
//! their numbers and their places, so whatever refers to them goes on doing so. Where something is lost
//! there stands a gap that says how much, and the copy opens.

use std::io;
use std::path::{Path, PathBuf};

use crate::Seq;
use crate::disk::{Disk, DiskFile, read_all};
use crate::error::{Damage, OpenError};
use crate::format::{BATCH_HEADER, BatchForm, BatchHeader, SEGMENT_HEADER, SegmentHeader};
use crate::open::{self, SALVAGE_MARK, failed};
use crate::options::Options;
use crate::point::Point;
use crate::scan::{Cursor, End, Scan, Skipped};
use crate::segment::Segment;

/// What a look at every byte found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Findings {
    pub segments: u64,
    /// Records that can be read.
    pub records: u64,
    /// What cannot. Damage at the very end may be an interrupted write.
    pub damages: Vec<Damage>,
}

/// Reads everything and changes nothing. The journal must not be open.
pub fn check(disk: &dyn Disk, directory: &Path) -> Result<Findings, OpenError> {
    let _lock = open::lock(disk, directory)?;
    walk(disk, directory, &mut |_, _| Ok(())).map(|patient| patient.findings)
}

/// Copies what is readable to `target`, which must be empty. The journal itself is not changed.
///
/// The copy cannot be opened before it is whole: a mark stands in it until then.
pub fn salvage(disk: &dyn Disk, directory: &Path, target: &Path) -> Result<Findings, OpenError> {
    let _lock = open::lock(disk, directory)?;
    disk.create_directory(target).map_err(failed("create", target))?;
    if !disk.list(target).map_err(failed("list", target))?.is_empty() {
        return Err(failed("salvage into", target)(io::ErrorKind::DirectoryNotEmpty.into()));
    }
    let mark = target.join(SALVAGE_MARK);
    let marked = disk.create(&mark).and_then(|file| file.sync()).and_then(|()| disk.sync_directory(target));
    marked.map_err(failed("mark", target))?;

    let create = |id: u32, bytes: &[u8]| {
        let file = disk.create(&Segment::path(target, id))?;
        file.write_all_at(bytes, 0)?;
        file.sync()
    };
    let patient = walk(disk, directory, &mut |id, bytes| create(id, bytes))?;
    let point = patient.point.unwrap_or(Point { from: patient.first.unwrap_or(Seq::FIRST), note: Vec::new() });
    if patient.cursor.is_none_or(|cursor| cursor.next < point.from) {
        // The numbers of lost records are not given again: something may still refer to them.
        let number = patient.cursor.map_or(0, |cursor| cursor.number + 1);
        let last = patient.last.unwrap_or(0).saturating_add(1);
        let segment = closing_segment(last, Cursor { next: point.from, number, previous: 0 });
        create(last, &segment).map_err(failed("write the end of the log to", target))?;
    }
    point.write(disk, target).map_err(failed("write a recovery point in", target))?;
    disk.sync_directory(target).map_err(failed("sync", target))?;
    disk.remove(&mark).and_then(|()| disk.sync_directory(target)).map_err(failed("unmark", target))?;
    Ok(patient.findings)
}

/// A segment without records that says where the log goes on.
fn closing_segment(id: u32, cursor: Cursor) -> Vec<u8> {
    let mut bytes = vec![0; Options::SEGMENT_BYTES_MIN];
    let Cursor { next, number, previous } = cursor;
    let len = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    let header = SegmentHeader { id, first: next, number, previous, len, is_salvaged: true };
    bytes[..SEGMENT_HEADER].copy_from_slice(&header.encode());
    bytes
}

type Take<'t> = &'t mut dyn FnMut(u32, &[u8]) -> io::Result<()>;

/// Examines every segment that was ever written, and lets `take` have it as far as it is readable.
fn walk(disk: &dyn Disk, directory: &Path, take: Take<'_>) -> Result<Patient, OpenError> {
    let names = disk.list(directory).map_err(failed("list", directory))?;
    let mut damaged_points = Vec::new();
    let point = Point::newest(disk, directory, &names, &mut damaged_points)?;
    let mut patient = Patient { findings: Findings::default(), cursor: None, first: None, last: None, point };
    for from in damaged_points {
        patient.damage(&Point::path(directory, from), 0, "the recovery point cannot be read", None);
    }
    let mut ids: Vec<u32> = names.iter().filter_map(|name| Segment::id_of(name)).collect();
    ids.sort_unstable();
    for id in ids {
        let path = Segment::path(directory, id);
        let file = disk.open(&path).map_err(failed("open", &path))?;
        let mut bytes = patient.read(file.as_ref(), &path)?;
        if bytes.iter().any(|byte| *byte != 0) && patient.examine(id, &path, &mut bytes)? {
            take(id, &bytes).map_err(failed("copy", &path))?;
        }
    }
    let reaches = patient.point.as_ref().map_or(Seq::FIRST, |point| point.from);
    let ends = patient.cursor.map_or(Seq::FIRST, |cursor| cursor.next);
    if ends < reaches {
        patient.damage(directory, 0, "the log ends before the recovery point", Some((ends, reaches)));
    }
    Ok(patient)
}

struct Patient {
    findings: Findings,
    /// Where the log stands behind the last segment; `None` before the first.
    cursor: Option<Cursor>,
    /// The first record of the first segment, and the id of the last one.
    first: Option<Seq>,
    last: Option<u32>,
    point: Option<Point>,
}

impl Patient {
    /// Reads a file, page by page where the disk does not give it whole. What it does not give is zero.
    fn read(&mut self, file: &dyn DiskFile, path: &Path) -> Result<Vec<u8>, OpenError> {
        const PAGE: usize = 4096;
        let mut bytes = Vec::new();
        match read_all(file, Options::SEGMENT_BYTES_MAX, &mut bytes) {
            Ok(()) => return Ok(bytes),
            Err(error) if error.kind() == io::ErrorKind::FileTooLarge => return Err(failed("read", path)(error)),
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
        Ok(bytes)
    }

    /// Mends one segment. `false` when nothing of it can be used.
    fn examine(&mut self, id: u32, path: &Path, bytes: &mut [u8]) -> Result<bool, OpenError> {
        let header = SegmentHeader::decode(bytes)
            .map_err(|version| OpenError::NewerVersion { file: path.to_owned(), version })?;
        let Some(begin) = self.begin(id, path, header, bytes) else { return Ok(false) };
        self.findings.segments += 1;
        self.first = self.first.or(Some(begin.next));
        self.last = Some(id);
        self.cursor = Some(self.mend_batches(id, path, begin, bytes));
        Ok(true)
    }

    /// Makes the segment begin with a good header; gives where its batches begin.
    fn begin(&mut self, id: u32, path: &Path, header: Option<SegmentHeader>, bytes: &mut [u8]) -> Option<Cursor> {
        let from = self.point.as_ref().map_or(Seq::FIRST, |point| point.from);
        if let Some(header) = header {
            if header.id != id {
                self.damage(path, 0, "it holds another segment than its name says", None);
                return None;
            }
            let cursor = Cursor { next: header.first, number: header.number, previous: header.previous };
            let expected = self.cursor.unwrap_or(Cursor { next: from.min(header.first), ..cursor });
            if cursor.next < expected.next {
                self.damage(path, 0, "its records have the numbers of others", None);
                return None;
            }
            let len = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
            if len < header.len {
                self.damage(path, bytes.len(), "it is shorter than it was", None);
                bytes[..SEGMENT_HEADER].copy_from_slice(&SegmentHeader { len, ..header }.encode());
            }
            let header = SegmentHeader { len: len.min(header.len), ..header };
            if expected != cursor {
                // Behind the recovery point segments are dropped one by one: a hole there is none.
                if !header.is_salvaged && header.first > from {
                    let lost = Some((expected.next.max(from), cursor.next));
                    self.damage(path, 0, "what stood before this segment is missing", lost);
                }
                let header = SegmentHeader { is_salvaged: true, ..header };
                bytes[..SEGMENT_HEADER].copy_from_slice(&header.encode());
            }
            return Some(cursor);
        }
        // The header is lost. The first batch that can be read says where the segment stands.
        let expected = self.cursor.unwrap_or(Cursor { next: Seq::FIRST, number: 0, previous: 0 });
        let whole = first_batch(id, bytes, expected);
        let lost = whole.map(|(_, cursor)| (expected.next.max(from), cursor.next)).filter(|(from, until)| from < until);
        self.damage(path, 0, "the segment's header is damaged", lost);
        let (at, cursor) = whole?;
        let begin = if at == SEGMENT_HEADER {
            cursor
        } else {
            let begin = Cursor { number: cursor.number.saturating_sub(1), ..cursor };
            fill_gap(bytes, &Skipped { offset: SEGMENT_HEADER, until: at, before: begin, after: cursor }, id);
            begin
        };
        let Cursor { next, number, previous } = begin;
        let len = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        let header = SegmentHeader { id, first: next, number, previous, len, is_salvaged: true };
        bytes[..SEGMENT_HEADER].copy_from_slice(&header.encode());
        Some(begin)
    }

    /// Puts everything unreadable between batches into gaps; gives where the log stands at the end.
    fn mend_batches(&mut self, id: u32, path: &Path, begin: Cursor, bytes: &mut [u8]) -> Cursor {
        let mut gaps = Vec::new();
        let mut scan = Scan::new(id, bytes, begin);
        let rest = loop {
            match scan.next() {
                Ok(batch) => self.findings.records += batch.records().count() as u64,
                Err(End::Clean { offset }) => break offset,
                Err(End::Broken { offset, what, .. }) => match scan.skip_damage() {
                    Some(gap) => {
                        self.damage(path, offset, what, Some((gap.before.next, gap.after.next)));
                        gaps.push(gap);
                    }
                    None => {
                        self.damage(path, offset, what, None);
                        break offset;
                    }
                },
            }
        };
        let end = scan.cursor;
        for gap in &gaps {
            fill_gap(bytes, gap, id);
        }
        bytes[rest..].fill(0);
        end
    }

    fn damage(&mut self, file: &Path, offset: usize, what: &'static str, lost: Option<(Seq, Seq)>) {
        let damage = Damage { file: PathBuf::from(file), offset: offset as u64, what, lost };
        self.findings.damages.push(damage);
    }
}

/// The first batch of a segment that can be read whole: where it begins, and what it follows.
fn first_batch(id: u32, bytes: &[u8], expected: Cursor) -> Option<(usize, Cursor)> {
    let (header, _) = bytes.get(SEGMENT_HEADER..).and_then(BatchHeader::decode).unzip();
    if let Some(header) = header.filter(|header| header.segment == id && header.number >= expected.number) {
        let cursor = Cursor { next: header.first, number: header.number, previous: header.previous };
        if Scan::new(id, bytes, cursor).next().is_ok() {
            return Some((SEGMENT_HEADER, cursor));
        }
    }
    let gap = Scan::new(id, bytes, expected).skip_damage()?;
    Some((gap.until, gap.after))
}

/// Covers a stretch that cannot be read with a gap.
fn fill_gap(bytes: &mut [u8], gap: &Skipped, id: u32) {
    let len = gap.until - gap.offset - BATCH_HEADER;
    let header = BatchHeader {
        len: u32::try_from(len).unwrap_or(u32::MAX),
        count: u32::try_from(gap.after.next.0 - gap.before.next.0).unwrap_or(u32::MAX),
        first: gap.before.next,
        number: gap.after.number.saturating_sub(1),
        previous: gap.before.previous,
        records: gap.after.previous,
        segment: id,
        form: BatchForm::Gap,
    };
    bytes[gap.offset..gap.offset + BATCH_HEADER].copy_from_slice(&header.encode());
    bytes[gap.offset + BATCH_HEADER..gap.until].fill(0);
}
