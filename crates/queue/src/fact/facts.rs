//! The facts of one batch, on their way to where they are kept.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use redrive_model::codec::{FieldReader, FieldWriter, StoreFormat};
use redrive_model::{Content, CorruptRecord, DocumentRef, Item, LetterHeader};

use super::Fact;
use super::checkpoint_form::write_images;
use super::form::{IMAGES, is_filed, slot_of};

/// Behind its length in so many bytes, a record's fact begins.
const FACT: usize = 4;
const ENDS_EARLY: CorruptRecord = CorruptRecord::new("it ends too early");

/// What operations recorded, in order. Whoever keeps them writes them as one unit, and then tells the state
/// where the documents are: [`State::kept`](crate::State::kept).
#[derive(Debug, Default)]
pub struct Facts {
    records: Vec<Entry>,
    /// The heads of all records, one after the other.
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
    /// A content whose letter's header stands before it in the head.
    Filed(Arc<Content>),
    Bytes(Bytes),
}

/// What a record keeps for its item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptDocuments {
    pub document: Bytes,
    /// Where the document is a letter's first content, the header that came with it.
    pub header: Option<LetterHeader>,
}

/// One record.
#[derive(Debug, Clone, Copy)]
pub struct Recorded<'f> {
    pub kind: u8,
    /// What comes first; the payload follows.
    pub head: &'f [u8],
    pub payload: &'f [u8],
    /// The content in the record, for whoever keeps it at hand.
    pub content: Option<&'f Arc<Content>>,
    /// The item that the record's document belongs to.
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

    /// The bytes of all bodies.
    pub fn bytes(&self) -> usize {
        self.heads.len() + self.records.iter().map(|entry| entry.tail.payload().len()).sum::<usize>()
    }

    /// Forgets everything and keeps the memory.
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

    /// The document of a record that is not kept yet.
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
                // What an operation hands over to be written again was read before: it is whole.
                Pending::Kept(KeptDocuments::of(bytes, bytes, is_filed(entry.kind, fact)).ok()?)
            }
            Tail::None => Pending::Kept(KeptDocuments { document: Bytes::new(), header: None }),
        })
    }

    /// The first record of a new store: what a reader must know to read it.
    pub fn of_new_store() -> Self {
        let mut facts = Self::default();
        facts.push(&Fact::Format(StoreFormat::default()), Tail::None);
        facts
    }

    /// Records a fact; gives where its document is until it is kept.
    pub(crate) fn push(&mut self, fact: &Fact, tail: Tail) -> DocumentRef {
        let start = self.write(|writer| fact.write(writer));
        if let Tail::Content(content) = &tail {
            content.write_head(&mut FieldWriter(&mut self.heads));
        }
        self.end(start, fact, tail)
    }

    /// The same with a letter's content behind its header.
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

    /// Records what items are, without a copy of each.
    pub(crate) fn push_images(&mut self, items: &[(u32, &Item)]) {
        let start = self.write(|writer| write_images(writer, items));
        self.records.push(Entry { kind: IMAGES, head: start..self.heads.len(), tail: Tail::None, slot: None });
    }

    /// Writes a fact; gives where its record begins.
    fn write(&mut self, write: impl FnOnce(&mut FieldWriter<'_>)) -> usize {
        let start = self.heads.len();
        // The length of the fact stands first, in four bytes: behind it the document begins.
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

    /// The fact of a record's body.
    pub(crate) fn fact_of(kind: u8, body: &[u8]) -> Result<Fact, CorruptRecord> {
        let (fact, _) = split(body)?;
        Fact::read(kind, fact)
    }

    /// The slot of the item that a record's document belongs to, if the record has one.
    pub(crate) fn slot_of(kind: u8, body: &[u8]) -> Option<u32> {
        split(body).ok().and_then(|(fact, _)| slot_of(kind, fact))
    }

    /// What a record keeps for its item.
    pub fn kept_in(kind: u8, body: &Bytes) -> Result<KeptDocuments, CorruptRecord> {
        let (fact, rest) = split(body)?;
        KeptDocuments::of(body, rest, is_filed(kind, fact))
    }

    /// The content that a record keeps for its item. Of the body, only what is the content's own is shared.
    pub fn content_in(kind: u8, body: &Bytes) -> Result<Content, CorruptRecord> {
        let (fact, rest) = split(body)?;
        let mut reader = FieldReader::new(rest);
        if is_filed(kind, fact) {
            header(&mut reader)?;
        }
        Content::read_part(body, reader.rest())
    }

    /// All that a record keeps for its item, as it stands there; and whether a letter's header comes first.
    pub(crate) fn whole_of(kind: u8, body: &Bytes) -> Result<(Bytes, bool), CorruptRecord> {
        split(body).map(|(fact, rest)| (body.slice_ref(rest), is_filed(kind, fact)))
    }
}

impl KeptDocuments {
    /// What stands in a part of these bytes.
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

/// A document that is not kept yet.
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

/// The letter's header before a content: its context, and the record of its first attempt.
fn header<'b>(reader: &mut FieldReader<'b>) -> Result<(&'b [u8], &'b [u8]), CorruptRecord> {
    Ok((reader.sized()?, reader.sized()?))
}

/// The fact of a record's body, and the document behind it.
fn split(body: &[u8]) -> Result<(&[u8], &[u8]), CorruptRecord> {
    let (len, rest) = body.split_first_chunk::<FACT>().ok_or(ENDS_EARLY)?;
    rest.split_at_checked(u32::from_le_bytes(*len) as usize).ok_or(ENDS_EARLY)
}
