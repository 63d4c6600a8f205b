//! An item, as compact as possible: there may be millions.
//!
//! Data that only the consumer needs (payload, headers, kind) is stored at its [`DocumentRef`]. Data that only few
//! items have (a letter, records of failed attempts) is behind one pointer.

use redrive_core::{Category, Fingerprint, LetterId, Priority, Status, Time};

use super::{DocumentEntry, DocumentKind, DocumentList, DocumentRef};
use crate::letter::{DeathReason, Letter};
use crate::listed::listed;
use crate::stamp::Stamp;

listed! {
    /// The state of an item. Its time is [`Item::at`].
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Phase {
        /// Can be leased. An exhausted letter is archived at `at`.
        Ready,
        /// Leased or claimed until `at`.
        Leased,
        /// Becomes ready at `at`.
        Scheduled,
        /// A letter that is retried automatically from `at` on.
        Due,
        /// The item died and its dead queue is missing: the move is tried again at `at`.
        Stranded,
        /// A completed or archived letter, removed at `at`.
        Finished,
        /// The record of the item is damaged: it is set aside until a request removes it.
        Damaged,
    }
}

impl Phase {
    /// Whether the item has no final outcome yet and holds its source id. A damaged item does not: sending it again
    /// replaces it.
    pub const fn is_live(self) -> bool {
        !matches!(self, Self::Finished | Self::Damaged)
    }
}

/// An item. Its id consists of its stamp and its slot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    pub stamp: Stamp,
    pub created_at: Time,
    /// When the item dies if it is not leased; [`Time::MAX`] for never.
    pub expires_at: Time,
    /// The time of the phase; [`Time::MAX`] if it has none.
    pub at: Time,
    pub source_id: Option<Box<str>>,
    pub extra: Option<Box<ItemExtension>>,
    pub place: DocumentRef,
    pub queue: u32,
    pub partition: u32,
    /// Charged attempts.
    pub attempts: u32,
    /// All deliveries, including uncharged ones.
    pub deliveries: u32,
    /// The limit of the queue when the item arrived. For display only: the current limit of the queue applies.
    pub max_attempts: u32,
    pub phase: Phase,
    pub priority: Priority,
    /// The item is delivered for its hand-over only; the handler does not run again.
    pub is_hand_over_only: bool,
    /// The letter was captured with its header: the record of the first content also contains the capture context and
    /// the record of the first attempt.
    pub is_filed: bool,
}

/// Fields that only few items have.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ItemExtension {
    pub letter: Option<Letter>,
    pub rare: Option<Box<RareFields>>,
    pub docs: DocumentList,
}

/// Fields that even few letters have.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RareFields {
    /// The failures of a plain item so far.
    pub failed: Option<FailureSummary>,
    /// Why the item died, while it waits for its missing dead queue.
    pub death: Option<DeathReason>,
    /// The stamp of the first delivery, if the item has another stamp now. For a reinstated letter, its first stamp
    /// after that.
    pub first: Option<Stamp>,
    /// The letters that must be completed before this one is retried automatically, in order.
    pub waits_for: Vec<LetterId>,
    /// The lease deadline with which an item that was not leased was imported. Displayed until the first lease.
    pub imported_lease_deadline: Option<Time>,
    /// The time of the first delivery of a plain item, if the lease recorded it.
    pub first_received_at: Option<Time>,
    /// The letter that was handed back as this plain item. If the item dies, the letter has failed again.
    pub handed_back: Option<FormerLetter>,
}

/// The letter that an item was before it was handed back to its queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FormerLetter {
    /// The number of the dead queue.
    pub queue: u32,
    pub letter: LetterId,
}

static NO_RARE_FIELDS: RareFields = RareFields {
    failed: None,
    death: None,
    first: None,
    waits_for: Vec::new(),
    imported_lease_deadline: None,
    first_received_at: None,
    handed_back: None,
};

/// A summary of the failed attempts of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FailureSummary {
    pub category: Category,
    pub fingerprint: Fingerprint,
    pub first_at: Time,
    pub last_at: Time,
}

impl Item {
    /// A plain item that is ready, with no content and no times.
    pub(crate) const fn blank(stamp: Stamp) -> Self {
        Self {
            stamp,
            created_at: Time::MAX,
            expires_at: Time::MAX,
            at: Time::MAX,
            source_id: None,
            extra: None,
            place: DocumentRef::NONE,
            queue: 0,
            partition: 0,
            attempts: 0,
            deliveries: 0,
            max_attempts: 0,
            phase: Phase::Ready,
            priority: Priority::High,
            is_hand_over_only: false,
            is_filed: false,
        }
    }

    pub fn letter(&self) -> Option<&Letter> {
        self.extra.as_ref()?.letter.as_ref()
    }

    pub fn letter_mut(&mut self) -> Option<&mut Letter> {
        self.extra.as_mut()?.letter.as_mut()
    }

    /// The documents besides the content, including those in the record of the first content.
    pub fn docs(&self) -> impl Iterator<Item = DocumentEntry> + Clone {
        let header = self.header_place().map(|place| DocumentKind::HEADER.map(|kind| DocumentEntry { kind, place }));
        header.into_iter().flatten().chain(self.own_docs().iter().copied())
    }

    /// The documents with a separate record.
    pub fn own_docs(&self) -> &[DocumentEntry] {
        self.extra.as_ref().map_or(&[], |extra| extra.docs.as_slice())
    }

    /// Whether the content was edited: then the first content is kept as the original.
    pub fn is_edited(&self) -> bool {
        self.own_docs().iter().any(|doc| doc.kind == DocumentKind::Original)
    }

