//! Answers on their way: some still lack what is on disk.

use std::sync::Arc;

use bytes::Bytes;
use redrive_core::QueueName;
use redrive_journal::{Location, OwnedRecord, Reader};
use redrive_model::{
    Attempt, CaptureContext, ClaimDue, Claimed, Content, DeliveryContext, DocumentKind, DocumentRef, FeedChange,
    FeedPage, FullLetter, GetItem, GetLetter, ItemInfo, Lease, Leased, LetterHeader, LetterSettings, Parts,
    ReadChanges, StoredItem,
};
use redrive_queue::{Facts, KeptDocuments, LetterChange};
use redrive_store::{Op, Reply, StoreError};

use crate::documents::HeldDocument;

/// What the writer has to say to a request.
#[derive(Debug)]
pub(crate) enum Answer {
    Ready(Reply),
    /// Items whose documents may have to be read first.
    Items {
        entries: Vec<Entry>,
        shape: Shape,
    },
}

/// What becomes of the items of an answer.
#[derive(Debug)]
pub(crate) enum Shape {
    Items(fn(Vec<StoredItem>) -> Reply),
    Item,
    Leased {
        queue: QueueName,
        partition: u32,
    },
    Claimed {
        wrap: fn(Claimed) -> Reply,
        settings: Arc<LetterSettings>,
    },
    Letter,
    /// The items stand for the letters of this page, in order.
    Changes {
        changes: Vec<LetterChange>,
        position: u64,
        depth: usize,
    },
}

impl Shape {
    /// Letters that waited to become due.
    pub(crate) fn due_letters(settings: Arc<LetterSettings>) -> Self {
        Self::Claimed { wrap: ClaimDue::wrap, settings }
    }
}

/// An item, and where its documents are.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) info: ItemInfo,
    pub(crate) content: Held,
    pub(crate) documents: Vec<(DocumentKind, Held)>,
}

/// A document, or where it is.
#[derive(Debug, Clone)]
pub(crate) enum Held {
    Here(HeldDocument),
    At(DocumentRef),
}

/// Where a lease took how many items.
#[derive(Debug)]
pub(crate) struct LastLease {
    pub(crate) queue: QueueName,
    pub(crate) partition: u32,
    pub(crate) count: usize,
}

impl Answer {
    /// The reply to an operation.
    pub(crate) fn to<O: Op>(reply: O::Reply) -> Self {
        Self::Ready(O::wrap(reply))
    }

    /// Where it was leased from: what follows there will be asked for soon.
    pub(crate) fn leased_from(&self) -> Option<LastLease> {
        match self {
            Self::Items { shape: Shape::Leased { queue, partition }, entries } => {
                Some(LastLease { queue: queue.clone(), partition: *partition, count: entries.len() })
            }
            _ => None,
        }
    }

    /// The places that must be read first.
    pub(crate) fn missing(&self) -> Vec<Location> {
        let entries = match self {
            Self::Ready(_) => &[][..],
            Self::Items { entries, .. } => entries,
        };
        let helds = entries
            .iter()
            .flat_map(|entry| std::iter::once(&entry.content).chain(entry.documents.iter().map(|(_, held)| held)));
        let mut missing: Vec<Location> = helds.filter_map(Held::location).collect();
        // A content and its papers stand in one record.
        missing.dedup();
        missing
    }

    /// The reply, with what was missing read.
    pub(crate) fn finish(self, reader: Option<&Reader>) -> Result<Reply, StoreError> {
        let missing = self.missing();
        let records = match reader {
            _ if missing.is_empty() => Vec::new(),
            Some(reader) => reader.read_many(&missing).map_err(|error| StoreError::Unreadable(error.to_string()))?,
            None => return Err(StoreError::Unreadable("it is not there".to_owned())),
        };
        let mut records = Records { rest: records.into_iter(), last: None };
        match self {
            Self::Ready(reply) => Ok(reply),
            Self::Items { entries, shape } => {
                let letters = entries.into_iter().map(|entry| entry.read(&mut records));
                shape.reply(letters.collect::<Result<_, _>>()?)
            }
        }
    }
}

