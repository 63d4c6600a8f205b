//! The facts that can be recorded.

use redrive_core::Time;
use redrive_model::codec::StoreFormat;
use redrive_model::{
    DocumentEntry, DocumentKind, DocumentRef, EndReason, Event, Item, KeyChange, LifetimeCounts, QueueSettings, Stamp,
};

use crate::answers::RememberedAnswer;
use crate::feed::Change;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fact {
    /// The format of the store. Its first record.
    Format(StoreFormat),
    /// A queue was created or changed.
    QueueSet {
        queue: u32,
        settings: Box<QueueSettings>,
    },
    /// A queue was deleted with all of its items.
    QueueGone {
        queue: u32,
        change: u64,
    },
    /// The new state of an item. It may have been moved from another queue.
    Item {
        event: Event,
        slot: u32,
        item: Item,
        attach: Attach,
    },
    /// A further document of an item, contained in this record.
    Document {
        slot: u32,
        attach: Attach,
    },
    Leased(LeaseFact),
    /// Leases were extended.
    Extended {
        deadlines: Vec<(u32, Time)>,
    },
    /// Items were removed. The letters among them get consecutive positions in the feed from `change` on.
    Gone {
        ending: EndReason,
        slots: Vec<u32>,
        change: u64,
    },
    /// Whole orders of a queue were cleared.
    Cleared {
        queue: u32,
        ready: bool,
        leased: bool,
        scheduled: bool,
        up_to: u64,
    },
    /// The slots of cleared items are free again.
    Reclaimed {
        slots: Vec<u32>,
    },
    Keys {
        changes: Vec<KeyChange>,
    },
    /// The position of a cursor of the feed; `None` if the cursor was removed.
    Cursor {
        name: String,
        position: Option<u64>,
    },
    /// A document of an item was written again, in this record.
    Relocated {
        slot: u32,
        old: DocumentRef,
        is_filed: bool,
    },

    // The facts of a checkpoint: the current state, for a recovery that begins here.
    CheckpointBegan {
        number: u64,
        format: StoreFormat,
    },
    Images {
        images: Vec<ItemImage>,
    },
    /// Entries of the feed about removed letters and queues.
    Tombstones {
        entries: Vec<(u64, Change)>,
    },
    QueueSnapshot(Box<QueueSnapshot>),
    CheckpointEnded(Box<CheckpointEnd>),

    /// A capture was rejected because its queue was full. Recorded for the counter only.
    CaptureRejected {
        queue: u32,
    },
    /// Answers to requests with an id, each with its number, for callers that repeat a request. Answers before `oldest`
    /// are dropped.
    Answered {
        answers: Vec<(u64, RememberedAnswer)>,
        oldest: u64,
    },
}

/// The role of a record's document in its item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Attach {
    Nothing,
    Content,
    /// The content, with the header of a letter before it.
    Filed,
    /// An edited content; the first content is kept as the original.
    Edited,
    Other(DocumentKind),
}

/// Items of one partition were leased to one holder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LeaseFact {
    pub(crate) queue: u32,
    pub(crate) partition: u32,
    /// The number of items that the placement counts as taken by this request.
    pub(crate) assigned: u64,
    /// The new position of the priority rotation.
    pub(crate) turn: u8,
    pub(crate) deadline: Time,
    pub(crate) slots: Vec<u32>,
    /// The first position in the feed of the letters among them.
    pub(crate) change: u64,
    /// The time of the lease, if there are letters among them.
    pub(crate) at: Option<Time>,
    /// The time of the lease, if it is noted as the first delivery of the plain items among them.
    pub(crate) received_at: Option<Time>,
}

/// An item with the places of all of its documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ItemImage {
    pub(crate) slot: u32,
    pub(crate) item: Item,
    pub(crate) place: DocumentRef,
    pub(crate) docs: Vec<DocumentEntry>,
}

/// The state of a queue besides its settings and items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct QueueSnapshot {
    pub(crate) queue: u32,
    pub(crate) counts: LifetimeCounts,
    /// The partitions in assignment order.
    pub(crate) placement: Vec<u32>,
    /// The priority rotation of each partition, then that of due letters.
    pub(crate) rotations: Vec<u8>,
}

/// The rest of the state, at the end of a checkpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct CheckpointEnd {
    pub(crate) number: u64,
    pub(crate) last_stamp: Stamp,
    pub(crate) next_queue: u32,
    pub(crate) past: LifetimeCounts,
    pub(crate) next_change: u64,
    /// The number of items, which recovery checks.
    pub(crate) items: u64,
}
