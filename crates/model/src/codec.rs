//! Numbers and texts as bytes.
//!
//! Small numbers take one byte, texts carry their length. What a record means is in `fact`; the layout of
//! each is in `docs/store-format.md`.

use redrive_core::Time;

/// A record that cannot be understood: written by a newer version, or not by us.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a record cannot be understood: {0}")]
pub struct CorruptRecord(pub &'static str);

/// Appends to a buffer.
#[derive(Debug)]
pub struct RecordWriter<'b>(pub &'b mut Vec<u8>);

impl RecordWriter<'_> {
    pub fn u8(&mut self, value: u8) {
        self.0.push(value);
    }

    pub fn flag(&mut self, value: bool) {
        self.u8(u8::from(value));
    }

    /// Seven bits a byte, the lowest first; the eighth says that more follow.
    pub fn u64(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push((value & 0x7F) as u8 | 0x80);
            value >>= 7;
        }
        self.0.push((value & 0x7F) as u8);
    }

    pub fn u32(&mut self, value: u32) {
        self.u64(u64::from(value));
    }

    /// As a whole: times are large numbers, and a fixed length is shorter for them.
    pub fn time(&mut self, time: Time) {
        self.0.extend_from_slice(&time.as_micros().to_le_bytes());
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        self.u64(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    pub fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    pub fn exactly(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    /// A value that may be missing: whether it is there, then the value.
    pub fn maybe<T>(&mut self, value: Option<T>, write: impl FnOnce(&mut Self, T)) {
        self.flag(value.is_some());
        if let Some(value) = value {
            write(self, value);
        }
    }
}

/// Takes from the front of a buffer.
#[derive(Debug, Clone)]
pub struct RecordReader<'b> {
    rest: &'b [u8],
}

impl<'b> RecordReader<'b> {
    pub const fn new(bytes: &'b [u8]) -> Self {
        Self { rest: bytes }
    }

    pub const fn rest(&self) -> &'b [u8] {
        self.rest
    }

    pub const fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    pub fn take(&mut self, len: usize) -> Result<&'b [u8], CorruptRecord> {
        let (taken, rest) = self.rest.split_at_checked(len).ok_or(CorruptRecord("it ends too early"))?;
        self.rest = rest;
        Ok(taken)
    }

    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], CorruptRecord> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    pub fn u8(&mut self) -> Result<u8, CorruptRecord> {
        self.array::<1>().map(|[byte]| byte)
    }

    pub fn flag(&mut self) -> Result<bool, CorruptRecord> {
        match self.u8()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(CorruptRecord("a flag is neither 0 nor 1")),
        }
    }

    pub fn u64(&mut self) -> Result<u64, CorruptRecord> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.u8()?;
            let bits = u64::from(byte & 0x7F);
            if shift == 63 && bits > 1 {
                break;
            }
            value |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(CorruptRecord("a number is too long"))
    }

    pub fn u32(&mut self) -> Result<u32, CorruptRecord> {
        u32::try_from(self.u64()?).map_err(|_| CorruptRecord("a number is too large"))
    }

    pub fn time(&mut self) -> Result<Time, CorruptRecord> {
        Ok(Time::from_micros(i64::from_le_bytes(self.array()?)))
    }

    pub fn bytes(&mut self) -> Result<&'b [u8], CorruptRecord> {
        let len = usize::try_from(self.u64()?).map_err(|_| CorruptRecord("a text is too long"))?;
        self.take(len)
    }

    pub fn text(&mut self) -> Result<&'b str, CorruptRecord> {
        std::str::from_utf8(self.bytes()?).map_err(|_| CorruptRecord("a text is not UTF-8"))
    }

    pub fn maybe<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, CorruptRecord>,
    ) -> Result<Option<T>, CorruptRecord> {
        if self.flag()? { read(self).map(Some) } else { Ok(None) }
    }

    /// A member of a closed set, by its position: sets only grow at their end.
    pub fn member<T: Copy>(&mut self, all: &[T]) -> Result<T, CorruptRecord> {
        let position = usize::from(self.u8()?);
        all.get(position).copied().ok_or(CorruptRecord("a name is unknown"))
    }
}
