//! The facts of one batch, on their way to where they are kept.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use redrive_model::{Content, CorruptRecord, DocumentRef, Item, LetterHeader, RecordReader, RecordWriter};

use super::Fact;
use super::form::{images_kind, is_filed, write_images};

/// Behind its length in so many bytes, a record's fact begins.
const FACT: usize = 4;

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
    /// A content whose papers stand before it in the head.
    Filed(Arc<Content>),
    Bytes(Bytes),
}

/// What a record keeps for its item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptDocuments {
    pub document: Bytes,
    /// Where the document is a content, the papers that came with it.
    pub papers: Option<LetterHeader>,
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
                let (context, attempt) = papers(&mut RecordReader::new(rest)).ok()?;
                let [context, attempt] = [context, attempt].map(Bytes::copy_from_slice);
                Pending::Filed(LetterHeader { context, attempt }, content)
            }
            Tail::Bytes(bytes) => {
                let fact = self.heads[entry.head.clone()].get(FACT..).unwrap_or_default();
                // What an operation hands over to be written again was read before: it is whole.
                Pending::Kept(KeptDocuments::of(bytes, bytes, is_filed(entry.kind, fact)).ok()?)
            }
            Tail::None => Pending::Kept(KeptDocuments { document: Bytes::new(), papers: None }),
        })
    }

    /// Records a fact; gives where its document is until it is kept.
    pub(crate) fn push(&mut self, fact: &Fact, tail: Tail) -> DocumentRef {
        let start = self.write(|writer| fact.write(writer));
        if let Tail::Content(content) = &tail {
            content.write_head(&mut RecordWriter(&mut self.heads));
        }
        self.end(start, fact, tail)
    }

    /// The same with a letter's content and its papers.
    pub(crate) fn push_filed(&mut self, fact: &Fact, papers: &LetterHeader, content: Arc<Content>) -> DocumentRef {
        let start = self.write(|writer| fact.write(writer));
        let mut writer = RecordWriter(&mut self.heads);
        writer.bytes(&papers.context);
        writer.bytes(&papers.attempt);
        content.write_head(&mut RecordWriter(&mut self.heads));
        self.end(start, fact, Tail::Filed(content))
    }

    /// Records what items are, without a copy of each.
    pub(crate) fn push_images(&mut self, items: &[(u32, &Item)]) {
        let start = self.write(|writer| write_images(writer, items));
        let kind = images_kind(items.iter().map(|(_, item)| *item));
        self.records.push(Entry { kind, head: start..self.heads.len(), tail: Tail::None, slot: None });
    }

    /// Writes a fact; gives where its record begins.
    fn write(&mut self, write: impl FnOnce(&mut RecordWriter<'_>)) -> usize {
        let start = self.heads.len();
        // The length of the fact stands first, in four bytes: behind it the document begins.
        self.heads.extend_from_slice(&[0; FACT]);
        write(&mut RecordWriter(&mut self.heads));
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

    /// What a record keeps for its item.
    pub fn kept_in(kind: u8, body: &Bytes) -> Result<KeptDocuments, CorruptRecord> {
        let (fact, rest) = split(body)?;
        KeptDocuments::of(body, rest, is_filed(kind, fact))
    }

    /// The content that a record keeps for its item. Of the body, only what is the content's own is shared.
    pub fn content_in(kind: u8, body: &Bytes) -> Result<Content, CorruptRecord> {
        let (fact, rest) = split(body)?;
        let mut reader = RecordReader::new(rest);
        if is_filed(kind, fact) {
            papers(&mut reader)?;
        }
        Content::read_part(body, reader.rest())
    }

    /// All that a record keeps for its item, as it stands there; and whether papers come first.
    pub(crate) fn whole_of(kind: u8, body: &Bytes) -> Result<(Bytes, bool), CorruptRecord> {
        split(body).map(|(fact, rest)| (body.slice_ref(rest), is_filed(kind, fact)))
    }
}

impl KeptDocuments {
    /// What stands in a part of these bytes.
    fn of(bytes: &Bytes, part: &[u8], is_filed: bool) -> Result<Self, CorruptRecord> {
        let mut reader = RecordReader::new(part);
        let papers = if is_filed {
            let (context, attempt) = papers(&mut reader)?;
            Some(LetterHeader { context: bytes.slice_ref(context), attempt: bytes.slice_ref(attempt) })
        } else {
            None
        };
        Ok(Self { document: bytes.slice_ref(reader.rest()), papers })
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

/// The papers that stand before a content.
fn papers<'b>(reader: &mut RecordReader<'b>) -> Result<(&'b [u8], &'b [u8]), CorruptRecord> {
    Ok((reader.bytes()?, reader.bytes()?))
}

fn split(body: &[u8]) -> Result<(&[u8], &[u8]), CorruptRecord> {
    let mut reader = RecordReader::new(body);
    let len = u32::from_le_bytes(reader.array()?);
    let fact = reader.take(len as usize)?;
    Ok((fact, reader.rest()))
}
