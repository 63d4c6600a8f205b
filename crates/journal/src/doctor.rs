//! Looking at a damaged journal, and saving what can be read.
//!
//! A salvage copies every segment to another directory and puts what cannot be read aside: records keep
//! their numbers and their places, so whatever refers to them goes on doing so. Where something is lost
//! there stands a gap that says how much, and the copy opens.

use std::io;
use std::path::{Path, PathBuf};

use crate::Seq;
use crate::disk::{Disk, read_all};
use crate::error::{Damage, OpenError};
use crate::format::{BATCH_HEADER, BatchForm, BatchHeader, SEGMENT_HEADER, SegmentHeader};
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

/// Reads everything and changes nothing.
pub fn check(disk: &dyn Disk, directory: &Path) -> Result<Findings, OpenError> {
    walk(disk, directory, &mut |_, _| Ok(())).map(|(findings, _)| findings)
}

/// Copies what is readable to `target`, which must be empty. The journal itself is not changed.
pub fn salvage(disk: &dyn Disk, directory: &Path, target: &Path) -> Result<Findings, OpenError> {
    let failed = |what: &'static str, path: &Path| {
        let path = path.to_owned();
        move |source: io::Error| OpenError::Io { what, path, source }
    };
    disk.create_directory(target).map_err(failed("create", target))?;
    if !disk.list(target).map_err(failed("list", target))?.is_empty() {
        return Err(failed("salvage into", target)(io::ErrorKind::DirectoryNotEmpty.into()));
    }
    let mut first = None;
    let (findings, point) = walk(disk, directory, &mut |id, segment| {
        first = first.or(Some(segment.first));
        let file = disk.create(&Segment::path(target, id))?;
        file.write_all_at(&segment.bytes, 0)?;
        file.sync()
    })?;
    let from = first.unwrap_or(Seq::FIRST);
    let point = point.filter(|point| point.from >= from).unwrap_or(Point { from, note: Vec::new() });
    point.write(disk, target).map_err(failed("write a recovery point in", target))?;
    disk.sync_directory(target).map_err(failed("sync", target))?;
    Ok(findings)
}

/// A segment as it can be opened again.
struct Mended {
    bytes: Vec<u8>,
    first: Seq,
}

type Take<'t> = &'t mut dyn FnMut(u32, &Mended) -> io::Result<()>;

/// Examines every segment that was ever written, and lets `take` have what is readable of it.
fn walk(disk: &dyn Disk, directory: &Path, take: Take<'_>) -> Result<(Findings, Option<Point>), OpenError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source: io::Error| OpenError::Io { what: "read", path, source }
    };
    let mut patient = Patient { findings: Findings::default(), cursor: None, reaches: Seq::FIRST };
    let names = disk.list(directory).map_err(failed(directory))?;
    let mut damaged_points = Vec::new();
    let point = Point::newest(disk, directory, &names, &mut damaged_points).map_err(failed(directory))?;
    for path in damaged_points {
        patient.damage(&path, 0, "the recovery point cannot be read", None);
    }
    patient.reaches = point.as_ref().map_or(Seq::FIRST, |point| point.from);

    let mut ids: Vec<u32> = names.iter().filter_map(|name| Segment::id_of(name)).collect();
    ids.sort_unstable();
    let mut segments = Vec::new();
    for id in ids {
        let path = Segment::path(directory, id);
        let bytes = disk.open(&path).and_then(|file| read_all(file.as_ref())).map_err(failed(&path))?;
        if bytes.iter().any(|byte| *byte != 0) {
            segments.push((id, path));
        }
    }
    for (index, (id, path)) in segments.iter().enumerate() {
        let bytes = disk.open(path).and_then(|file| read_all(file.as_ref())).map_err(failed(path))?;
        let is_last = index + 1 == segments.len();
        if let Some(mended) = patient.examine(*id, path, bytes, is_last)? {
            take(*id, &mended).map_err(failed(path))?;
        }
    }
    Ok((patient.findings, point))
}

struct Patient {
    findings: Findings,
    /// Where the log stands behind the last segment; `None` before the first.
    cursor: Option<Cursor>,
    /// Records up to here were synced: the recovery point says so.
    reaches: Seq,
}

impl Patient {
    /// Mends one segment. `None` when nothing of it can be read.
    fn examine(
        &mut self,
        id: u32,
        path: &Path,
        mut bytes: Vec<u8>,
        is_last: bool,
    ) -> Result<Option<Mended>, OpenError> {
        let header = SegmentHeader::decode(&bytes)
            .map_err(|version| OpenError::NewerVersion { file: path.to_owned(), version })?
            .filter(|header| header.id == id);
        let Some(begin) = self.begin(id, path, header, &mut bytes) else { return Ok(None) };
        self.findings.segments += 1;
        let (mut end, rest) = self.mend_batches(id, path, begin, &mut bytes);
        let until = rest + BATCH_HEADER;
        if is_last && end.next < self.reaches && until <= bytes.len() {
            // The numbers of lost records are not given again: something may still refer to them.
            let after = Cursor { next: self.reaches, number: end.number + 1, previous: 0 };
            self.damage(path, rest, "the log ends before the recovery point", Some((end.next, after.next)));
            fill_gap(&mut bytes, &Skipped { offset: rest, until, before: end, after }, id);
            end = after;
        }
        self.cursor = Some(end);
        Ok(Some(Mended { bytes, first: begin.next }))
    }

    /// Makes the segment begin with a good header; gives where its batches begin.
    fn begin(&mut self, id: u32, path: &Path, header: Option<SegmentHeader>, bytes: &mut [u8]) -> Option<Cursor> {
        if let Some(header) = header {
            let cursor = Cursor { next: header.first, number: header.number, previous: header.previous };
            if let Some(expected) = self.cursor.filter(|expected| *expected != cursor) {
                if !header.is_salvaged {
                    self.damage(
                        path,
                        0,
                        "what stood before this segment is missing",
                        Some((expected.next, cursor.next)),
                    );
                }
                let header = SegmentHeader { is_salvaged: true, ..header };
                bytes[..SEGMENT_HEADER].copy_from_slice(&header.encode());
            }
            return Some(cursor);
        }
        // The header is lost. The first batch that can be read says where the segment stands.
        let expected = self.cursor.unwrap_or(Cursor { next: Seq::FIRST, number: 0, previous: 0 });
        let whole = first_batch(id, bytes, expected);
        let lost = whole.map(|(_, cursor)| (expected.next, cursor.next));
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
        let header = SegmentHeader { id, first: next, number, previous, is_salvaged: true };
        bytes[..SEGMENT_HEADER].copy_from_slice(&header.encode());
        Some(begin)
    }

    /// Puts everything unreadable between batches into gaps; gives where the log stands at the end, and the
    /// offset of that.
    fn mend_batches(&mut self, id: u32, path: &Path, begin: Cursor, bytes: &mut [u8]) -> (Cursor, usize) {
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
        (end, rest)
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
