//! Opening: what is there, what is cut, what is damage.
//!
//! A batch is written only after the one before was synced. So after a power loss only the last batch can
//! be half there, and anything unreadable that is followed by a later batch was synced once and is damaged
//! now. That is the whole rule: the tail is what no later batch proves; it is cut and reported. Everything
//! else must be readable.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::disk::{Disk, DiskLock, read_all};
use crate::error::{Damage, OpenError};
use crate::format::{BatchForm, BatchHeader, SEGMENT_HEADER, SegmentHeader};
use crate::point::Point;
use crate::scan::{Cursor, End, Scan};
use crate::segment::{Segment, zero};
use crate::{Record, Seq};

/// What opening found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// How many records were shown to the visitor.
    pub records: u64,
    /// The batch at the end that was not whole.
    pub cut: Option<TailCut>,
    /// Recovery points that could not be read; an older one was used.
    pub damaged_points: Vec<PathBuf>,
    /// Bytes in unused room of a segment that were not zero. Nothing is lost by it.
    pub dirty_room: Vec<PathBuf>,
    /// What an earlier salvage could not save: the first lost record of each stretch, and the first behind it.
    pub lost: Vec<(Seq, Seq)>,
}

/// A batch that was not whole and that no later one proves: an interrupted write, or damage to the very
/// last batch, which cannot be told from one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TailCut {
    pub file: PathBuf,
    pub offset: u64,
    /// The number that the first record of the cut batch had, or would have had.
    pub from: Seq,
    /// How many records it had, where its header can still be read.
    pub records: Option<u32>,
}

/// Everything that a journal starts with.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) cursor: Cursor,
    pub(crate) is_unproven: bool,
    /// The segment to go on writing: its id, the offset, its length.
    pub(crate) active: Option<(u32, usize, usize)>,
    pub(crate) firsts: BTreeMap<u32, Seq>,
    pub(crate) segments: BTreeMap<u32, Arc<Segment>>,
    pub(crate) spares: Vec<Segment>,
    pub(crate) next_id: u32,
    pub(crate) point: Point,
    pub(crate) report: Report,
    pub(crate) lock: Box<dyn DiskLock>,
}

const LOCK: &str = "LOCK";
const START: Cursor = Cursor { next: Seq::FIRST, number: 0, previous: 0 };

pub(crate) fn open<V>(disk: &dyn Disk, directory: &Path, segment_bytes: usize, visit: V) -> Result<Opened, OpenError>
where
    V: FnMut(Record<'_>) -> Result<(), Box<dyn std::error::Error + Send + Sync>>,
{
    let failed = |what: &'static str, path: &Path| {
        let path = path.to_owned();
        move |source: io::Error| OpenError::Io { what, path, source }
    };
    disk.create_directory(directory).map_err(failed("create", directory))?;
    let lock = disk.lock(&directory.join(LOCK)).map_err(|error| match error.kind() {
        io::ErrorKind::WouldBlock => OpenError::Locked { directory: directory.to_owned() },
        _ => failed("lock", directory)(error),
    })?;
    let names = disk.list(directory).map_err(failed("list", directory))?;
    let mut report = Report::default();
    let point = Point::newest(disk, directory, &names, &mut report.damaged_points)
        .map_err(failed("read the recovery point in", directory))?
        .unwrap_or(Point { from: Seq::FIRST, note: Vec::new() });

    let mut found = find_segments(disk, directory, &names)?;
    let opening = Opening { directory, from: point.from, report, visit };
    let log = opening.read_log(&found)?;

    // Nothing was changed so far; from here on the journal is known to be good.
    Point::clear_unfinished(disk, directory).map_err(failed("clear", directory))?;
    let mut spares = Vec::new();
    let mut next_id = log.active.map_or(0, |(id, ..)| id) + 1;
    let unused: Vec<u32> = found.keys().copied().filter(|id| *id >= next_id).collect();
    for id in unused {
        let path = Segment::path(directory, id);
        let Some(Found { segment, .. }) = found.remove(&id) else { continue };
        let is_ready = id == next_id && is_zero(&segment, segment_bytes).map_err(failed("read", &path))?;
        if is_ready {
            next_id = id + 1;
            spares.push(segment);
        } else {
            disk.remove(&path).map_err(failed("remove", &path))?;
        }
    }
    if let Some((id, offset, len)) = log.active
        && let Some(active) = found.get(&id)
    {
        let path = Segment::path(directory, id);
        let file = active.segment.file.as_ref();
        if log.is_dirty {
            zero(file, offset as u64, len as u64).map_err(failed("clean", &path))?;
        }
        // The process that wrote the last batch may have died before its sync. It was read, it will be relied
        // on, and the next sync may be of another file: so it is made certain now.
        file.sync().map_err(failed("sync", &path))?;
    }
    disk.sync_directory(directory).map_err(failed("sync", directory))?;

    let firsts = found.iter().filter_map(|(id, found)| Some((*id, found.header?.first))).collect();
    let segments = found.into_iter().map(|(id, found)| (id, Arc::new(found.segment))).collect();
    let is_unproven = log.is_unproven;
    Ok(Opened {
        cursor: log.cursor,
        is_unproven,
        active: log.active,
        firsts,
        segments,
        spares,
        next_id,
        point,
        report: log.report,
        lock,
    })
}

