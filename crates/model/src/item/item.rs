//! One item, as small as it can be: there may be millions.
//!
//! What only its consumer needs (payload, headers, kind) is not here but at its [`DocumentRef`]. What only few items
//! have (a letter, records of failed attempts) is behind one pointer.

use redrive_core::{Category, Fingerprint, LetterId, Priority, Status, Time};

use super::{DocumentEntry, DocumentKind, DocumentList, DocumentRef};
use crate::letter::{DeathReason, Letter};
use crate::stamp::Stamp;

/// Where an item is in its life. The time that belongs to it is [`Item::at`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Waits to be leased; a letter that is exhausted is archived at `at`.
    Ready,
    /// Somebody works on it, until `at`.
    Leased,
    /// Waits until `at`, then becomes ready.
    Scheduled,
    /// A letter that is retried by itself from `at` on.
    Due,
    /// It died, and its dead queue is missing: tried again at `at`.
    Stranded,
    /// A letter that is completed or archived, forgotten at `at`.
    Finished,
    /// Its record is damaged: it is set aside until a request removes it.
    Damaged,
}

impl Phase {
    pub const ALL: [Self; 7] =
        [Self::Ready, Self::Leased, Self::Scheduled, Self::Due, Self::Stranded, Self::Finished, Self::Damaged];

    /// Whether it waits for an outcome, and holds its source id. A damaged item does not: sending it again replaces it.
    pub const fn is_live(self) -> bool {
        !matches!(self, Self::Finished | Self::Damaged)
    }
}

/// An item. Its id is its stamp and its slot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    pub stamp: Stamp,
    pub created_at: Time,
    /// When it dies if nobody takes it; [`Time::MAX`] for never.
    pub expires_at: Time,
    /// The time of the phase; [`Time::MAX`] where it has none.
    pub at: Time,
    pub source_id: Option<Box<str>>,
    pub extra: Option<Box<ItemExtension>>,
    pub place: DocumentRef,
    pub queue: u32,
    pub partition: u32,
    /// Attempts that count.
    pub attempts: u32,
    /// All deliveries, those included that were given back.
    pub deliveries: u32,
    /// What the queue allowed when the item came. Only shown: the queue's own limit of today counts.
    pub max_attempts: u32,
    pub phase: Phase,
    pub priority: Priority,
    /// It is delivered for its hand-over only; the handler does not run again.
    pub is_hand_over_only: bool,
    /// It was captured with its papers: the first content's record holds its dossier and the record of its first attempt.
    pub is_filed: bool,
}

/// What only few items have.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ItemExtension {
    pub letter: Option<Letter>,
    pub rare: Option<Box<RareFields>>,
    pub docs: DocumentList,
}

/// What hardly any letter has.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RareFields {
    /// What its attempts failed with, while it is no letter.
    pub failed: Option<FailureSummary>,
    /// Why it died, while it waits for its missing dead queue.
    pub death: Option<DeathReason>,
    /// The stamp under which it was delivered first, where it has another one by now; of a letter that was put back, the
    /// one that it had first then.
    pub first: Option<Stamp>,
    /// The letters that must be completed before this one is retried by itself, in their order.
    pub waits_for: Vec<LetterId>,
    /// The lease deadline that it was imported with, although it was not leased. Shown until somebody leases it.
    pub imported_lease_deadline: Option<Time>,
}

static NOTHING_RARE: RareFields =
    RareFields { failed: None, death: None, first: None, waits_for: Vec::new(), imported_lease_deadline: None };

/// What the attempts of an item failed with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FailureSummary {
    pub category: Category,
    pub fingerprint: Fingerprint,
    pub first_at: Time,
    pub last_at: Time,
}

impl Item {
    pub fn letter(&self) -> Option<&Letter> {
        self.extra.as_ref()?.letter.as_ref()
    }

    pub fn letter_mut(&mut self) -> Option<&mut Letter> {
        self.extra.as_mut()?.letter.as_mut()
    }

    /// Its documents besides the content, those that stand with the first content included.
    pub fn docs(&self) -> impl Iterator<Item = DocumentEntry> + Clone {
        let filed = self.filed_at().map(|place| DocumentKind::HEADER.map(|kind| DocumentEntry { kind, place }));
        filed.into_iter().flatten().chain(self.own_docs().iter().copied())
    }

    /// Its documents that have a record of their own.
    pub fn own_docs(&self) -> &[DocumentEntry] {
        self.extra.as_ref().map_or(&[], |extra| extra.docs.as_slice())
    }

    /// Whether its content was edited: then the first one is kept as the original.
    pub fn is_edited(&self) -> bool {
        self.own_docs().iter().any(|doc| doc.kind == DocumentKind::Original)
    }

    /// Where its papers are, if they stand with its first content: before somebody edited it.
    fn filed_at(&self) -> Option<DocumentRef> {
        let original = self.own_docs().iter().find(|doc| doc.kind == DocumentKind::Original);
        self.is_filed.then(|| original.map_or(self.place, |doc| doc.place))
    }

