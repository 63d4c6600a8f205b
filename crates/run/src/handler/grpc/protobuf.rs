//! The wire format of protocol buffers, read field by field.
//!
//! Four small messages are read, whose fields are older than most compilers: no generated code for that.

/// The value of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Value<'m> {
    Number(u64),
    Bytes(&'m [u8]),
}

/// The fields of a message, in order. It ends early where the message is not one.
#[derive(Debug, Clone, Copy)]
pub(super) struct ProtobufFields<'m> {
    rest: &'m [u8],
}

impl<'m> ProtobufFields<'m> {
    pub(super) const fn of(message: &'m [u8]) -> Self {
        Self { rest: message }
    }

    /// The last value of a field: that one counts, where it comes more than once.
    pub(super) fn last(self, number: u64) -> Option<Value<'m>> {
        self.filter(|(field, _)| *field == number).last().map(|(_, value)| value)
    }

    fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let (byte, rest) = self.rest.split_first()?;
            self.rest = rest;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    fn bytes(&mut self, length: u64) -> Option<&'m [u8]> {
        let (bytes, rest) = self.rest.split_at_checked(usize::try_from(length).ok()?)?;
        self.rest = rest;
        Some(bytes)
    }
}

impl<'m> Iterator for ProtobufFields<'m> {
    type Item = (u64, Value<'m>);

    fn next(&mut self) -> Option<Self::Item> {
        let tag = self.number()?;
        let value = match tag & 7 {
            0 => Value::Number(self.number()?),
            1 => Value::Bytes(self.bytes(8)?),
            2 => {
                let length = self.number()?;
                Value::Bytes(self.bytes(length)?)
            }
            5 => Value::Bytes(self.bytes(4)?),
            // Groups, which nobody has used for twenty years, and what is no field.
            _ => return None,
        };
        Some((tag >> 3, value))
    }
}

#[cfg(test)]
mod tests {
    use super::{ProtobufFields, Value};

    #[test]
    fn every_kind_of_field_is_read() {
        let message = b"\x08\x96\x01\x12\x02hi\x1d\x01\x02\x03\x04\x21\x01\x02\x03\x04\x05\x06\x07\x08";
        let fields: Vec<_> = ProtobufFields::of(message).collect();
        assert_eq!(
            fields,
            [
                (1, Value::Number(150)),
                (2, Value::Bytes(b"hi")),
                (3, Value::Bytes(&[1, 2, 3, 4])),
                (4, Value::Bytes(&[1, 2, 3, 4, 5, 6, 7, 8])),
            ]
        );
    }

    #[test]
    fn a_message_that_is_cut_or_is_none_ends_early() {
        let message = b"\x08\x96\x01\x12\x02hi";
        for length in 0..message.len() {
            assert!(ProtobufFields::of(&message[..length]).count() < 2);
        }
        assert_eq!(ProtobufFields::of(&[0xff; 64]).count(), 0, "a number without an end");
        assert_eq!(
            ProtobufFields::of(b"\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01hi").count(),
            0,
            "longer than there is"
        );
        assert_eq!(ProtobufFields::of(b"\x0b\x0c").count(), 0, "a group");
    }
}
