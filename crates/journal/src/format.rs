//! The on-disk format, described in `docs/journal-format.md`. Every later version must be able to read it.
//!
//! All numbers are little endian. Batches and records are aligned to eight bytes, which keeps the search for
//! the next readable batch short.

use crc32c::{crc32c, crc32c_append};

use crate::Seq;

/// The format version. Increased when a reader of the old format could misread the new one.
pub(crate) const VERSION: u16 = 1;
pub(crate) const ALIGNMENT: usize = 8;

/// The exclusive upper limit of record and batch numbers. A header with a larger number is invalid; below the limit,
/// arithmetic on numbers cannot overflow. No real journal reaches it.
const NUMBERS_END: u64 = 1 << 62;

const SEGMENT_MAGIC: u32 = u32::from_le_bytes(*b"RDSG");
const BATCH_MAGIC: u32 = u32::from_le_bytes(*b"RDBT");

pub(crate) const SEGMENT_HEADER: usize = 40;
pub(crate) const BATCH_HEADER: usize = BATCH_HEADER_LEN as usize;
pub(crate) const RECORD_HEADER: usize = RECORD_HEADER_LEN as usize;
/// The header lengths as `u32`, the type of lengths and offsets within a segment.
pub(crate) const BATCH_HEADER_LEN: u32 = 48;
pub(crate) const RECORD_HEADER_LEN: u32 = 20;

/// The size on disk of a record with a body of this length.
pub(crate) const fn record_len(body: usize) -> usize {
    (RECORD_HEADER + body).next_multiple_of(ALIGNMENT)
}

/// The header of a segment: where in the log the segment begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SegmentHeader {
    pub(crate) id: u32,
    /// The sequence number of its first record.
    pub(crate) first: Seq,
    /// The number of its first batch.
    pub(crate) number: u64,
    /// The checksum of the last batch of the previous segment.
    pub(crate) previous: u32,
    /// The length of the segment file, including header and unused space.
    pub(crate) len: u32,
}

impl SegmentHeader {
    pub(crate) fn encode(self) -> [u8; SEGMENT_HEADER] {
        let mut bytes = [0; SEGMENT_HEADER];
        put(&mut bytes, 0, SEGMENT_MAGIC);
        bytes[8..10].copy_from_slice(&VERSION.to_le_bytes());
        put(&mut bytes, 12, self.id);
        put_u64(&mut bytes, 16, self.first.0);
        put(&mut bytes, 24, self.previous);
        put(&mut bytes, 28, self.len);
        put_u64(&mut bytes, 32, self.number);
        let checksum = crc32c(&bytes[8..]);
        put(&mut bytes, 4, checksum);
        bytes
    }

    /// `Ok(None)` if the bytes are not a segment header; an error with the version if that is unsupported.
    pub(crate) fn decode(bytes: &[u8]) -> Result<Option<Self>, u16> {
        let Some(bytes) = bytes.get(..SEGMENT_HEADER) else { return Ok(None) };
        if get(bytes, 0) != SEGMENT_MAGIC || !is_checksum_of(get(bytes, 4), &bytes[8..]) {
            return Ok(None);
        }
        let version = u16::from_le_bytes([bytes[8], bytes[9]]);
        if version != VERSION {
            return Err(version);
        }
        let header = Self {
            id: get(bytes, 12),
            first: Seq(get_u64(bytes, 16)),
            number: get_u64(bytes, 32),
            previous: get(bytes, 24),
            len: get(bytes, 28),
        };
        Ok((header.first.0 < NUMBERS_END && header.number < NUMBERS_END).then_some(header))
    }
}

/// The header of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BatchHeader {
    /// The size of all records in bytes.
    pub(crate) len: u32,
    pub(crate) count: u32,
    /// The sequence number of the first record; of the next record, if the batch has none.
    pub(crate) first: Seq,
    /// The number of the batch. A batch is written only after the previous one was synced, so its presence proves
    /// that all earlier batches were synced.
    pub(crate) number: u64,
    /// The checksum of the previous batch.
    pub(crate) previous: u32,
    /// The checksum over the checksums of the records, in order.
    pub(crate) records: u32,
    pub(crate) segment: u32,
}

impl BatchHeader {
    /// Encodes the header. Its checksum is the checksum of the batch: it covers the records through theirs.
    pub(crate) fn encode(self) -> [u8; BATCH_HEADER] {
        let mut bytes = [0; BATCH_HEADER];
        put(&mut bytes, 0, BATCH_MAGIC);
        put(&mut bytes, 8, self.len);
        put(&mut bytes, 12, self.count);
        put_u64(&mut bytes, 16, self.first.0);
        put_u64(&mut bytes, 24, self.number);
        put(&mut bytes, 32, self.previous);
        put(&mut bytes, 36, self.records);
        put(&mut bytes, 40, self.segment);
        let checksum = crc32c(&bytes[8..]);
        put(&mut bytes, 4, checksum);
        bytes
    }

