//! Decodes fields.

use redrive_core::Time;

use super::CorruptRecord;

/// Reads fields from the front of a buffer.
#[derive(Debug, Clone)]
pub struct FieldReader<'b> {
    rest: &'b [u8],
}

/// The value of a field.
#[derive(Debug, Clone, Copy)]
pub enum FieldValue<'b> {
    Varint(u64),
    Fixed64([u8; 8]),
    Fixed32([u8; 4]),
    Bytes(&'b [u8]),
}

/// Reads all fields of a message, by their numbers. Unknown fields are skipped.
#[macro_export]
macro_rules! read_fields {
    ($reader:ident, $value:ident => { $( $number:literal => $read:expr, )+ }) => {
        while let Some((number, $value)) = $reader.field()? {
            match number {
                $( $number => $read, )+
                _ => {}
            }
        }
    };
}

const ENDS_EARLY: CorruptRecord = CorruptRecord::new("it ends too early");
const WRONG_TYPE: CorruptRecord = CorruptRecord::new("a field has an unexpected type");

impl<'b> FieldReader<'b> {
    pub const fn new(bytes: &'b [u8]) -> Self {
        Self { rest: bytes }
    }

    pub const fn rest(&self) -> &'b [u8] {
        self.rest
    }

    fn take(&mut self, len: usize) -> Result<&'b [u8], CorruptRecord> {
        let (taken, rest) = self.rest.split_at_checked(len).ok_or(ENDS_EARLY)?;
        self.rest = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], CorruptRecord> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    pub fn varint(&mut self) -> Result<u64, CorruptRecord> {
        // Fast path: most numbers are small.
        if let [byte @ ..0x80, rest @ ..] = self.rest {
            self.rest = rest;
            return Ok(u64::from(*byte));
        }
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let [byte] = self.array()?;
            let bits = u64::from(byte & 0x7F);
            if shift == 63 && bits > 1 {
                break;
            }
            value |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(CorruptRecord::new("a number is too long"))
    }

    /// Reads a length and that many bytes.
    pub fn sized(&mut self) -> Result<&'b [u8], CorruptRecord> {
        let len = usize::try_from(self.varint()?).map_err(|_| ENDS_EARLY)?;
        self.take(len)
    }

    /// The next field and its number; `None` at the end.
    pub fn field(&mut self) -> Result<Option<(u32, FieldValue<'b>)>, CorruptRecord> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let tag = u32::try_from(self.varint()?).map_err(|_| CorruptRecord::new("a field has no valid number"))?;
        let value = match tag & 7 {
            0 => FieldValue::Varint(self.varint()?),
            1 => FieldValue::Fixed64(self.array()?),
            2 => FieldValue::Bytes(self.sized()?),
            5 => FieldValue::Fixed32(self.array()?),
            _ => return Err(CorruptRecord::new("a field has an unknown type")),
        };
        Ok(Some((tag >> 3, value)))
    }
}

impl<'b> FieldValue<'b> {
    pub fn uint(self) -> Result<u64, CorruptRecord> {
        match self {
            Self::Varint(value) => Ok(value),
            _ => Err(WRONG_TYPE),
        }
    }

    pub fn u32(self) -> Result<u32, CorruptRecord> {
        u32::try_from(self.uint()?).map_err(|_| CorruptRecord::new("a number is too large"))
    }

    pub fn flag(self) -> Result<bool, CorruptRecord> {
        self.uint().map(|value| value != 0)
    }

    pub fn fixed32(self) -> Result<u32, CorruptRecord> {
        match self {
            Self::Fixed32(bytes) => Ok(u32::from_le_bytes(bytes)),
            _ => Err(WRONG_TYPE),
        }
    }

    pub fn time(self) -> Result<Time, CorruptRecord> {
        match self {
            Self::Fixed64(bytes) => Ok(Time::from_micros(i64::from_le_bytes(bytes))),
            _ => Err(WRONG_TYPE),
        }
    }

    pub fn bytes(self) -> Result<&'b [u8], CorruptRecord> {
        match self {
            Self::Bytes(bytes) => Ok(bytes),
            _ => Err(WRONG_TYPE),
        }
    }

    pub fn array<const N: usize>(self) -> Result<[u8; N], CorruptRecord> {
        self.bytes()?.try_into().map_err(|_| CorruptRecord::new("a field has an unexpected length"))
    }

    pub fn text(self) -> Result<&'b str, CorruptRecord> {
        std::str::from_utf8(self.bytes()?).map_err(|_| CorruptRecord::new("a text is not UTF-8"))
    }

    pub fn message(self) -> Result<FieldReader<'b>, CorruptRecord> {
        self.bytes().map(FieldReader::new)
    }

    /// A sequence of numbers.
    pub fn packed(self) -> Result<Vec<u64>, CorruptRecord> {
        let mut reader = self.message()?;
        let mut numbers = Vec::with_capacity(reader.rest().len());
        while !reader.rest().is_empty() {
            numbers.push(reader.varint()?);
        }
        Ok(numbers)
    }

    /// A member of a closed set, by its position: new members are only appended to sets.
    pub fn member<T: Copy>(self, all: &[T]) -> Result<T, CorruptRecord> {
        let position = usize::try_from(self.uint()?).unwrap_or(usize::MAX);
        all.get(position).copied().ok_or(CorruptRecord::new("a name is unknown"))
    }
}
