//! One item of the model, with all its properties.

use std::sync::Arc;

use bytes::Bytes;
use redrive_core::{Category, Failure, Fingerprint, ItemId, Ksuid, LetterId, Span, Time};
use redrive_model::{
    Attempt, CaptureContext, Content, DeathReason, DocumentKind, ItemInfo, ItemState, LetterInfo, Origin,
};

/// The model's identifier of an item, which never changes.
pub type Number = usize;

/// An id that the store has not shown yet.
pub const UNKNOWN_ID: Ksuid = Ksuid::MIN;

#[derive(Debug, Clone)]
pub struct Item {
    pub number: Number,
    /// The number of its queue, in the order of creation.
    pub queue: u32,
    /// The position of its current id among all ids ever assigned. Lists and leases follow this order.
    pub order: u64,
    /// The order of the id in `info`, which the store showed last.
    pub known_order: u64,
    /// The order at which it got a new id and kept its place.
    pub renewed: Option<u64>,
    /// Whether the scheduled retry may have kept its id, which depends on earlier clears.
    pub may_keep: Option<u64>,
    /// What the store shows of it, except for ids that are not known yet.
    pub info: ItemInfo,
    /// When a stranded item looks up its dead queue again, a finished letter is removed, or an exhausted one is
    /// archived.
    pub until: Option<Time>,
    pub content: Arc<Content>,
    pub documents: Vec<Document>,
    /// The documents of the current settlement or timer.
    pub fresh: Vec<Document>,
    /// The dead queue and the letter that was handed back as this item.
    pub handed_back: Option<(u32, LetterId)>,
    /// The failures of its attempts, as long as it is not a letter.
    pub failed: Option<FailureSummary>,
    /// Why it died, while it is stranded.
    pub death: Option<DeathReason>,
    /// Whether it was delivered under an earlier id.
    pub keeps_first: bool,
    /// The coordinates of the message that a letter was captured from.
    pub coordinates: Option<Origin>,
    /// The captured payload, before edits. Unknown for a dead item.
    pub captured: Option<Bytes>,
    /// The letters that must be completed before it is retried automatically.
    pub waits_for: Vec<LetterId>,
    /// Whether it was reinstated from an external copy.
    pub is_put_back: bool,
    /// All ids that it had as a letter, including the current one: a late result under one of them is recorded with it.
    pub own_ids: Vec<ItemId>,
}

/// A document besides the content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Document {
    Context(Box<CaptureContext>),
    Attempt(Box<Attempt>),
    Original(Arc<Content>),
    Note(Bytes),
    Parts(Vec<String>),
    LastError(String),
    Verdict(String),
}

#[derive(Debug, Clone, Copy)]
pub struct FailureSummary {
    pub category: Category,
    pub fingerprint: Fingerprint,
    pub first_at: Time,
    pub last_at: Time,
}

impl Item {
    /// An item of which only the visible properties are known.
    pub fn seen(queue: u32, info: ItemInfo) -> Self {
        Self {
            number: 0,
            queue,
            order: 0,
            known_order: 0,
            renewed: None,
            may_keep: None,
            info,
            until: None,
            content: Arc::default(),
            documents: Vec::new(),
            fresh: Vec::new(),
            handed_back: None,
            failed: None,
            death: None,
            keeps_first: false,
            coordinates: None,
            captured: None,
            waits_for: Vec::new(),
            is_put_back: false,
            own_ids: Vec::new(),
        }
    }

    pub fn id(&self) -> ItemId {
        self.info.id
    }

    pub fn letter(&self) -> Option<&LetterInfo> {
        self.info.letter.as_deref()
    }

    pub fn letter_mut(&mut self) -> Option<&mut LetterInfo> {
        self.info.letter.as_deref_mut()
    }

    pub fn letter_id(&self) -> Option<LetterId> {
        self.letter().map(|letter| letter.id)
    }

    /// The payload of an edited letter.
    pub fn newest_edition(&self) -> Option<Bytes> {
        let is_edited = self.documents.iter().any(|doc| matches!(doc, Document::Original(_)));
        is_edited.then(|| self.content.payload.clone())
    }

    pub fn is_ready(&self) -> bool {
        self.info.state == ItemState::Ready
    }

    /// Whether it is an overflow letter: captured into a full queue, and not tried since.
    pub fn is_over(&self) -> bool {
        self.letter().is_some_and(|letter| letter.is_overflow)
    }

    /// Whether it depends on letters that are not completed.
    pub fn is_blocked(&self) -> bool {
        self.letter().is_some_and(|letter| letter.is_blocked)
    }