    /// The header at the start of `bytes`, with the checksum of the batch.
    pub(crate) fn decode(bytes: &[u8]) -> Option<(Self, u32)> {
        let bytes = bytes.get(..BATCH_HEADER)?;
        let checksum = get(bytes, 4);
        if get(bytes, 0) != BATCH_MAGIC || !is_checksum_of(checksum, &bytes[8..]) {
            return None;
        }
        let header = Self {
            len: get(bytes, 8),
            count: get(bytes, 12),
            first: Seq(get_u64(bytes, 16)),
            number: get_u64(bytes, 24),
            previous: get(bytes, 32),
            records: get(bytes, 36),
            segment: get(bytes, 40),
        };
        (header.first.0 < NUMBERS_END && header.number < NUMBERS_END).then_some((header, checksum))
    }
}

/// The header of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RecordHeader {
    pub(crate) len: u32,
    pub(crate) seq: Seq,
    pub(crate) kind: u8,
}

impl RecordHeader {
    /// Writes the header of a record whose body has the checksum `body`, and returns the checksum of the record.
    pub(crate) fn seal(self, header: &mut [u8; RECORD_HEADER], body: u32) -> u32 {
        put(header, 4, self.len);
        put_u64(header, 8, self.seq.0);
        header[16..].copy_from_slice(&[self.kind, 0, 0, 0]);
        let checksum = crc32c_append(body, &header[4..]);
        put(header, 0, checksum);
        checksum
    }

    /// Decodes the header at the start of `bytes` without verifying the checksum.
    pub(crate) fn peek(bytes: &[u8]) -> Option<Self> {
        let head = bytes.get(..RECORD_HEADER)?;
        Some(Self { len: get(head, 4), seq: Seq(get_u64(head, 8)), kind: head[16] })
    }

    /// The record at the start of `bytes`: header, body and checksum. `None` if it is damaged or truncated.
    pub(crate) fn open(bytes: &[u8]) -> Option<(Self, &[u8], u32)> {
        let header = Self::peek(bytes)?;
        let (head, rest) = bytes.split_at_checked(RECORD_HEADER)?;
        let body = rest.get(..header.len as usize)?;
        let checksum = get(head, 0);
        let found = crc32c_append(crc32c(body), &head[4..]);
        agree(checksum, found).then_some((header, body, checksum))
    }
}

fn is_checksum_of(checksum: u32, bytes: &[u8]) -> bool {
    agree(checksum, crc32c(bytes))
}

/// Whether two checksums are equal. Tests can switch the check off.
pub(crate) fn agree(one: u32, other: u32) -> bool {
    #[cfg(test)]
    if crate::tests::Sabotage::SkipChecksums.is_on() {
        return true;
    }
    one == other
}

/// Extends the checksum of a batch's records by the checksum of the next record.
pub(crate) fn chain(checksums: u32, next: u32) -> u32 {
    crc32c_append(checksums, &next.to_le_bytes())
}

/// The content of a recovery point file: the record at which reading begins, and the caller's note.
pub(crate) struct PointFile;

impl PointFile {
    const MAGIC: u32 = u32::from_le_bytes(*b"RDPT");
    const HEADER: usize = 24;

    pub(crate) fn encode(from: Seq, note: &[u8]) -> Vec<u8> {
        let mut bytes = vec![0; Self::HEADER];
        put(&mut bytes, 0, Self::MAGIC);
        bytes[8..10].copy_from_slice(&VERSION.to_le_bytes());
        put_u64(&mut bytes, 16, from.0);
        bytes.extend_from_slice(note);
        let checksum = crc32c(&bytes[8..]);
        put(&mut bytes, 4, checksum);
        bytes
    }

    /// `Ok(None)` if the bytes are damaged; an error with the version if that is unsupported.
    pub(crate) fn decode(bytes: &[u8]) -> Result<Option<(Seq, &[u8])>, u16> {
        let Some(header) = bytes.get(..Self::HEADER) else { return Ok(None) };
        if get(header, 0) != Self::MAGIC || !is_checksum_of(get(header, 4), &bytes[8..]) {
            return Ok(None);
        }
        match u16::from_le_bytes([header[8], header[9]]) {
            VERSION => Ok(Some((Seq(get_u64(header, 16)), &bytes[Self::HEADER..]))),
            newer => Err(newer),
        }
    }
}

fn put(bytes: &mut [u8], at: usize, value: u32) {
    bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
}

fn put_u64(bytes: &mut [u8], at: usize, value: u64) {
    bytes[at..at + 8].copy_from_slice(&value.to_le_bytes());
}

fn get(bytes: &[u8], at: usize) -> u32 {
    let mut four = [0; 4];
    four.copy_from_slice(&bytes[at..at + 4]);
    u32::from_le_bytes(four)
}

fn get_u64(bytes: &[u8], at: usize) -> u64 {
    let mut eight = [0; 8];
    eight.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(eight)
}
