//! Reading the batches of a segment in order, and distinguishing the end of the log from damage.

use crate::format::{self, ALIGNMENT, BATCH_HEADER, BatchHeader, RecordHeader, SEGMENT_HEADER, record_len};
use crate::{Location, Record, Seq};

/// The position in the log: what the header of the next batch must contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cursor {
    pub(crate) next: Seq,
    /// The number of the next batch.
    pub(crate) number: u64,
    pub(crate) previous: u32,
}

/// Why the scan of a segment ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// Only zeros follow.
    Clean { offset: usize },
    /// Bytes follow that are not the next batch. `proof` is the first record of a later batch, if there is one: its
    /// presence proves that the broken batch was synced.
    Broken { offset: usize, what: &'static str, proof: Option<Seq> },
}

/// A batch that was read and verified.
#[derive(Debug)]
pub(crate) struct ReadBatch<'s> {
    pub(crate) header: BatchHeader,
    pub(crate) segment: u32,
    bytes: &'s [u8],
    offset: usize,
}

impl<'s> ReadBatch<'s> {
    /// The records, in order. All of them were verified before.
    pub(crate) fn records(&self) -> impl Iterator<Item = Record<'s>> {
        let (bytes, segment) = (self.bytes, self.segment);
        let mut at = self.offset;
        (0..self.header.count).map_while(move |_| {
            let (header, body, _) = RecordHeader::open(&bytes[at..])?;
            let location = Location { segment, offset: u32::try_from(at).ok()?, len: header.len };
            at += record_len(body.len());
            Some(Record { seq: header.seq, kind: header.kind, body, location })
        })
    }
}

/// Iterates over the batches of one segment, starting after its header.
#[derive(Debug)]
pub(crate) struct Scan<'s> {
    segment: u32,
    bytes: &'s [u8],
    offset: usize,
    pub(crate) cursor: Cursor,
}

impl<'s> Scan<'s> {
    pub(crate) fn new(segment: u32, bytes: &'s [u8], cursor: Cursor) -> Self {
        Self { segment, bytes, offset: SEGMENT_HEADER, cursor }
    }

    pub(crate) fn offset(&self) -> usize {
        self.offset
    }

    /// The next batch, or why there is none.
    pub(crate) fn next(&mut self) -> Result<ReadBatch<'s>, End> {
        match self.read(self.offset) {
            Ok((header, checksum)) => {
                let offset = self.offset + BATCH_HEADER;
                self.offset = offset + header.len as usize;
                self.cursor = Cursor {
                    next: Seq(header.first.0.saturating_add(u64::from(header.count))),
                    number: header.number.saturating_add(1),
                    previous: checksum,
                };
                Ok(ReadBatch { header, segment: self.segment, bytes: self.bytes, offset })
            }
            Err(what) => Err(self.end(what)),
        }
    }

    /// Reads and verifies the batch at an offset: its header, its position in the log, each of its records.
    fn read(&self, offset: usize) -> Result<(BatchHeader, u32), &'static str> {
        let bytes = self.bytes.get(offset..).unwrap_or_default();
        let (header, checksum) = BatchHeader::decode(bytes).ok_or("no batch begins here")?;
        if header.segment != self.segment {
            return Err("the batch belongs to another segment");
        }
        if header.number != self.cursor.number
            || header.first != self.cursor.next
            || header.previous != self.cursor.previous
        {
            return Err("the batch does not follow the one before it");
        }
        let records = bytes
            .get(BATCH_HEADER..BATCH_HEADER + header.len as usize)
            .ok_or("the batch is longer than its segment")?;
        if records_match(&header, records) { Ok((header, checksum)) } else { Err("a record of the batch is damaged") }
    }

    fn end(&self, what: &'static str) -> End {
        let rest = self.bytes.get(self.offset..).unwrap_or_default();
        if rest.iter().all(|byte| *byte == 0) {
            return End::Clean { offset: self.offset };
        }
        End::Broken { offset: self.offset, what, proof: self.proof() }
    }

    /// The first record of the next readable batch header in this segment after the current offset.
    pub(crate) fn proof(&self) -> Option<Seq> {
        self.headers_after(self.offset).map(|(_, header)| header.first).next()
    }

    /// The readable headers of later batches of this segment, with their offsets.
    fn headers_after(&self, offset: usize) -> impl Iterator<Item = (usize, BatchHeader)> {
        // If the header of the broken batch itself is intact, its records are not searched: their bodies may contain
        // bytes that look like a batch.
        let own = self.bytes.get(offset..).and_then(BatchHeader::decode).map(|(header, _)| header);
        let own = own.filter(|header| header.segment == self.segment && header.number == self.cursor.number);
        let first = offset + BATCH_HEADER + own.map_or(0, |header| header.len as usize);
        (first.next_multiple_of(ALIGNMENT)..self.bytes.len()).step_by(ALIGNMENT).filter_map(|at| {
            let (header, _) = BatchHeader::decode(&self.bytes[at..])?;
            let is_later = header.segment == self.segment
                && header.number > self.cursor.number
                && header.first >= self.cursor.next;
            is_later.then_some((at, header))
        })
    }

    /// Continues after damage, at the next batch that is fully readable. Returns its offset and its first record.
    pub(crate) fn skip_damage(&mut self) -> Option<(usize, Seq)> {
        let found = self.headers_after(self.offset).find_map(|(at, header)| {
            let cursor = Cursor { next: header.first, number: header.number, previous: header.previous };
            let probe = Scan { cursor, ..*self };
            probe.read(at).is_ok().then_some((at, cursor))
        });
        let (at, cursor) = found?;
        self.offset = at;
        self.cursor = cursor;
        Some((at, cursor.next))
    }
}

fn records_match(header: &BatchHeader, mut records: &[u8]) -> bool {
    let mut checksum = 0;
    let mut seq = header.first.0;
    for _ in 0..header.count {
        let Some((record, body, own)) = RecordHeader::open(records) else { return false };
        if record.seq != Seq(seq) {
            return false;
        }
        checksum = format::chain(checksum, own);
        seq = seq.saturating_add(1);
        let Some(rest) = records.get(record_len(body.len())..) else { return false };
        records = rest;
    }
    records.is_empty() && format::agree(checksum, header.records)
}
