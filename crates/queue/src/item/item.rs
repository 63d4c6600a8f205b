//! One item, as small as it can be: there may be millions.
//!
//! What only its consumer needs (payload, headers, kind) is not here but at its [`Place`]. What only few items
//! have (a letter, records of failed attempts) is behind one pointer.

use redrive_core::{Category, Fingerprint, LetterId, Priority, Status, Time};

use super::{Doc, Docs, Place};
use crate::letter::{DeathReason, Letter};
use crate::stamp::Stamp;

/// Where an item is in its life. The time that belongs to it is [`Item::at`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
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
}

impl Phase {
    pub(crate) const ALL: [Self; 6] =
        [Self::Ready, Self::Leased, Self::Scheduled, Self::Due, Self::Stranded, Self::Finished];

    /// Whether it counts as one of the queue's items, and holds its source id.
    pub(crate) const fn is_live(self) -> bool {
        !matches!(self, Self::Finished)
    }
}

/// An item. Its id is its stamp and its slot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Item {
    pub(crate) stamp: Stamp,
    pub(crate) created_at: Time,
    /// When it dies if nobody takes it; [`Time::MAX`] for never.
    pub(crate) expires_at: Time,
    /// The time of the phase; [`Time::MAX`] where it has none.
    pub(crate) at: Time,
    pub(crate) source_id: Option<Box<str>>,
    pub(crate) extra: Option<Box<Extra>>,
    pub(crate) place: Place,
    pub(crate) queue: u32,
    pub(crate) partition: u32,
    /// Attempts that count.
    pub(crate) attempts: u32,
    /// All deliveries, those included that were given back.
    pub(crate) deliveries: u32,
    /// What the queue allowed when the item came. Only shown: the queue's own limit of today counts.
    pub(crate) max_attempts: u32,
    pub(crate) phase: Phase,
    pub(crate) priority: Priority,
    /// It is delivered for its hand-over only; the handler does not run again.
    pub(crate) is_condemned: bool,
    /// It was captured with its papers: the first content's record holds its dossier and the record of its first attempt.
    pub(crate) is_filed: bool,
}

/// What only few items have.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Extra {
    pub(crate) letter: Option<Letter>,
    pub(crate) rare: Option<Box<Rare>>,
    pub(crate) docs: Docs,
}

/// What hardly any letter has.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Rare {
    /// What its attempts failed with, while it is no letter.
    pub(crate) failed: Option<Failed>,
    /// Why it died, while it waits for its missing dead queue.
    pub(crate) death: Option<DeathReason>,
    /// The stamp under which it was delivered first, where it has another one by now; of a letter that was put back, the
    /// one that it had first then.
    pub(crate) first: Option<Stamp>,
    /// The letters that must be completed before this one is retried by itself, in their order.
    pub(crate) waits_for: Vec<LetterId>,
}

static NOTHING_RARE: Rare = Rare { failed: None, death: None, first: None, waits_for: Vec::new() };

/// What the attempts of an item failed with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Failed {
    pub(crate) category: Category,
    pub(crate) fingerprint: Fingerprint,
    pub(crate) first_at: Time,
    pub(crate) last_at: Time,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DocKind {
    /// Where the letter came from and all that was said at its capture.
    Dossier,
    /// The record of one attempt.
    Attempt,
    /// The content before somebody edited it.
    Original,
    /// What a person wrote down.
    Note,
    /// The parts of the work that are still to be done.
    Parts,
}

/// What a record may hold besides a content, in this order.
const PAPERS: [DocKind; 2] = [DocKind::Dossier, DocKind::Attempt];

impl DocKind {
    pub(crate) const ALL: [Self; 5] = [Self::Dossier, Self::Attempt, Self::Original, Self::Note, Self::Parts];

    /// How many of a kind are kept: when there are more, the second oldest goes. The first says how it began. Of the
    /// parts, only the newest matter.
    pub(crate) const fn most(self) -> usize {
        match self {
            Self::Dossier | Self::Original | Self::Parts => 1,
            Self::Attempt => 21,
            Self::Note => 100,
        }
    }
}