    /// Whether it is an overflow letter that only waits for capacity.
    pub fn is_waiting_overflow(&self) -> bool {
        self.is_ready() && self.is_over()
    }

    pub fn is_leased(&self) -> bool {
        matches!(self.info.state, ItemState::Leased { .. })
    }

    pub fn is_finished(&self) -> bool {
        self.info.state == ItemState::Finished
    }

    /// Whether it is in the list of scheduled items, which includes letters with a scheduled retry.
    pub fn is_scheduled(&self) -> bool {
        matches!(self.info.state, ItemState::Scheduled { .. } | ItemState::Due { .. })
    }

    /// The time of its next automatic retry.
    pub fn due(&self) -> Option<Time> {
        match self.info.state {
            ItemState::Due { at } => Some(at),
            _ => None,
        }
    }

    /// The time of its next timer. Deadlines and expiries take effect strictly after their time, schedules at it.
    pub fn wakes_at(&self) -> Option<Time> {
        let after = |time: Time| time.saturating_add(Span::from_micros(1));
        match self.info.state {
            ItemState::Ready => self.info.expires_at.map(after).into_iter().chain(self.until).min(),
            ItemState::Leased { deadline } => Some(after(deadline)),
            // A scheduled letter does not expire before it is ready.
            ItemState::Scheduled { at } if self.letter().is_some() => Some(at),
            ItemState::Scheduled { at } => self.info.expires_at.map(after).into_iter().chain([at]).min(),
            ItemState::Due { .. } | ItemState::Damaged => None,
            ItemState::Stranded | ItemState::Finished => self.until,
        }
    }

    /// Adds a document. Of attempts the first and the last twenty are kept, of notes the first and the last 99.
    pub fn keep(&mut self, document: Document) {
        self.fresh.push(document.clone());
        let kind = document.kind();
        let most = match kind {
            DocumentKind::Context | DocumentKind::Original => 1,
            DocumentKind::Attempt => 21,
            DocumentKind::Note => 100,
            // Only the newest note for the next delivery is kept.
            DocumentKind::Parts | DocumentKind::LastError | DocumentKind::Verdict => {
                self.documents.retain(|other| other.kind() != kind);
                1
            }
        };
        self.documents.push(document);
        let same: Vec<usize> = (0..self.documents.len()).filter(|at| self.documents[*at].kind() == kind).collect();
        if same.len() > most {
            self.documents.remove(same[1]);
        }
    }

    /// Gives it a new id without another place.
    pub fn renew(&mut self) {
        self.keeps_first |= self.info.deliveries > 0;
        self.renewed = Some(self.order);
        self.known_order = 0;
    }

    pub fn keep_attempt(&mut self, attempt: Option<&Attempt>) {
        if let Some(attempt) = attempt {
            self.keep(Document::Attempt(Box::new(attempt.clone())));
        }
    }

    /// Records the failure of an attempt.
    pub fn note_failure(&mut self, attempt: Option<&Attempt>, now: Time) {
        let Some(attempt) = attempt else { return };
        let category = attempt.category.unwrap_or(Category::Permanent);
        let fingerprint = attempt.fingerprint.unwrap_or_else(|| fault_of(&attempt.error));
        match self.letter_mut() {
            Some(letter) => {
                (letter.category, letter.fingerprint, letter.last_failed_at) = (category, fingerprint, now);
            }
            None => {
                let first_at = self.failed.map_or(now, |failed| failed.first_at);
                self.failed = Some(FailureSummary { category, fingerprint, first_at, last_at: now });
            }
        }
    }
}

impl Document {
    pub fn kind(&self) -> DocumentKind {
        match self {
            Self::Context(_) => DocumentKind::Context,
            Self::Attempt(_) => DocumentKind::Attempt,
            Self::Original(_) => DocumentKind::Original,
            Self::Note(_) => DocumentKind::Note,
            Self::Parts(_) => DocumentKind::Parts,
            Self::LastError(_) => DocumentKind::LastError,
            Self::Verdict(_) => DocumentKind::Verdict,
        }
    }
}

/// The fingerprint of a failure of which only the text is known.
pub(super) fn fault_of(text: &str) -> Fingerprint {
    Fingerprint::of(&Failure::new(text))
}

/// The coordinates that distinguish the messages of a source.
pub(super) fn coordinates_of(origin: &Origin) -> Option<Origin> {
    let tells_apart = origin.offset.is_some() || origin.message_id.is_some();
    let timestamp = origin.timestamp.filter(|_| origin.offset.is_some());
    tells_apart.then(|| Origin { timestamp, replays: 0, ..origin.clone() })
}
