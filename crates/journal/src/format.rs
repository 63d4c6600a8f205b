//! The bytes on disk. `docs/journal-format.md` describes them; what is written here is read for ever.
//!
//! All numbers are little endian. Batches and records begin at multiples of eight, so that a search for
//! the next readable batch has few places to look at.

use crc32c::{crc32c, crc32c_append};

use crate::Seq;

/// Raised when a reader of the old format could misread the new one.
pub(crate) const VERSION: u16 = 1;
pub(crate) const ALIGNMENT: usize = 8;

/// No journal comes near this number of records or batches; a header that does is no header. Counting on
/// from a smaller one cannot overflow.
const NUMBERS_END: u64 = 1 << 62;

const SEGMENT_MAGIC: u32 = u32::from_le_bytes(*b"RDSG");
const BATCH_MAGIC: u32 = u32::from_le_bytes(*b"RDBT");

pub(crate) const SEGMENT_HEADER: usize = 40;
pub(crate) const BATCH_HEADER: usize = BATCH_HEADER_LEN as usize;
pub(crate) const RECORD_HEADER: usize = RECORD_HEADER_LEN as usize;
/// The same as the length of a part of a segment, which is never longer than 32 bits can say.
pub(crate) const BATCH_HEADER_LEN: u32 = 48;
pub(crate) const RECORD_HEADER_LEN: u32 = 20;

/// The room that a record with this body takes.
pub(crate) const fn record_len(body: usize) -> usize {
    (RECORD_HEADER + body).next_multiple_of(ALIGNMENT)
}

/// What begins a segment: where it continues the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SegmentHeader {
    pub(crate) id: u32,
    /// The sequence number of its first record.
    pub(crate) first: Seq,
    /// The number of its first batch.
    pub(crate) number: u64,
    /// The checksum of the batch before, in the segment before.
    pub(crate) previous: u32,
    /// How long the segment's file is, header and unused room included.
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

    /// `Ok(None)` where no segment begins; an error for a version that this program does not know.
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

/// What begins a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BatchHeader {
    /// The bytes of all records.
    pub(crate) len: u32,
    pub(crate) count: u32,
    /// The sequence number of the first record, or of the next one in a batch without records.
    pub(crate) first: Seq,
    /// Batches are numbered, and one is written only after the one before was synced: a batch proves all
    /// before it.
    pub(crate) number: u64,
    /// The checksum of the batch before.
    pub(crate) previous: u32,
    /// Over the checksums of the records, in order.
    pub(crate) records: u32,
    pub(crate) segment: u32,
}

impl BatchHeader {
    /// The header's bytes, whose checksum is the batch's: it covers the records through theirs.
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

    /// The header that begins here, with the batch's checksum.
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

/// What begins a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RecordHeader {
    pub(crate) len: u32,
    pub(crate) seq: Seq,
    pub(crate) kind: u8,
}

impl RecordHeader {
    /// Writes the header of a record whose body has this checksum; gives the record's.
    pub(crate) fn seal(self, header: &mut [u8; RECORD_HEADER], body: u32) -> u32 {
        put(header, 4, self.len);
        put_u64(header, 8, self.seq.0);
        header[16..].copy_from_slice(&[self.kind, 0, 0, 0]);
        let checksum = crc32c_append(body, &header[4..]);
        put(header, 0, checksum);
        checksum
    }

    /// What the header says that begins here, whether or not it is one.
    pub(crate) fn peek(bytes: &[u8]) -> Option<Self> {
        let head = bytes.get(..RECORD_HEADER)?;
        Some(Self { len: get(head, 4), seq: Seq(get_u64(head, 8)), kind: head[16] })
    }

    /// The record that begins here, with its body and its checksum; `None` where it is damaged or cut.
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

/// Whether two checksums are the same.
pub(crate) fn agree(one: u32, other: u32) -> bool {
    #[cfg(test)]
    if crate::tests::Sabotage::SkipChecksums.is_on() {
        return true;
    }
    one == other
}

/// The checksum of a batch's records: over their checksums, one after the other.
pub(crate) fn chain(checksums: u32, next: u32) -> u32 {
    crc32c_append(checksums, &next.to_le_bytes())
}

/// What a recovery point says: where reading begins, and a note of the caller's.
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

    /// `Ok(None)` where the bytes are damaged; an error for a version that this program does not know.
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