impl Item {
    pub(crate) fn letter(&self) -> Option<&Letter> {
        self.extra.as_ref()?.letter.as_ref()
    }

    pub(crate) fn letter_mut(&mut self) -> Option<&mut Letter> {
        self.extra.as_mut()?.letter.as_mut()
    }

    /// Its documents besides the content, those that stand with the first content included.
    pub(crate) fn docs(&self) -> impl Iterator<Item = Doc> + Clone {
        let filed = self.filed_at().map(|place| PAPERS.map(|kind| Doc { kind, place }));
        filed.into_iter().flatten().chain(self.own_docs().iter().copied())
    }

    /// Its documents that have a record of their own.
    pub(crate) fn own_docs(&self) -> &[Doc] {
        self.extra.as_ref().map_or(&[], |extra| extra.docs.as_slice())
    }

    /// Where its papers are, if they stand with its first content: before somebody edited it.
    fn filed_at(&self) -> Option<Place> {
        let original = self.own_docs().iter().find(|doc| doc.kind == DocKind::Original);
        self.is_filed.then(|| original.map_or(self.place, |doc| doc.place))
    }

    /// Takes over documents, in the order in which [`Item::docs`] gives them. Its content is known.
    pub(crate) fn set_docs(&mut self, mut docs: Vec<Doc>) {
        let place = docs.iter().find(|doc| doc.kind == DocKind::Original).map_or(self.place, |doc| doc.place);
        let papers = PAPERS.map(|kind| Doc { kind, place });
        self.is_filed = docs.starts_with(&papers);
        if self.is_filed {
            docs.drain(..papers.len());
        }
        if !docs.is_empty() {
            self.extra.get_or_insert_default().docs = docs.into();
        }
    }

    /// What hardly any has.
    pub(crate) fn rare(&self) -> &Rare {
        self.extra.as_ref().and_then(|extra| extra.rare.as_deref()).unwrap_or(&NOTHING_RARE)
    }

    pub(crate) fn rare_mut(&mut self) -> &mut Rare {
        self.extra.get_or_insert_default().rare.get_or_insert_default()
    }

    /// The letters that must be completed before it is retried by itself.
    pub(crate) fn waits_for(&self) -> &[LetterId] {
        &self.rare().waits_for
    }

    /// Has it wait for these, in their order.
    pub(crate) fn wait_for(&mut self, letters: Vec<LetterId>) {
        if letters.is_empty() && self.waits_for().is_empty() {
            return;
        }
        self.rare_mut().waits_for = letters;
        if let Some(extra) = self.extra.as_mut().filter(|extra| extra.rare.as_deref() == Some(&NOTHING_RARE)) {
            extra.rare = None;
        }
    }

    /// Whether it is a letter that waits for others.
    pub(crate) fn is_blocked(&self) -> bool {
        !self.waits_for().is_empty()
    }

    /// Whether it is a letter whose schedule begins when others are completed.
    pub(crate) fn waits_for_others(&self) -> bool {
        self.is_blocked() && self.letter().is_some_and(|letter| letter.status == Status::Pending)
    }

    /// Whether it is a letter that is scheduled as soon as there is room in its queue.
    pub(crate) fn waits_for_room(&self) -> bool {
        self.phase == Phase::Ready && self.letter().is_some_and(|letter| letter.is_overflow)
    }

    /// Every record that it holds.
    pub(crate) fn places(&self) -> impl Iterator<Item = Place> {
        std::iter::once(self.place).chain(self.own_docs().iter().map(|doc| doc.place))
    }

    /// When something happens to it by itself; `None` for never. Deadlines act strictly after their time.
    pub(crate) fn timer(&self) -> Option<Time> {
        const INSTANT: redrive_core::Span = redrive_core::Span::from_micros(1);
        let at = match self.phase {
            Phase::Ready => self.expires_at.saturating_add(INSTANT).min(self.at),
            Phase::Leased => self.at.saturating_add(INSTANT),
            Phase::Scheduled | Phase::Stranded | Phase::Finished => self.at,
            Phase::Due => return None,
        };
        (at < Time::MAX).then_some(at)
    }
}
