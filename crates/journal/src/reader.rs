//! Reading records by location, from any thread, while the owner of the journal appends batches and drops segments.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::Range;
use std::sync::{Arc, PoisonError, RwLock};

use bytes::Bytes;

use crate::disk::{read_all, read_part};
use crate::format::{RECORD_HEADER_LEN, RecordHeader, SegmentHeader};
use crate::scan::{Cursor, End, Scan};
use crate::segment::Segment;
use crate::{Location, Options, OwnedRecord, ReadError, Record};

pub(crate) type Segments = Arc<RwLock<BTreeMap<u32, Arc<Segment>>>>;

/// Reads records. A read that is under way when its segment is dropped still completes.
#[derive(Debug, Clone)]
pub struct Reader {
    pub(crate) segments: Segments,
}

/// The largest gap between two requested records that are read with one system call, and the largest such read. A
/// system call costs more than reading a few pages. The records of one read share its buffer, so a single
/// record that is kept retains at most `READ_BYTES_MAX` bytes.
const GAP_BYTES_MAX: u32 = 4 * 1024;
const READ_BYTES_MAX: u32 = 128 * 1024;

impl Reader {
    /// Reads and verifies the record at a location.
    pub fn read(&self, location: Location) -> Result<OwnedRecord, ReadError> {
        let records = self.read_many(&[location])?;
        let damaged = ReadError::Damaged { segment: location.segment, offset: location.offset };
        records.into_iter().next().ok_or(damaged)
    }

    /// Reads and verifies the records at these locations, and returns them in the same order. Neighbouring records are
    /// read with one system call.
    pub fn read_many(&self, locations: &[Location]) -> Result<Vec<OwnedRecord>, ReadError> {
        let mut records = Vec::with_capacity(locations.len());
        let mut rest = locations;
        while let Some(first) = rest.first() {
            let (run, bytes) = run_of_neighbours(rest);
            let segment = self.segment(first.segment)?;
            let start = bytes.start;
            let read = read_range(&segment, bytes)?;
            let requested: usize = rest[..run].iter().map(|location| location.len as usize).sum();
            let is_sparse = requested < read.len() / 2;
            for location in &rest[..run] {
                let record = open(&read, start, *location)?;
                // If the buffer is mostly gaps, the bodies are copied out, so that records do not retain it.
                let body = if is_sparse { Bytes::copy_from_slice(&record.body) } else { record.body };
                records.push(OwnedRecord { body, ..record });
            }
            rest = &rest[run..];
        }
        Ok(records)
    }

    /// A reader restricted to the segments of these locations. They stay readable through it after they are dropped.
    pub fn pinned(&self, locations: impl IntoIterator<Item = Location>) -> Result<Self, ReadError> {
        let mut pinned = BTreeMap::new();
        for location in locations {
            if let Entry::Vacant(entry) = pinned.entry(location.segment) {
                entry.insert(self.segment(location.segment)?);
            }
        }
        Ok(Self { segments: Arc::new(RwLock::new(pinned)) })
    }

    /// Passes every record written to a segment to `visit`, in order. The whole segment is read into memory at once.
    pub fn walk(&self, segment: u32, mut visit: impl FnMut(Record<'_>)) -> Result<(), ReadError> {
        let file = self.segment(segment)?;
        let damaged = |offset: usize| ReadError::Damaged { segment, offset: u32::try_from(offset).unwrap_or(u32::MAX) };
        let mut bytes = Vec::new();
        read_all(file.file.as_ref(), Options::SEGMENT_BYTES_MAX, &mut bytes)
            .map_err(|source| ReadError::Io { segment, source })?;
        let header = SegmentHeader::decode(&bytes).ok().flatten().ok_or(damaged(0))?;
        let cursor = Cursor { next: header.first, number: header.number, previous: header.previous };
        let mut scan = Scan::new(segment, &bytes, cursor);
        loop {
            match scan.next() {
                Ok(batch) => batch.records().for_each(&mut visit),
                Err(End::Broken { offset, proof: Some(_), .. }) => return Err(damaged(offset)),
                // The end of the written part, or a batch that is being written concurrently.
                Err(End::Clean { .. } | End::Broken { proof: None, .. }) => return Ok(()),
            }
        }
    }

    fn segment(&self, id: u32) -> Result<Arc<Segment>, ReadError> {
        let segments = self.segments.read().unwrap_or_else(PoisonError::into_inner);
        segments.get(&id).cloned().ok_or(ReadError::Dropped { segment: id })
    }
}

/// How many of the first locations are read with one system call, and the byte range of that read.
fn run_of_neighbours(locations: &[Location]) -> (usize, Range<u32>) {
    let range = |location: &Location| {
        let end = location.offset.saturating_add(RECORD_HEADER_LEN).saturating_add(location.len);
        location.offset..end
    };
    let mut all = locations.first().map_or(0..0, range);
    let mut count = locations.len().min(1);
    for pair in locations.windows(2) {
        let next = range(&pair[1]);
        let is_near = pair[0].segment == pair[1].segment
            && next.start >= all.end
            && next.start - all.end <= GAP_BYTES_MAX
            && next.end - all.start <= READ_BYTES_MAX;
        if !is_near {
            break;
        }
        all.end = next.end;
        count += 1;
    }
    (count, all)
}

fn read_range(segment: &Segment, bytes: Range<u32>) -> Result<Bytes, ReadError> {
    let failed = |source| ReadError::Io { segment: segment.id, source };
    let (start, mut len) = (u64::from(bytes.start), u64::from(bytes.end - bytes.start));
    // An invalid location may have a length beyond the end of the file: no buffer is allocated for that.
    if len > u64::from(READ_BYTES_MAX) {
        len = len.min(segment.file.size().map_err(failed)?.saturating_sub(start));
    }
    let mut buffer = Vec::new();
    read_part(segment.file.as_ref(), start, usize::try_from(len).unwrap_or(0), &mut buffer).map_err(failed)?;
    Ok(Bytes::from(buffer))
}

fn open(buffer: &Bytes, start: u32, location: Location) -> Result<OwnedRecord, ReadError> {
    let at = (location.offset - start) as usize;
    let found = buffer.get(at..).and_then(RecordHeader::open).filter(|(header, ..)| header.len == location.len);
    let (header, body, _) = found.ok_or(ReadError::Damaged { segment: location.segment, offset: location.offset })?;
    Ok(OwnedRecord { seq: header.seq, kind: header.kind, body: buffer.slice_ref(body) })
}
