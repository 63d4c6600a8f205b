//! One item, with everything that is ever said about it in plain sight.

use std::sync::Arc;

use bytes::Bytes;
use redrive_core::{Category, Failure, Fingerprint, ItemId, Ksuid, LetterId, Span, Time};
use redrive_model::{
    Attempt, CaptureContext, Content, DeathReason, DocumentKind, ItemInfo, ItemState, LetterInfo, Origin,
};

/// The model's own name of an item, for its whole life.
pub type Number = usize;

/// An id that the store has not shown yet.
pub const UNKNOWN_ID: Ksuid = Ksuid::MIN;

#[derive(Debug, Clone)]
pub struct Item {
    pub number: Number,
    /// The queue's number, in the order in which queues were made.
    pub queue: u32,
    /// Which of all ids that were ever given its id of today is: lists, leases and lists of letters follow it.
    pub order: u64,
    /// The order of the id in `info`, which is the one that the store showed last.
    pub known_order: u64,
    /// The scheduled retry may have kept its id: whether it may depends on what was cleared away before.
    pub may_keep: Option<u64>,
    /// What a question about it is answered, apart from ids that only the store knows.
    pub info: ItemInfo,
    /// When a stranded item is looked at again, when a finished letter is forgotten, and when one that waits exhausted is
    /// archived.
    pub until: Option<Time>,
    pub content: Arc<Content>,
    pub documents: Vec<Document>,
    /// What its attempts failed with, while it is no letter.
    pub failed: Option<FailureSummary>,
    /// Why it died, while it waits for its missing dead queue.
    pub death: Option<DeathReason>,
    /// It was delivered under an id that it has no more.
    pub keeps_first: bool,
    /// Which message of which source a letter came from.
    pub coordinates: Option<Origin>,
    /// What was captured, whatever it was edited to since. Of an item that a queue gave up, nobody knows.
    pub captured: Option<Bytes>,
    /// The letters that must be completed before it is retried by itself.
    pub waits_for: Vec<LetterId>,
    /// It was put back from a copy elsewhere.
    pub is_put_back: bool,
    /// The ids that it had as a letter, the one of today included: an attempt under one of them that ends too late is its own.
    pub own_ids: Vec<ItemId>,
}

/// What is kept beside the content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Document {
    Context(Box<CaptureContext>),
    Attempt(Box<Attempt>),
    Original(Arc<Content>),
    Note(Bytes),
    Parts(Vec<String>),
}

#[derive(Debug, Clone, Copy)]
pub struct FailureSummary {
    pub category: Category,
    pub fingerprint: Fingerprint,
    pub first_at: Time,
    pub last_at: Time,
}

impl Item {
    /// An item of which no more is known than what is shown.
    pub fn seen(queue: u32, info: ItemInfo) -> Self {
        Self {
            number: 0,
            queue,
            order: 0,
            known_order: 0,
            may_keep: None,
            info,
            until: None,
            content: Arc::default(),
            documents: Vec::new(),
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

    pub fn is_ready(&self) -> bool {
        self.info.state == ItemState::Ready
    }

    /// Whether it came when its queue was full, and was not tried since.
    pub fn is_over(&self) -> bool {
        self.letter().is_some_and(|letter| letter.is_overflow)
    }

    /// Whether it waits for other letters.
    pub fn is_blocked(&self) -> bool {
        self.letter().is_some_and(|letter| letter.is_blocked)
    }

    /// Whether it came when its queue was full, and nothing but a lack of room keeps it from its schedule.
    pub fn is_in_line(&self) -> bool {
        self.is_ready() && self.is_over()
    }

    pub fn is_leased(&self) -> bool {
        matches!(self.info.state, ItemState::Leased { .. })
    }

    pub fn is_finished(&self) -> bool {
        self.info.state == ItemState::Finished
    }

    /// Whether it is in the list of scheduled items: letters that are retried by themselves are, too.
    pub fn is_scheduled(&self) -> bool {
        matches!(self.info.state, ItemState::Scheduled { .. } | ItemState::Due { .. })
    }

    /// When it would be retried by itself.
    pub fn due(&self) -> Option<Time> {
        match self.info.state {
            ItemState::Due { at } => Some(at),
            _ => None,
        }
    }

    /// When something happens to it by itself. Deadlines act strictly after their time, appointments at it.
    pub fn wakes_at(&self) -> Option<Time> {
        let after = |time: Time| time.saturating_add(Span::from_micros(1));
        match self.info.state {
            ItemState::Ready => self.info.expires_at.map(after).into_iter().chain(self.until).min(),
            ItemState::Leased { deadline } => Some(after(deadline)),
            ItemState::Scheduled { at } => Some(at),
            ItemState::Due { .. } | ItemState::Damaged => None,
            ItemState::Stranded | ItemState::Finished => self.until,
        }
    }

    /// Keeps a document: of attempts the first and the last twenty, of notes the first and the last 99.
    pub fn keep(&mut self, document: Document) {
        let kind = document.kind();
        let most = match kind {
            DocumentKind::Context | DocumentKind::Original => 1,
            DocumentKind::Attempt => 21,
            DocumentKind::Note => 100,
            // Only those that are still to be done.
            DocumentKind::Parts => {
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

    pub fn keep_attempt(&mut self, attempt: Option<&Attempt>) {
        if let Some(attempt) = attempt {
            self.keep(Document::Attempt(Box::new(attempt.clone())));
        }
    }

    /// Remembers what an attempt failed with.
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
        }
    }
}

/// The fault of a failure of which only a text is known.
pub(super) fn fault_of(text: &str) -> Fingerprint {
    Fingerprint::of(&Failure::new(text))
}

/// What tells two messages of a source apart.
pub(super) fn coordinates_of(origin: &Origin) -> Option<Origin> {
    let tells_apart = origin.offset.is_some() || origin.message_id.is_some();
    let timestamp = origin.timestamp.filter(|_| origin.offset.is_some());
    tells_apart.then(|| Origin { timestamp, ..origin.clone() })
}