    /// Takes over documents, in the order in which [`Item::docs`] gives them. Its content is known.
    pub fn set_docs(&mut self, mut docs: Vec<DocumentEntry>) {
        let place = docs.iter().find(|doc| doc.kind == DocumentKind::Original).map_or(self.place, |doc| doc.place);
        let papers = DocumentKind::HEADER.map(|kind| DocumentEntry { kind, place });
        self.is_filed = docs.starts_with(&papers);
        if self.is_filed {
            docs.drain(..papers.len());
        }
        if !docs.is_empty() {
            self.extra.get_or_insert_default().docs = docs.into();
        }
    }

    /// What hardly any has.
    pub fn rare(&self) -> &RareFields {
        self.extra.as_ref().and_then(|extra| extra.rare.as_deref()).unwrap_or(&NOTHING_RARE)
    }

    pub fn rare_mut(&mut self) -> &mut RareFields {
        self.extra.get_or_insert_default().rare.get_or_insert_default()
    }

    /// The letters that must be completed before it is retried by itself.
    pub fn waits_for(&self) -> &[LetterId] {
        &self.rare().waits_for
    }

    /// Has it wait for these, in their order.
    pub fn wait_for(&mut self, letters: Vec<LetterId>) {
        if letters.is_empty() && self.waits_for().is_empty() {
            return;
        }
        self.rare_mut().waits_for = letters;
        self.drop_empty_extra();
    }

    /// Keeps a lease deadline for show, or forgets it. The last time of all is none.
    pub fn set_imported_lease_deadline(&mut self, deadline: Option<Time>) {
        let deadline = deadline.filter(|at| *at < Time::MAX);
        if deadline != self.rare().imported_lease_deadline {
            self.rare_mut().imported_lease_deadline = deadline;
            self.drop_empty_extra();
        }
    }

    /// What has nothing rare any more is as one that never had: it is read back so from its record.
    fn drop_empty_extra(&mut self) {
        let Some(extra) = &mut self.extra else { return };
        if extra.rare.as_deref() == Some(&NOTHING_RARE) {
            extra.rare = None;
        }
        if **extra == ItemExtension::default() {
            self.extra = None;
        }
    }

    /// Whether it is a letter that waits for others.
    pub fn is_blocked(&self) -> bool {
        !self.waits_for().is_empty()
    }

    /// Whether it is a letter whose schedule begins when others are completed.
    pub fn waits_for_others(&self) -> bool {
        self.is_blocked() && self.letter().is_some_and(|letter| letter.status == Status::Pending)
    }

    /// Whether it is a letter that is scheduled as soon as there is room in its queue.
    pub fn waits_for_room(&self) -> bool {
        self.phase == Phase::Ready && self.letter().is_some_and(Letter::is_overflow)
    }

    /// Every record that it holds.
    pub fn places(&self) -> impl Iterator<Item = DocumentRef> {
        std::iter::once(self.place).chain(self.own_docs().iter().map(|doc| doc.place))
    }

    /// When something happens to it by itself; `None` for never. Deadlines act strictly after their time.
    pub fn timer(&self) -> Option<Time> {
        const INSTANT: redrive_core::Span = redrive_core::Span::from_micros(1);
        let at = match self.phase {
            Phase::Ready => self.expires_at.saturating_add(INSTANT).min(self.at),
            Phase::Leased => self.at.saturating_add(INSTANT),
            Phase::Scheduled | Phase::Stranded | Phase::Finished => self.at,
            Phase::Due | Phase::Damaged => return None,
        };
        (at < Time::MAX).then_some(at)
    }

    /// Takes over the documents of the item that it was.
    pub fn take_documents(&mut self, before: Self) {
        self.place = before.place;
        self.is_filed = before.is_filed;
        let docs = before.extra.map(|extra| extra.docs).unwrap_or_default();
        if !docs.is_empty() {
            self.extra.get_or_insert_default().docs = docs;
        } else if let Some(extra) = &mut self.extra {
            extra.docs = DocumentList::default();
        }
    }

    /// Its content was edited. The first one is kept as the original; gives the one that is no longer kept.
    pub fn set_edited(&mut self, content: DocumentRef) -> Option<DocumentRef> {
        let before = std::mem::replace(&mut self.place, content);
        if self.is_edited() {
            return Some(before);
        }
        let original = DocumentEntry { kind: DocumentKind::Original, place: before };
        self.extra.get_or_insert_default().docs.push(original);
        None
    }

    /// Keeps a document. Of too many of a kind, gives the second oldest, which is no longer kept: the oldest attempt may
    /// stand with the content.
    pub fn add_document(&mut self, document: DocumentEntry) -> Option<DocumentRef> {
        let kind = document.kind;
        let filed = usize::from(self.is_filed && kind == DocumentKind::Attempt);
        let docs = &mut self.extra.get_or_insert_default().docs;
        docs.push(document);
        let count = docs.iter().filter(|doc| doc.kind == kind).count();
        if count + filed <= kind.most() {
            return None;
        }
        let goes = if kind == DocumentKind::Parts { 0 } else { 1 - filed };
        let goes = docs.iter().enumerate().filter(|(_, doc)| doc.kind == kind).nth(goes).map(|(at, _)| at)?;
        Some(docs.remove(goes).place)
    }
}

// The next size that memory is given out in is a fifth larger.
const _: () = assert!(size_of::<ItemExtension>() <= 160);