/// A segment on disk, with its header where it has one.
struct Found {
    segment: Segment,
    header: Option<SegmentHeader>,
}

fn find_segments(disk: &dyn Disk, directory: &Path, names: &[String]) -> Result<BTreeMap<u32, Found>, OpenError> {
    let mut found = BTreeMap::new();
    for id in names.iter().filter_map(|name| Segment::id_of(name)) {
        let path = Segment::path(directory, id);
        let failed = |source| OpenError::Io { what: "read", path: path.clone(), source };
        let segment = Segment::open(disk, directory, id).map_err(failed)?;
        let mut bytes = [0; SEGMENT_HEADER];
        let read = segment.file.read_at(&mut bytes, 0).map_err(failed)?;
        let header = SegmentHeader::decode(&bytes[..read])
            .map_err(|version| OpenError::NewerVersion { file: path.clone(), version })?
            .filter(|header| header.id == id);
        found.insert(id, Found { segment, header });
    }
    Ok(found)
}

fn is_zero(segment: &Segment, len: usize) -> io::Result<bool> {
    let bytes = read_all(segment.file.as_ref())?;
    Ok(bytes.len() == len && bytes.iter().all(|byte| *byte == 0))
}

/// What reading the log gave.
struct Log {
    cursor: Cursor,
    /// The last batch has records.
    is_unproven: bool,
    active: Option<(u32, usize, usize)>,
    /// Behind the end of the log there are bytes to be zeroed.
    is_dirty: bool,
    report: Report,
}

struct Opening<'d, V> {
    directory: &'d Path,
    from: Seq,
    report: Report,
    visit: V,
}

