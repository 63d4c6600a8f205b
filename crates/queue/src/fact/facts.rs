//! The facts of one batch.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use redrive_model::codec::{FieldReader, FieldWriter, StoreFormat};
use redrive_model::{Content, CorruptRecord, DocumentRef, Item, LetterHeader};

use super::Fact;
use super::checkpoint_form::write_images;
use super::form::{IMAGES, is_filed, slot_of};

/// The size of the length before the fact of a record.
const FACT: usize = 4;
const ENDS_EARLY: CorruptRecord = CorruptRecord::new("it ends too early");

/// The facts that operations recorded, in order. The store writes them as one unit, and then passes the places of the
/// documents to the state: [`State::kept`](crate::State::kept).
#[derive(Debug, Default)]
pub struct Facts {
    records: Vec<Entry>,
    /// The heads of all records, concatenated.
    heads: Vec<u8>,
}

#[derive(Debug)]
struct Entry {
    kind: u8,
    head: Range<usize>,
    tail: Tail,
    slot: Option<u32>,
}

/// The part of a record that is not copied.
#[derive(Debug, Clone)]
pub(crate) enum Tail {
    None,
    Content(Arc<Content>),
    /// A content with the header of its letter, which is in the head.
    Filed(Arc<Content>),
    Bytes(Bytes),
}

/// The documents in a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptDocuments {
    pub document: Bytes,
    /// The header of the letter, if the document is the first content of a captured letter.
    pub header: Option<LetterHeader>,
}

/// One record.
#[derive(Debug, Clone, Copy)]
pub struct Recorded<'f> {
    pub kind: u8,
    /// The first part of the body; the payload follows.
    pub head: &'f [u8],
    pub payload: &'f [u8],
    /// The content in the record, for caches.
    pub content: Option<&'f Arc<Content>>,
    /// The slot of the item that the record's document belongs to.
    pub slot: Option<u32>,
}

impl Facts {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// The size of all bodies.
    pub fn bytes(&self) -> usize {
        self.heads.len() + self.records.iter().map(|entry| entry.tail.payload().len()).sum::<usize>()
    }

    /// Removes all records and keeps the allocated memory.
    pub fn clear(&mut self) {
        self.records.clear();
        self.heads.clear();
    }