    /// The place of the first content, if its record contains the header of the letter.
    fn header_place(&self) -> Option<DocumentRef> {
        let original = self.own_docs().iter().find(|doc| doc.kind == DocumentKind::Original);
        self.is_filed.then(|| original.map_or(self.place, |doc| doc.place))
    }

    /// Sets the documents, in the order of [`Item::docs`]. The place of the content must be set before.
    pub fn set_docs(&mut self, mut docs: Vec<DocumentEntry>) {
        let place = docs.iter().find(|doc| doc.kind == DocumentKind::Original).map_or(self.place, |doc| doc.place);
        let header = DocumentKind::HEADER.map(|kind| DocumentEntry { kind, place });
        self.is_filed = docs.starts_with(&header);
        if self.is_filed {
            docs.drain(..header.len());
        }
        if !docs.is_empty() {
            self.extra.get_or_insert_default().docs = docs.into();
        }
    }

    pub fn rare(&self) -> &RareFields {
        self.extra.as_ref().and_then(|extra| extra.rare.as_deref()).unwrap_or(&NO_RARE_FIELDS)
    }

    pub fn rare_mut(&mut self) -> &mut RareFields {
        self.extra.get_or_insert_default().rare.get_or_insert_default()
    }

    /// The letters that must be completed before this one is retried automatically.
    pub fn waits_for(&self) -> &[LetterId] {
        &self.rare().waits_for
    }

    /// Sets the letters that this one waits for, in order.
    pub fn wait_for(&mut self, letters: Vec<LetterId>) {
        if letters.is_empty() && self.waits_for().is_empty() {
            return;
        }
        self.rare_mut().waits_for = letters;
        self.drop_empty_extra();
    }

    /// Sets or clears the imported lease deadline. [`Time::MAX`] counts as none.
    pub fn set_imported_lease_deadline(&mut self, deadline: Option<Time>) {
        let deadline = deadline.filter(|at| *at < Time::MAX);
        if deadline != self.rare().imported_lease_deadline {
            self.rare_mut().imported_lease_deadline = deadline;
            self.drop_empty_extra();
        }
    }

    /// Sets the time of the first delivery, unless it is known; `None` forgets it.
    pub fn set_first_received_at(&mut self, at: Option<Time>) {
        let at = at.map(|at| self.rare().first_received_at.unwrap_or(at));
        if at != self.rare().first_received_at {
            self.rare_mut().first_received_at = at;
            self.drop_empty_extra();
        }
    }

    /// Drops extensions that became empty, so that the item equals the one that is decoded from its record.
    fn drop_empty_extra(&mut self) {
        let Some(extra) = &mut self.extra else { return };
        if extra.rare.as_deref() == Some(&NO_RARE_FIELDS) {
            extra.rare = None;
        }
        if **extra == ItemExtension::default() {
            self.extra = None;
        }
    }

    /// Whether the item is a letter with uncompleted dependencies.
    pub fn is_blocked(&self) -> bool {
        !self.waits_for().is_empty()
    }

    /// Whether the item is a pending letter that is scheduled once its dependencies are completed.
    pub fn waits_for_others(&self) -> bool {
        self.is_blocked() && self.letter().is_some_and(|letter| letter.status == Status::Pending)
    }

    /// Whether the item is a letter that is scheduled once its queue has space.
    pub fn waits_for_room(&self) -> bool {
        self.phase == Phase::Ready && self.letter().is_some_and(Letter::is_overflow)
    }

    /// The places of all of its records.
    pub fn places(&self) -> impl Iterator<Item = DocumentRef> {
        std::iter::once(self.place).chain(self.own_docs().iter().map(|doc| doc.place))
    }

    /// When the item changes automatically; `None` for never. Deadlines take effect strictly after their time.
    pub fn timer(&self) -> Option<Time> {
        const INSTANT: redrive_core::Span = redrive_core::Span::from_micros(1);
        let at = match self.phase {
            Phase::Ready => self.expires_at.saturating_add(INSTANT).min(self.at),
            Phase::Leased => self.at.saturating_add(INSTANT),
            // A letter that is scheduled does not expire before it is ready.
            Phase::Scheduled if self.letter().is_none() => self.expires_at.saturating_add(INSTANT).min(self.at),
            Phase::Scheduled | Phase::Stranded | Phase::Finished => self.at,
            Phase::Due | Phase::Damaged => return None,
        };
        (at < Time::MAX).then_some(at)
    }

    /// Takes over the documents of the previous state of the item.
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

    /// Sets an edited content. The first content is kept as the original. Returns the content that is dropped, if any.
    pub fn set_edited(&mut self, content: DocumentRef) -> Option<DocumentRef> {
        let before = std::mem::replace(&mut self.place, content);
        if self.is_edited() {
            return Some(before);
        }
        let original = DocumentEntry { kind: DocumentKind::Original, place: before };
        self.extra.get_or_insert_default().docs.push(original);
        None
    }

    /// Adds a document. If there are too many of its kind, drops the second oldest and returns its place. The oldest
    /// attempt may be in the record of the content.
    pub fn add_document(&mut self, document: DocumentEntry) -> Option<DocumentRef> {
        let kind = document.kind;
        let in_header = usize::from(self.is_filed && kind == DocumentKind::Attempt);
        let docs = &mut self.extra.get_or_insert_default().docs;
        docs.push(document);
        let count = docs.iter().filter(|doc| doc.kind == kind).count();
        if count + in_header <= kind.most() {
            return None;
        }
        let dropped = if kind.is_replaced() { 0 } else { 1 - in_header };
        let dropped = docs.iter().enumerate().filter(|(_, doc)| doc.kind == kind).nth(dropped).map(|(at, _)| at)?;
        Some(docs.remove(dropped).place)
    }
}

// The next size class of the allocator is a fifth larger.
const _: () = assert!(size_of::<ItemExtension>() <= 192);
