//! Encodes fields in the wire format of protobuf, directly from the types of the model.
//!
//! A field is a number and a value. Values that are zero, empty, `None` or [`Time::MAX`] are omitted. The messages are
//! defined in `proto/store/v1/records.proto`.

use redrive_core::Time;

/// Appends fields to a buffer.
#[derive(Debug)]
pub struct FieldWriter<'b>(pub &'b mut Vec<u8>);

const VARINT: u32 = 0;
const FIXED_64: u32 = 1;
const BYTES: u32 = 2;
const FIXED_32: u32 = 5;

impl FieldWriter<'_> {
    /// Seven bits per byte, the lowest first; the eighth bit is set if more bytes follow.
    pub fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push((value & 0x7F) as u8 | 0x80);
            value >>= 7;
        }
        self.0.push((value & 0x7F) as u8);
    }

    fn tag(&mut self, field: u32, wire: u32) {
        self.varint(u64::from(field << 3 | wire));
    }

    pub fn uint(&mut self, field: u32, value: u64) {
        if value != 0 {
            self.tag(field, VARINT);
            self.varint(value);
        }
    }

    pub fn u32(&mut self, field: u32, value: u32) {
        self.uint(field, u64::from(value));
    }

    pub fn flag(&mut self, field: u32, value: bool) {
        self.uint(field, u64::from(value));
    }

    pub fn fixed32(&mut self, field: u32, value: u32) {
        if value != 0 {
            self.tag(field, FIXED_32);
            self.0.extend_from_slice(&value.to_le_bytes());
        }
    }

    /// Microseconds since 1970. Times are large numbers, for which a fixed length is shorter.
    pub fn time(&mut self, field: u32, time: Time) {
        if time != Time::MAX {
            self.tag(field, FIXED_64);
            self.0.extend_from_slice(&time.as_micros().to_le_bytes());
        }
    }

    pub fn bytes(&mut self, field: u32, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.present_bytes(field, bytes);
        }
    }

    /// Bytes that are written even if they are empty.
    pub fn present_bytes(&mut self, field: u32, bytes: &[u8]) {
        self.tag(field, BYTES);
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    pub fn text(&mut self, field: u32, text: &str) {
        self.bytes(field, text.as_bytes());
    }

    /// A nested message, written even if it is empty.
    pub fn message(&mut self, field: u32, write: impl FnOnce(&mut FieldWriter<'_>)) {
        self.tag(field, BYTES);
        self.sized(write);
    }

    /// A sequence of numbers, including zeros.
    pub fn packed(&mut self, field: u32, numbers: impl ExactSizeIterator<Item = u64>) {
        if numbers.len() > 0 {
            self.message(field, |writer| numbers.for_each(|number| writer.varint(number)));
        }
    }

    /// Writes the length of what `write` writes, then its bytes.
    pub fn sized(&mut self, write: impl FnOnce(&mut FieldWriter<'_>)) {
        // One byte is reserved for the length, which is enough for most; a longer length moves the written bytes.
        let start = self.0.len();
        self.0.push(0);
        write(self);
        let end = self.0.len();
        let mut len = (end - start - 1) as u64;
        let more = len.checked_ilog2().map_or(0, |bits| bits as usize / 7);
        if more > 0 {
            self.0.resize(end + more, 0);
            self.0.copy_within(start + 1..end, start + 1 + more);
        }
        for byte in &mut self.0[start..start + more] {
            *byte = (len & 0x7F) as u8 | 0x80;
            len >>= 7;
        }
        self.0[start + more] = (len & 0x7F) as u8;
    }
}
