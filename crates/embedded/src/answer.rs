//! Answers of the writer, which may still lack documents that must be read from disk.

use std::sync::Arc;

use bytes::Bytes;
use redrive_core::{ItemId, QueueName};
use redrive_journal::{Location, OwnedRecord, ReadError, Reader};
use redrive_model::{
    Attempt, CaptureContext, ClaimDue, Claimed, Content, DeliveryContext, DocumentKind, DocumentRef, FeedChange,
    FeedPage, FullLetter, GetItem, GetLetter, ItemInfo, ItemState, Lease, LeaseByMessageId, Leased, LetterHeader,
    LetterSettings, Parts, ReadChanges, StoredItem,
};
use redrive_queue::{Facts, KeptDocuments, LetterChange, SetAside};
use redrive_store::{Op, Reply, StoreError};

use crate::documents::LoadedDocument;

/// The writer's answer to a request.
#[derive(Debug)]
pub(crate) enum Answer {
    Ready(Reply),
    /// Items, some of whose documents may have to be read first.
    Items {
        entries: Vec<Entry>,
        shape: ReplyShape,
    },
}

/// The kind of reply that is built from the items of an answer.
#[derive(Debug)]
pub(crate) enum ReplyShape {
    Items(fn(Vec<StoredItem>) -> Reply),
    Item,
    Leased {
        queue: QueueName,
        partition: u32,
    },
    /// One leased item, or none.
    LeasedItem,
    Claimed {
        wrap: fn(Claimed) -> Reply,
        settings: Arc<LetterSettings>,
    },
    Letter,
    /// A page of the feed; the items are its changed letters, in order.
    Changes {
        changes: Vec<LetterChange>,
        position: u64,
        depth: usize,
    },
}

impl ReplyShape {
    /// The reply to a claim of due letters.
    pub(crate) fn due_letters(settings: Arc<LetterSettings>) -> Self {
        Self::Claimed { wrap: ClaimDue::wrap, settings }
    }
}

/// An item with the sources of its documents.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) info: ItemInfo,
    pub(crate) content: DocumentSource,
    pub(crate) documents: Vec<(DocumentKind, DocumentSource)>,
}

/// A loaded document, or its place on disk.
#[derive(Debug, Clone)]
pub(crate) enum DocumentSource {
    Loaded(LoadedDocument),
    OnDisk(DocumentRef),
}

/// The queue, the partition and the number of items of a lease.
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

    /// The source of the leased items, for reading ahead.
    pub(crate) fn leased_from(&self) -> Option<LastLease> {
        match self {
            Self::Items { shape: ReplyShape::Leased { queue, partition }, entries } => {
                Some(LastLease { queue: queue.clone(), partition: *partition, count: entries.len() })
            }
            _ => None,
        }
    }

    /// The locations that must be read first.
    pub(crate) fn missing(&self) -> Vec<Location> {
        let entries = match self {
            Self::Ready(_) => &[][..],
            Self::Items { entries, .. } => entries,
        };
        let sources = entries
            .iter()
            .flat_map(|entry| std::iter::once(&entry.content).chain(entry.documents.iter().map(|(_, source)| source)));
        let mut missing: Vec<Location> = sources.filter_map(DocumentSource::place).map(location).collect();
        // A content and the header of its letter may be in the same record.
        missing.dedup();
        missing
    }

    /// Reads the missing documents and returns the reply, together with the damaged documents that were found.
    pub(crate) fn finish(self, reader: Option<&Reader>) -> (Result<Reply, StoreError>, Vec<SetAside>) {
        let missing = self.missing();
        let (entries, shape) = match self {
            Self::Ready(reply) => return (Ok(reply), Vec::new()),
            Self::Items { entries, shape } => (entries, shape),
        };
        let records = match reader {
            _ if missing.is_empty() => Vec::new(),
            Some(reader) => read(reader, &missing),
            None => return (Err(StoreError::Unreadable("the document does not exist".to_owned())), Vec::new()),
        };
        let mut records = Records { rest: records.into_iter(), last: None };
        let mut items = Vec::with_capacity(entries.len());
        let (mut withheld, mut damages) = (Vec::new(), Vec::new());
        for entry in entries {
            let is_known = entry.info.state == ItemState::Damaged;
            let (item, unread) = entry.read(&mut records);
            let is_whole = unread.is_none();
            if let Some(Unread { place, what }) = unread.filter(|_| !is_known) {
                let id = item.letter.info.id;
                tracing::error!(item = %id, segment = place.segment, offset = place.offset, error = %what, "failed to read an item");
                if matches!(what, Unreadable::Damaged(_)) {
                    damages.push(SetAside { id, place, is_own_lease: shape.hands_out() });
                }
            }
            if is_whole || !shape.hands_out() {
                items.push(item);
            } else {
                withheld.push(item.letter.info.id);
            }
        }
        if items.is_empty() && !withheld.is_empty() {
            return (Err(StoreError::Damaged(withheld)), damages);
        }
        (shape.reply(items, withheld), damages)
    }
}

