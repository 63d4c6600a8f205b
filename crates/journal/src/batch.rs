//! A batch of records to be appended.
//!
//! A batch is one buffer, laid out as it will be written: space for every header is left free while bodies are
//! pushed, so that appending copies nothing and is one system call.

use crc32c::crc32c_append;

use crate::format::{self, BATCH_HEADER, BATCH_HEADER_LEN, RECORD_HEADER, RecordHeader, SEGMENT_HEADER, record_len};
use crate::{Location, Seq};

/// Records that are written atomically: after a crash all of them are present, or none.
#[derive(Debug, Clone)]
pub struct Batch {
    /// Space for a segment header, space for the batch header, then the records.
    bytes: Vec<u8>,
    records: Vec<Pending>,
}

#[derive(Debug, Clone, Copy)]
struct Pending {
    offset: u32,
    len: u32,
    kind: u8,
    /// The checksum of the body, computed while the body is in the CPU cache.
    body: u32,
}

/// Where the records begin in the buffer.
const HEAD: usize = SEGMENT_HEADER + BATCH_HEADER;

impl Default for Batch {
    fn default() -> Self {
        Self::new()
    }
}

impl Batch {
    /// The maximum length of a record's body.
    pub const BODY_BYTES_MAX: usize = 256 << 20;

    pub fn new() -> Self {
        Self { bytes: vec![0; HEAD], records: Vec::new() }
    }

    /// Adds a record whose body is the concatenation of the parts. Returns its index in the batch.
    ///
    /// Fails if the body exceeds [`Batch::BODY_BYTES_MAX`]; the batch is then unchanged.
    pub fn push(&mut self, kind: u8, body: &[&[u8]]) -> Result<usize, BodyTooLong> {
        let len: usize = body.iter().map(|part| part.len()).sum();
        let too_long = || BodyTooLong { len };
        if len > Self::BODY_BYTES_MAX {
            return Err(too_long());
        }
        let offset = u32::try_from(self.bytes.len() - HEAD).map_err(|_| too_long())?;
        let len_on_disk = u32::try_from(len).map_err(|_| too_long())?;
        self.bytes.reserve(record_len(len));
        self.bytes.extend_from_slice(&[0; RECORD_HEADER]);
        let mut checksum = 0;
        for part in body {
            checksum = crc32c_append(checksum, part);
            self.bytes.extend_from_slice(part);
        }
        self.bytes.resize(HEAD + offset as usize + record_len(len), 0);
        self.records.push(Pending { offset, len: len_on_disk, kind, body: checksum });
        Ok(self.records.len() - 1)
    }

    pub fn len(&self) -> usize {
        self.records.len()
    }

    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The size of the batch in a segment, including its header.
    pub fn bytes_on_disk(&self) -> usize {
        self.bytes.len() - SEGMENT_HEADER
    }

    /// Removes all records and keeps the allocated memory.
    pub fn clear(&mut self) {
        self.bytes.truncate(HEAD);
        self.records.clear();
    }

    /// Numbers the records from `first` on, writes their headers, and returns the checksum over all of them.
    pub(crate) fn seal(&mut self, first: Seq) -> u32 {
        let mut checksum = 0;
        for (record, seq) in self.records.iter().zip(first.0..) {
            let start = HEAD + record.offset as usize;
            let header = RecordHeader { len: record.len, seq: Seq(seq), kind: record.kind };
            if let Some(room) = self.bytes[start..].first_chunk_mut() {
                checksum = format::chain(checksum, header.seal(room, record.body));
            }
        }
        checksum
    }

    /// The size of the records, without the headers of segment and batch.
    pub(crate) fn records_len(&self) -> usize {
        self.bytes.len() - HEAD
    }

    pub(crate) fn set_header(&mut self, header: &[u8; BATCH_HEADER]) {
        self.bytes[SEGMENT_HEADER..HEAD].copy_from_slice(header);
    }

    /// The bytes to write when the batch follows another one in its segment.
    pub(crate) fn sealed(&self) -> &[u8] {
        &self.bytes[SEGMENT_HEADER..]
    }

    /// The bytes to write when the batch is the first of a segment.
    pub(crate) fn sealed_with_segment(&mut self, header: &[u8; SEGMENT_HEADER]) -> &[u8] {
        self.bytes[..SEGMENT_HEADER].copy_from_slice(header);
        &self.bytes
    }

    /// The locations of the records once the batch is written at `offset` of a segment.
    pub(crate) fn locations(&self, segment: u32, offset: u32) -> impl Iterator<Item = Location> {
        self.records.iter().map(move |record| Location {
            segment,
            offset: offset + BATCH_HEADER_LEN + record.offset,
            len: record.len,
        })
    }
}

/// A record's body exceeds [`Batch::BODY_BYTES_MAX`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a record of {len} bytes is longer than the maximum of {} bytes", Batch::BODY_BYTES_MAX)]
pub struct BodyTooLong {
    pub len: usize,
}
