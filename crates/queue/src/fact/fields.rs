//! Encodings shared by several messages.

use redrive_model::DocumentRef;
use redrive_model::codec::{CorruptRecord, FieldReader, FieldValue, FieldWriter};

pub(super) const MALFORMED_LIST: CorruptRecord = CorruptRecord::new("a list is malformed");

/// Reads a message of numbers in fields 1 to `N`; missing fields are 0.
pub(super) fn numbers<const N: usize>(mut reader: FieldReader<'_>) -> Result<[u64; N], CorruptRecord> {
    let mut numbers = [0; N];
    while let Some((field, value)) = reader.field()? {
        let number = (field as usize).checked_sub(1).and_then(|at| numbers.get_mut(at));
        if let Some(number) = number {
            *number = value.uint()?;
        }
    }
    Ok(numbers)
}

pub(super) fn small(number: u64) -> Result<u32, CorruptRecord> {
    u32::try_from(number).map_err(|_| CorruptRecord::new("a number is too large"))
}

/// Reads the messages of the repeated field 1, in order.
pub(super) fn repeated<'b, T>(
    mut reader: FieldReader<'b>,
    mut read: impl FnMut(FieldReader<'b>) -> Result<T, CorruptRecord>,
) -> Result<Vec<T>, CorruptRecord> {
    let mut all = Vec::new();
    while let Some((number, value)) = reader.field()? {
        if number == 1 {
            all.push(read(value.message()?)?);
        }
    }
    Ok(all)
}

pub(super) fn write_slots(writer: &mut FieldWriter<'_>, field: u32, slots: &[u32]) {
    writer.packed(field, slots.iter().map(|slot| u64::from(*slot)));
}

pub(super) fn packed_slots(value: FieldValue<'_>) -> Result<Vec<u32>, CorruptRecord> {
    value.packed()?.into_iter().map(small).collect()
}

/// Reads the slots in a field.
pub(super) fn slots(mut reader: FieldReader<'_>, field: u32) -> Result<Vec<u32>, CorruptRecord> {
    let mut slots = Vec::new();
    while let Some((number, value)) = reader.field()? {
        if number == field {
            slots = packed_slots(value)?;
        }
    }
    Ok(slots)
}

pub(super) fn write_ref(writer: &mut FieldWriter<'_>, place: DocumentRef) {
    writer.u32(1, place.segment);
    writer.u32(2, place.offset);
    writer.u32(3, place.len);
}

pub(super) fn read_ref(reader: FieldReader<'_>) -> Result<DocumentRef, CorruptRecord> {
    let [segment, offset, len] = numbers(reader)?;
    Ok(DocumentRef { segment: small(segment)?, offset: small(offset)?, len: small(len)? })
}