/// Reads the records at these locations. If that fails, each is read separately: damage to one must not affect the
/// others.
fn read(reader: &Reader, missing: &[Location]) -> Vec<Result<OwnedRecord, Unreadable>> {
    if let Ok(records) = reader.read_many(missing) {
        return records.into_iter().map(Ok).collect();
    }
    let alone = |location: &Location| match reader.read_many(std::slice::from_ref(location)) {
        Ok(mut records) => records.pop().ok_or_else(|| Unreadable::Transient("the document does not exist".to_owned())),
        Err(error @ ReadError::Damaged { .. }) => Err(Unreadable::Damaged(error.to_string())),
        Err(error @ (ReadError::Dropped { .. } | ReadError::Io { .. })) => {
            Err(Unreadable::Transient(error.to_string()))
        }
    };
    missing.iter().map(alone).collect()
}

impl ReplyShape {
    /// Whether the answer leases or claims its items.
    const fn hands_out(&self) -> bool {
        matches!(self, Self::Leased { .. } | Self::LeasedItem | Self::Claimed { .. })
    }

    fn reply(self, items: Vec<ReadItem>, damaged: Vec<ItemId>) -> Result<Reply, StoreError> {
        let mut items = items.into_iter();
        Ok(match self {
            Self::Items(wrap) => wrap(items.map(ReadItem::stored).collect()),
            Self::Item => GetItem::wrap(items.next().ok_or(StoreError::WrongAnswer)?.stored()),
            Self::Leased { partition, .. } => {
                Lease::wrap(Leased { partition, items: items.map(ReadItem::stored).collect(), damaged })
            }
            Self::LeasedItem => LeaseByMessageId::wrap(items.next().map(|item| Box::new(item.stored()))),
            Self::Claimed { wrap, settings } => {
                wrap(Claimed { letters: items.map(ReadItem::stored).collect(), settings })
            }
            Self::Letter => GetLetter::wrap(items.next().ok_or(StoreError::WrongAnswer)?.letter),
            Self::Changes { changes, position, depth } => {
                let changes = changes.into_iter().map(|change| {
                    Ok(match change {
                        LetterChange::Now { queue, .. } => {
                            let letter = Box::new(items.next().ok_or(StoreError::WrongAnswer)?.letter);
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

/// An item with its documents: those that a letter has, too, and the notes of earlier holders.
struct ReadItem {
    letter: FullLetter,
    error: Option<String>,
    verdict: Option<String>,
}

impl ReadItem {
    /// The item with its content and delivery context.
    fn stored(self) -> StoredItem {
        let Self { letter, error, verdict } = self;
        let FullLetter { info, content, context: capture, parts, .. } = letter;
        let context = DeliveryContext { capture, parts, error, verdict };
        let has_context = context != DeliveryContext::default();
        StoredItem { info, content, context: has_context.then(|| Box::new(context)) }
    }
}

impl Entry {
    /// The item with its documents. Missing ones are taken from `records`, in the order of [`Answer::missing`].
    /// Unreadable documents are omitted, and the first of them is returned.
    fn read(self, records: &mut Records) -> (ReadItem, Option<Unread>) {
        let mut unread = None;
        let letter = FullLetter {
            info: self.info,
            content: Arc::default(),
            context: None,
            attempts: Vec::new(),
            original: None,
            notes: Vec::new(),
            parts: None,
        };
        let mut item = ReadItem { letter, error: None, verdict: None };
        let documents = self.documents.into_iter().map(|(kind, source)| (Some(kind), source));
        for (kind, source) in std::iter::once((None, self.content)).chain(documents) {
            let place = source.place().unwrap_or(DocumentRef::NONE);
            let read = source.document(records).and_then(|document| attach(&mut item, kind, document));
            if let Err(what) = read {
                unread = unread.or(Some(Unread { place, what }));
            }
        }
        if unread.is_some() {
            item.letter.info.state = ItemState::Damaged;
        }
        (item, unread)
    }
}

/// Adds a document to the item. `None` is the kind of the content.
fn attach(item: &mut ReadItem, kind: Option<DocumentKind>, document: LoadedDocument) -> Result<(), Unreadable> {
    let letter = &mut item.letter;
    match kind {
        None => letter.content = document.content()?,
        Some(DocumentKind::Context) => {
            let context = document.header(|header| header.context);
            letter.context = Some(CaptureContext::read(&context).map_err(damaged)?);
        }
        Some(DocumentKind::Attempt) => {
            let attempt = document.header(|header| header.attempt);
            letter.attempts.push(Attempt::read(&attempt).map_err(damaged)?);
        }
        Some(DocumentKind::Original) => letter.original = Some(document.content()?),
        Some(DocumentKind::Note) => letter.notes.push(document.bytes()),
        Some(DocumentKind::Parts) => letter.parts = Some(Parts::read(&document.bytes()).map_err(damaged)?.0),
        Some(DocumentKind::LastError) => item.error = Some(document.text()?),
        Some(DocumentKind::Verdict) => item.verdict = Some(document.text()?),
    }
    Ok(())
}

impl DocumentSource {
    const fn place(&self) -> Option<DocumentRef> {
        match self {
            Self::Loaded(_) => None,
            Self::OnDisk(place) => Some(*place),
        }
    }

    fn document(self, records: &mut Records) -> Result<LoadedDocument, Unreadable> {
        match self {
            Self::Loaded(document) => Ok(document),
            Self::OnDisk(place) => records.at(place).map(LoadedDocument::Kept),
        }
    }
}

/// The records that were read, in the order in which they are consumed. A record that is consumed twice in a row was
/// read once.
struct Records {
    rest: std::vec::IntoIter<Result<OwnedRecord, Unreadable>>,
    last: Option<(DocumentRef, Result<KeptDocuments, Unreadable>)>,
}

impl Records {
    fn at(&mut self, place: DocumentRef) -> Result<KeptDocuments, Unreadable> {
        if let Some((_, kept)) = self.last.as_ref().filter(|(last, _)| *last == place) {
            return kept.clone();
        }
        let record =
            self.rest.next().unwrap_or_else(|| Err(Unreadable::Transient("the document was not read".to_owned())));
        let kept = record.and_then(|record| Facts::kept_in(record.kind, &record.body).map_err(damaged));
        self.last = Some((place, kept.clone()));
        kept
    }
}

impl LoadedDocument {
    fn content(self) -> Result<Arc<Content>, Unreadable> {
        match self {
            Self::Content(content) | Self::Filed(_, content) => Ok(content),
            Self::Kept(kept) => Content::read(&kept.document).map(Arc::new).map_err(damaged),
        }
    }

    /// A document of a letter header, which is stored with a content or separately.
    fn header(self, which: impl FnOnce(LetterHeader) -> Bytes) -> Bytes {
        match self {
            Self::Filed(header, _) | Self::Kept(KeptDocuments { header: Some(header), .. }) => which(header),
            document => document.bytes(),
        }
    }

    fn text(self) -> Result<String, Unreadable> {
        String::from_utf8(self.bytes().into()).map_err(damaged)
    }

    /// The bytes of a document that is not a content.
    fn bytes(self) -> Bytes {
        match self {
            Self::Kept(kept) => kept.document,
            Self::Content(_) | Self::Filed(..) => Bytes::new(),
        }
    }
}

pub(crate) const fn location(place: DocumentRef) -> Location {
    Location { segment: place.segment, offset: place.offset, len: place.len }
}

pub(crate) const fn place(location: Location) -> DocumentRef {
    DocumentRef { segment: location.segment, offset: location.offset, len: location.len }
}

/// Why a document cannot be read.
#[derive(Debug, Clone, thiserror::Error)]
enum Unreadable {
    /// The bytes on disk differ from what was written.
    #[error("{0}")]
    Damaged(String),
    /// Reading failed; a retry may succeed.
    #[error("{0}")]
    Transient(String),
}

/// The first document of an item that could not be read.
#[derive(Debug)]
struct Unread {
    place: DocumentRef,
    what: Unreadable,
}

fn damaged(error: impl std::fmt::Display) -> Unreadable {
    Unreadable::Damaged(error.to_string())
}
