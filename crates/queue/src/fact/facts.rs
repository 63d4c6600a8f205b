//! The facts of one batch, on their way to where they are kept.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;

use super::Fact;
use crate::Content;
use crate::codec::{Broken, Reader, Writer};
use crate::item::Place;

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
    Bytes(Bytes),
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
            tail => Pending::Bytes(tail.payload()),
        })
    }

    /// Records a fact; gives where its document is until it is kept.
    pub(crate) fn push(&mut self, fact: &Fact, tail: Tail) -> Place {
        let start = self.heads.len();
        let mut scratch = std::mem::take(&mut self.heads);
        // The length of the fact stands first, in four bytes: behind it the document begins.
        scratch.extend_from_slice(&[0; 4]);
        fact.write(&mut Writer(&mut scratch));
        let len = u32::try_from(scratch.len() - start - 4).unwrap_or(u32::MAX);
        scratch[start..start + 4].copy_from_slice(&len.to_le_bytes());
        if let Tail::Content(content) = &tail {
            content.write_head(&mut Writer(&mut scratch));
        }
        self.heads = scratch;
        let slot = match fact {
            Fact::Item { slot, .. } | Fact::Relocated { slot, .. } => Some(*slot),
            _ => None,
        };
        let slot = slot.filter(|_| !matches!(tail, Tail::None));
        self.records.push(Entry { kind: fact.kind(), head: start..self.heads.len(), tail, slot });
        Place::pending(u32::try_from(self.records.len() - 1).unwrap_or(u32::MAX - 1))
    }

    /// The fact of a record's body.
    pub(crate) fn fact_of(kind: u8, body: &[u8]) -> Result<Fact, Broken> {
        let (fact, _) = split(body)?;
        Fact::read(kind, fact)
    }

    /// The document of a record's body.
    pub fn document_of(body: &Bytes) -> Result<Bytes, Broken> {
        split(body).map(|(_, document)| body.slice_ref(document))
    }
}

/// A document that is not kept yet.
#[derive(Debug, Clone, Copy)]
pub enum Pending<'f> {
    Content(&'f Arc<Content>),
    Bytes(&'f [u8]),
}

impl Tail {
    fn payload(&self) -> &[u8] {
        match self {
            Self::None => &[],
            Self::Content(content) => &content.payload,
            Self::Bytes(bytes) => bytes,
        }
    }

    fn content(&self) -> Option<&Arc<Content>> {
        match self {
            Self::Content(content) => Some(content),
            Self::None | Self::Bytes(_) => None,
        }
    }
}

fn split(body: &[u8]) -> Result<(&[u8], &[u8]), Broken> {
    let mut reader = Reader::new(body);
    let len = u32::from_le_bytes(reader.array()?);
    let fact = reader.take(len as usize)?;
    Ok((fact, reader.rest()))
}
