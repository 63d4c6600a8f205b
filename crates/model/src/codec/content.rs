//! The encoding of a content: a message with its length before it, then the payload up to the end.

use bytes::Bytes;

use super::{CorruptRecord, FieldReader, FieldWriter, read_fields};
use crate::{Content, Header};

impl Content {
    /// Writes everything except the payload, which follows.
    pub fn write_head(&self, writer: &mut FieldWriter<'_>) {
        writer.sized(|writer| {
            writer.text(1, &self.kind);
            writer.text(2, &self.encoding);
            writer.text(3, &self.reference);
            if let Some(key) = &self.key {
                writer.present_bytes(4, key);
            }
            for header in &self.headers {
                writer.message(5, |writer| {
                    writer.text(1, &header.name);
                    writer.present_bytes(2, &header.value);
                });
            }
        });
    }

    /// Decodes the content of a document. The payload is not copied.
    pub fn read(document: &Bytes) -> Result<Self, CorruptRecord> {
        Self::read_part(document, document)
    }

    /// Decodes a content from a part of the document.
    pub fn read_part(document: &Bytes, part: &[u8]) -> Result<Self, CorruptRecord> {
        let mut reader = FieldReader::new(part);
        let mut head = FieldReader::new(reader.sized()?);
        let mut content = Self { payload: document.slice_ref(reader.rest()), ..Self::default() };
        read_fields!(head, value => {
            1 => content.kind = value.text()?.to_owned(),
            2 => content.encoding = value.text()?.to_owned(),
            3 => content.reference = value.text()?.to_owned(),
            4 => content.key = Some(document.slice_ref(value.bytes()?)),
            5 => content.headers.push(read_header(document, value.message()?)?),
        });
        Ok(content)
    }
}

fn read_header(document: &Bytes, mut reader: FieldReader<'_>) -> Result<Header, CorruptRecord> {
    let mut header = Header { name: String::new(), value: Bytes::new() };
    read_fields!(reader, value => {
        1 => header.name = value.text()?.to_owned(),
        2 => header.value = document.slice_ref(value.bytes()?),
    });
    Ok(header)
}
