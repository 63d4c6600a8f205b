//! Everything that can be recorded.

use redrive_core::Time;
use redrive_model::codec::StoreFormat;
use redrive_model::{
    DocumentEntry, DocumentKind, DocumentRef, EndReason, Event, Item, KeyChange, LifetimeCounts, QueueSettings, Stamp,
};

use crate::answers::RememberedAnswer;
use crate::feed::Change;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fact {
    /// What a reader must know to read on. The first record of a store.
    Format(StoreFormat),
    /// A queue was made or changed.
    QueueSet {
        queue: u32,
        settings: Box<QueueSettings>,
    },
    /// A queue is gone, with all that is in it.
    QueueGone {
        queue: u32,
        change: u64,
    },
    /// This is what an item is now. It may have come from another queue.
    Item {
        event: Event,
        slot: u32,
        item: Item,
        attach: Attach,
    },
    /// A further document of an item: this record holds it.
    Document {
        slot: u32,
        attach: Attach,
    },
    Leased(LeaseFact),
    /// Deadlines of leases were moved.
    Extended {
        deadlines: Vec<(u32, Time)>,
    },
    /// Items ceased to be. Letters among them take their places in the feed from `change` on.
    Gone {
        ending: EndReason,
        slots: Vec<u32>,
        change: u64,
    },
    /// Whole parts of a queue were cleared away.
    Cleared {
        queue: u32,
        ready: bool,
        leased: bool,
        scheduled: bool,
        up_to: u64,
    },
    /// The slots of items that were cleared away are free again.
    Reclaimed {
        slots: Vec<u32>,
    },
    Keys {
        changes: Vec<KeyChange>,
    },
    /// Somebody reads the feed and has come this far; `None` when no longer.
    Cursor {
        name: String,
        position: Option<u64>,
    },
    /// A document of an item was written again elsewhere: in this record.
    Relocated {
        slot: u32,
        old: DocumentRef,
        is_filed: bool,
    },

    // What follows describes the state as it is, for a recovery that begins here.
    CheckpointBegan {
        number: u64,
        format: StoreFormat,
    },
    Images {
        images: Vec<ItemImage>,
    },
    /// Entries of the feed about what is no longer there.
    Tombstones {
        entries: Vec<(u64, Change)>,
    },
    QueueSnapshot(Box<QueueSnapshot>),
    CheckpointEnded(Box<CheckpointEnd>),

    /// A capture was refused, for its queue was full. Nothing else says so later.
    CaptureRejected {
        queue: u32,
    },
    /// What requests were answered, for callers that send them again; each with its number. Those before `oldest` are forgotten.
    Answered {
        answers: Vec<(u64, RememberedAnswer)>,
        oldest: u64,
    },
}

/// What a record's document is to its item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Attach {
    Nothing,
    Content,
    /// The content, with the header of a letter before it.
    Filed,
    /// The content, while the one before it is kept as the original.
    Edited,
    Other(DocumentKind),
}

/// Items of one partition were leased to one holder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LeaseFact {
    pub(crate) queue: u32,
    pub(crate) partition: u32,
    /// How many the placement counts as taken by this request.
    pub(crate) assigned: u64,
    /// Where the round of priorities stands now.
    pub(crate) turn: u8,
    pub(crate) deadline: Time,
    pub(crate) slots: Vec<u32>,
    /// The places of letters among them in the feed, from here on.
    pub(crate) change: u64,
}

/// An item with everything that is known of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ItemImage {
    pub(crate) slot: u32,
    pub(crate) item: Item,
    pub(crate) place: DocumentRef,
    pub(crate) docs: Vec<DocumentEntry>,
}

/// What a queue has become in its life, apart from its items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct QueueSnapshot {
    pub(crate) queue: u32,
    pub(crate) tally: LifetimeCounts,
    /// The partitions in the order in which they are chosen.
    pub(crate) placement: Vec<u32>,
    /// The round of priorities of each partition, and of due letters at last.
    pub(crate) turns: Vec<u8>,
}

/// The rest of the state, at the end of its description.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct CheckpointEnd {
    pub(crate) number: u64,
    pub(crate) last_stamp: Stamp,
    pub(crate) next_queue: u32,
    pub(crate) past: LifetimeCounts,
    pub(crate) next_change: u64,
    /// How many items there are: what recovery must have found.
    pub(crate) items: u64,
}