impl Shape {
    fn reply(self, letters: Vec<FullLetter>) -> Result<Reply, StoreError> {
        let mut letters = letters.into_iter();
        Ok(match self {
            Self::Items(wrap) => wrap(letters.map(stored).collect()),
            Self::Item => GetItem::wrap(stored(letters.next().ok_or(StoreError::WrongAnswer)?)),
            Self::Leased { partition, .. } => Lease::wrap(Leased { partition, items: letters.map(stored).collect() }),
            Self::Claimed { wrap, settings } => wrap(Claimed { letters: letters.map(stored).collect(), settings }),
            Self::Letter => GetLetter::wrap(letters.next().ok_or(StoreError::WrongAnswer)?),
            Self::Changes { changes, position, depth } => {
                let changes = changes.into_iter().map(|change| {
                    Ok(match change {
                        LetterChange::Now { queue, .. } => {
                            let letter = Box::new(letters.next().ok_or(StoreError::WrongAnswer)?);
                            FeedChange::Now { queue, letter }
                        }
                        LetterChange::Gone { queue, letter } => FeedChange::Gone { queue, letter },
                        LetterChange::QueueGone { queue } => FeedChange::QueueGone { queue },
                    })
                });
                let changes = changes.collect::<Result<_, StoreError>>()?;
                ReadChanges::wrap(FeedPage { changes, position, depth })
            }
        })
    }
}

/// The item, with what was read about it.
fn stored(letter: FullLetter) -> StoredItem {
    let FullLetter { info, content, context: capture, parts, .. } = letter;
    let has_context = capture.is_some() || parts.is_some();
    let context = has_context.then(|| Box::new(DeliveryContext { capture, parts }));
    StoredItem { info, content, context }
}

impl Entry {
    /// The item with its documents, taking from the records what was missing: in the order of [`Answer::missing`].
    fn read(self, records: &mut Records) -> Result<FullLetter, StoreError> {
        let content = self.content.document(records)?.content()?;
        let mut letter = FullLetter {
            info: self.info,
            content,
            context: None,
            attempts: Vec::new(),
            original: None,
            notes: Vec::new(),
            parts: None,
        };
        for (kind, held) in self.documents {
            let document = held.document(records)?;
            match kind {
                DocumentKind::Context => {
                    let context = document.header(|header| header.context);
                    letter.context = Some(CaptureContext::read(&context).map_err(unreadable)?);
                }
                DocumentKind::Attempt => {
                    let attempt = document.header(|header| header.attempt);
                    letter.attempts.push(Attempt::read(&attempt).map_err(unreadable)?);
                }
                DocumentKind::Original => letter.original = Some(document.content()?),
                DocumentKind::Note => letter.notes.push(document.bytes()),
                DocumentKind::Parts => letter.parts = Some(Parts::read(&document.bytes()).map_err(unreadable)?.0),
            }
        }
        Ok(letter)
    }
}

impl Held {
    fn location(&self) -> Option<Location> {
        match self {
            Self::Here(_) => None,
            Self::At(place) => Some(location(*place)),
        }
    }

    fn document(self, records: &mut Records) -> Result<HeldDocument, StoreError> {
        match self {
            Self::Here(document) => Ok(document),
            Self::At(place) => records.at(place).map(HeldDocument::Kept),
        }
    }
}

/// What was read, in the order in which it is asked for; what is asked for twice in a row was read once.
struct Records {
    rest: std::vec::IntoIter<OwnedRecord>,
    last: Option<(DocumentRef, KeptDocuments)>,
}

impl Records {
    fn at(&mut self, place: DocumentRef) -> Result<KeptDocuments, StoreError> {
        if let Some((_, kept)) = self.last.as_ref().filter(|(last, _)| *last == place) {
            return Ok(kept.clone());
        }
        let record = self.rest.next().ok_or(StoreError::WrongAnswer)?;
        let kept = Facts::kept_in(record.kind, &record.body).map_err(unreadable)?;
        self.last = Some((place, kept.clone()));
        Ok(kept)
    }
}

impl HeldDocument {
    fn content(self) -> Result<Arc<Content>, StoreError> {
        match self {
            Self::Content(content) | Self::Filed(_, content) => Ok(content),
            Self::Kept(kept) => Content::read(&kept.document).map(Arc::new).map_err(unreadable),
        }
    }

    /// A document of a header: it stands with a content, or for itself.
    fn header(self, which: impl FnOnce(LetterHeader) -> Bytes) -> Bytes {
        match self {
            Self::Filed(header, _) | Self::Kept(KeptDocuments { header: Some(header), .. }) => which(header),
            document => document.bytes(),
        }
    }

    /// The bytes of a document that is no content.
    fn bytes(self) -> Bytes {
        match self {
            Self::Kept(kept) => kept.document,
            Self::Content(_) | Self::Filed(..) => Bytes::new(),
        }
    }
}

pub(crate) const fn location(place: DocumentRef) -> Location {
    Location { segment: place.shelf, offset: place.offset, len: place.len }
}

pub(crate) const fn place(location: Location) -> DocumentRef {
    DocumentRef { shelf: location.segment, offset: location.offset, len: location.len }
}

fn unreadable(error: impl std::fmt::Display) -> StoreError {
    StoreError::Unreadable(error.to_string())
}