    pub fn iter(&self) -> impl ExactSizeIterator<Item = Recorded<'_>> {
        self.records.iter().map(|entry| Recorded {
            kind: entry.kind,
            head: &self.heads[entry.head.clone()],
            payload: entry.tail.payload(),
            content: entry.tail.content(),
            slot: entry.slot,
        })
    }

    /// The document of a record that is not stored yet.
    pub fn document(&self, record: usize) -> Option<Pending<'_>> {
        let entry = self.records.get(record)?;
        Some(match &entry.tail {
            Tail::Content(content) => Pending::Content(content),
            Tail::Filed(content) => {
                let (_, rest) = split(&self.heads[entry.head.clone()]).ok()?;
                let (context, attempt) = header(&mut FieldReader::new(rest)).ok()?;
                let [context, attempt] = [context, attempt].map(Bytes::copy_from_slice);
                Pending::Filed(LetterHeader { context, attempt }, content)
            }
            Tail::Bytes(bytes) => {
                let fact = self.heads[entry.head.clone()].get(FACT..).unwrap_or_default();
                // A document that is written again was read before, so it is well-formed.
                Pending::Kept(KeptDocuments::of(bytes, bytes, is_filed(entry.kind, fact)).ok()?)
            }
            Tail::None => Pending::Kept(KeptDocuments { document: Bytes::new(), header: None }),
        })
    }

    /// The first record of a new store: its format.
    pub fn of_new_store() -> Self {
        let mut facts = Self::default();
        facts.push(&Fact::Format(StoreFormat::default()), Tail::None);
        facts
    }

    /// Records a fact. Returns the pending place of its document.
    pub(crate) fn push(&mut self, fact: &Fact, tail: Tail) -> DocumentRef {
        let start = self.write(|writer| fact.write(writer));
        if let Tail::Content(content) = &tail {
            content.write_head(&mut FieldWriter(&mut self.heads));
        }
        self.end(start, fact, tail)
    }

    /// Records a fact with the header and the content of a letter. Returns the pending place of the documents.
    pub(crate) fn push_filed(&mut self, fact: &Fact, header: &LetterHeader, content: Arc<Content>) -> DocumentRef {
        let start = self.write(|writer| fact.write(writer));
        let mut writer = FieldWriter(&mut self.heads);
        for document in [&header.context, &header.attempt] {
            writer.varint(document.len() as u64);
            writer.0.extend_from_slice(document);
        }
        content.write_head(&mut writer);
        self.end(start, fact, Tail::Filed(content))
    }

    /// Records images of items without copying them.
    pub(crate) fn push_images(&mut self, items: &[(u32, &Item)]) {
        let start = self.write(|writer| write_images(writer, items));
        self.records.push(Entry { kind: IMAGES, head: start..self.heads.len(), tail: Tail::None, slot: None });
    }

    /// Writes a fact. Returns the start of its record.
    fn write(&mut self, write: impl FnOnce(&mut FieldWriter<'_>)) -> usize {
        let start = self.heads.len();
        // The length of the fact comes first, in four bytes: the document follows the fact.
        self.heads.extend_from_slice(&[0; FACT]);
        write(&mut FieldWriter(&mut self.heads));
        let len = u32::try_from(self.heads.len() - start - FACT).unwrap_or(u32::MAX);
        self.heads[start..start + FACT].copy_from_slice(&len.to_le_bytes());
        start
    }

    fn end(&mut self, start: usize, fact: &Fact, tail: Tail) -> DocumentRef {
        let slot = match fact {
            Fact::Item { slot, .. } | Fact::Document { slot, .. } | Fact::Relocated { slot, .. } => Some(*slot),
            _ => None,
        };
        let slot = slot.filter(|_| !matches!(tail, Tail::None));
        self.records.push(Entry { kind: fact.kind(), head: start..self.heads.len(), tail, slot });
        DocumentRef::pending(u32::try_from(self.records.len() - 1).unwrap_or(u32::MAX - 1))
    }

    /// Decodes the fact in the body of a record.
    pub(crate) fn fact_of(kind: u8, body: &[u8]) -> Result<Fact, CorruptRecord> {
        let (fact, _) = split(body)?;
        Fact::read(kind, fact)
    }

    /// The slot of the item that a record's document belongs to, if the record has one.
    pub(crate) fn slot_of(kind: u8, body: &[u8]) -> Option<u32> {
        split(body).ok().and_then(|(fact, _)| slot_of(kind, fact))
    }

    /// The documents in a record.
    pub fn kept_in(kind: u8, body: &Bytes) -> Result<KeptDocuments, CorruptRecord> {
        let (fact, rest) = split(body)?;
        KeptDocuments::of(body, rest, is_filed(kind, fact))
    }

    /// Decodes the content in a record. It shares only its own part of the body.
    pub fn content_in(kind: u8, body: &Bytes) -> Result<Content, CorruptRecord> {
        let (fact, rest) = split(body)?;
        let mut reader = FieldReader::new(rest);
        if is_filed(kind, fact) {
            header(&mut reader)?;
        }
        Content::read_part(body, reader.rest())
    }

    /// The encoded documents of a record, and whether they begin with the header of a letter.
    pub(crate) fn whole_of(kind: u8, body: &Bytes) -> Result<(Bytes, bool), CorruptRecord> {
        split(body).map(|(fact, rest)| (body.slice_ref(rest), is_filed(kind, fact)))
    }
}

impl KeptDocuments {
    /// Decodes the documents in a part of these bytes.
    fn of(bytes: &Bytes, part: &[u8], is_filed: bool) -> Result<Self, CorruptRecord> {
        let mut reader = FieldReader::new(part);
        let header = if is_filed {
            let (context, attempt) = header(&mut reader)?;
            Some(LetterHeader { context: bytes.slice_ref(context), attempt: bytes.slice_ref(attempt) })
        } else {
            None
        };
        Ok(Self { document: bytes.slice_ref(reader.rest()), header })
    }
}

/// A document that is not stored yet.
#[derive(Debug, Clone)]
pub enum Pending<'f> {
    Content(&'f Arc<Content>),
    Filed(LetterHeader, &'f Arc<Content>),
    Kept(KeptDocuments),
}

impl Tail {
    fn payload(&self) -> &[u8] {
        match self {
            Self::None => &[],
            Self::Content(content) | Self::Filed(content) => &content.payload,
            Self::Bytes(bytes) => bytes,
        }
    }

    fn content(&self) -> Option<&Arc<Content>> {
        match self {
            Self::Content(content) | Self::Filed(content) => Some(content),
            Self::None | Self::Bytes(_) => None,
        }
    }
}

/// Reads the header of a letter before a content: the capture context and the record of the first attempt.
fn header<'b>(reader: &mut FieldReader<'b>) -> Result<(&'b [u8], &'b [u8]), CorruptRecord> {
    Ok((reader.sized()?, reader.sized()?))
}

/// Splits the body of a record into the fact and the document after it.
fn split(body: &[u8]) -> Result<(&[u8], &[u8]), CorruptRecord> {
    let (len, rest) = body.split_first_chunk::<FACT>().ok_or(ENDS_EARLY)?;
    rest.split_at_checked(u32::from_le_bytes(*len) as usize).ok_or(ENDS_EARLY)
}