impl<V> Opening<'_, V>
where
    V: FnMut(Record<'_>) -> Result<(), Box<dyn std::error::Error + Send + Sync>>,
{
    fn path(&self, id: u32) -> PathBuf {
        Segment::path(self.directory, id)
    }

    fn damaged(&self, id: u32, offset: usize, what: &'static str, lost: Option<(Seq, Seq)>) -> OpenError {
        OpenError::Damaged(Damage { file: self.path(id), offset: offset as u64, what, lost })
    }

    /// Reads from the segment that holds the recovery point to the end.
    fn read_log(mut self, found: &BTreeMap<u32, Found>) -> Result<Log, OpenError> {
        let start = found
            .iter()
            .rev()
            .filter_map(|(id, found)| Some((*id, found.header?)))
            .find(|(_, header)| header.first <= self.from);
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
            let is_bridged = segment.header.is_some_and(|header| header.is_salvaged);
            if id != expected && !is_bridged {
                // A missing segment is damage if anything behind it was written.
                match later_header(found, expected) {
                    Some(later) => {
                        let lost = Some((log.cursor.next, later.first));
                        return Err(self.damaged(expected, 0, "the segment is missing", lost));
                    }
                    None => break,
                }
            }
            expected = id.saturating_add(1);
            let bytes = self.read(segment, id)?;
            match segment.header {
                Some(header) if continues(header, log.cursor) => {}
                Some(header) if header.is_salvaged && header.first >= log.cursor.next => {
                    self.report.lost.push((log.cursor.next, header.first));
                    log.cursor = Cursor { next: header.first, number: header.number, previous: header.previous };
                }
                Some(header) => {
                    let what = "the end of the segment before is missing";
                    return Err(self.damaged(id, 0, what, Some((log.cursor.next, header.first))));
                }
                None => {
                    self.check_tail(found, id, &bytes, log.cursor)?;
                    if bytes.iter().any(|byte| *byte != 0) {
                        let records = None;
                        self.report.cut =
                            Some(TailCut { file: self.path(id), offset: 0, from: log.cursor.next, records });
                    }
                    break;
                }
            }
            let ended = self.read_segment(found, id, &bytes, &mut log)?;
            if ended {
                break;
            }
        }
        if log.cursor.next < self.from {
            let what = "the log ends before the recovery point";
            return Err(self.damaged(start, 0, what, Some((log.cursor.next, self.from))));
        }
        log.report = self.report;
        Ok(log)
    }

    fn read(&self, found: &Found, id: u32) -> Result<Vec<u8>, OpenError> {
        let path = self.path(id);
        read_all(found.segment.file.as_ref()).map_err(|source| OpenError::Io { what: "read", path, source })
    }

    /// Reads one segment to its end. `true` when that is the end of the log.
    fn read_segment(
        &mut self,
        found: &BTreeMap<u32, Found>,
        id: u32,
        bytes: &[u8],
        log: &mut Log,
    ) -> Result<bool, OpenError> {
        let mut scan = Scan::new(id, bytes, log.cursor);
        let end = loop {
            match scan.next() {
                Ok(batch) => {
                    if batch.header.form == BatchForm::Gap {
                        self.report.lost.push((batch.header.first, scan.cursor.next));
                    }
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
        log.active = Some((id, scan.offset(), bytes.len()));
        let (offset, what, proof) = match end {
            End::Clean { .. } => return Ok(false),
            End::Broken { offset, what, proof } => (offset, what, proof),
        };
        if let Some(proof) = proof {
            return Err(self.damaged(id, offset, what, Some((log.cursor.next, proof))));
        }
        let next = found.get(&(id + 1)).and_then(|next| next.header);
        if next.is_some_and(|next| continues(next, log.cursor)) {
            // The next segment goes on exactly here: what follows in this one was never part of the log.
            self.report.dirty_room.push(self.path(id));
            return Ok(false);
        }
        if let Some(later) = later_header(found, id) {
            return Err(self.damaged(id, offset, what, Some((log.cursor.next, later.first))));
        }
        let header = BatchHeader::decode(&bytes[offset..]).map(|(header, _)| header);
        let records = header.filter(|header| header.number == log.cursor.number).map(|header| header.count);
        self.report.cut = Some(TailCut { file: self.path(id), offset: offset as u64, from: log.cursor.next, records });
        log.is_dirty = true;
        Ok(true)
    }

    /// A segment without a header is the tail only if nothing in it, or behind it, was written later.
    fn check_tail(&self, found: &BTreeMap<u32, Found>, id: u32, bytes: &[u8], cursor: Cursor) -> Result<(), OpenError> {
        let inside = Scan::new(id, bytes, cursor).proof();
        let later = inside.or_else(|| later_header(found, id).map(|header| header.first));
        match later {
            Some(later) => Err(self.damaged(id, 0, "the segment's header is damaged", Some((cursor.next, later)))),
            None => Ok(()),
        }
    }

    /// There is no segment to begin with: a new journal, or the loss of its beginning.
    fn begin_empty(mut self, found: &BTreeMap<u32, Found>) -> Result<Log, OpenError> {
        if let Some((id, header)) = found.iter().find_map(|(id, found)| Some((*id, found.header?))) {
            return Err(self.damaged(id, 0, "the segments before it are missing", Some((self.from, header.first))));
        }
        if self.from > Seq::FIRST {
            return Err(self.damaged(1, 0, "no segment holds the record that recovery begins with", None));
        }
        for (id, segment) in found {
            let bytes = self.read(segment, *id)?;
            self.check_tail(found, *id, &bytes, START)?;
            if self.report.cut.is_none() && bytes.iter().any(|byte| *byte != 0) {
                self.report.cut = Some(TailCut { file: self.path(*id), offset: 0, from: Seq::FIRST, records: None });
            }
        }
        Ok(Log { cursor: START, is_unproven: false, active: None, is_dirty: false, report: self.report })
    }
}

fn continues(header: SegmentHeader, cursor: Cursor) -> bool {
    header.first == cursor.next && header.number == cursor.number && header.previous == cursor.previous
}

/// The header of a later segment: something was written behind the place where the log stands.
fn later_header(found: &BTreeMap<u32, Found>, id: u32) -> Option<SegmentHeader> {
    found.range(id.saturating_add(1)..).find_map(|(_, found)| found.header)
}
