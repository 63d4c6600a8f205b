//! Everything that can be asked of a store, and every answer.

use std::sync::Arc;

use bytes::Bytes;
use redrive_core::{LetterId, QueueName, Span, Time};
use redrive_queue::{
    ActOnSeen, Acted, Annotate, Archive, Attempt, Capture, Captured, Changes, Claim, ClaimLetters, Clear, Conservation,
    Content, CreateQueue, Cursor, DeleteItems, DeleteQueue, Dossier, Edit, Extend, FaultGroup, FindLetters,
    FoundLetters, GetItem, GetKey, GetLetter, GetQueue, Groups, Import, ItemInfo, KeyEntry, ListItems, ListLetters,
    ListQueues, Produce, Produced, Purge, QueueSettings, QueueStats, Refusal, Reinstate, Reinstated, Restore, ScanKeys,
    Settle, Settled, Stats, UpdateQueue, Wanted, WholeLetter, WriteKeys,
};

/// A request. What each one does is said at the verb of [`Store`](crate::Store) that makes it.
#[derive(Debug, Clone)]
pub enum Operation {
    CreateQueue(Box<CreateQueue>),
    UpdateQueue(Box<UpdateQueue>),
    DeleteQueue(DeleteQueue),
    GetQueue(GetQueue),
    ListQueues(ListQueues),
    Stats(Stats),
    Produce(Produce),
    Lease(LeaseRequest),
    Extend(Extend),
    Settle(Settle),
    Clear(Clear),
    Import(Import),
    DeleteItems(DeleteItems),
    ListItems(ListItems),
    GetItem(GetItem),
    Capture(Capture),
    Claim(ClaimRequest),
    ClaimLetters(ClaimLetters),
    Archive(Archive),
    Restore(Restore),
    Edit(Edit),
    Purge(Purge),
    Annotate(Annotate),
    GetLetter(GetLetter),
    ListLetters(ListLetters),
    FindLetters(FindLetters),
    Groups(Groups),
    WriteKeys(WriteKeys),
    GetKey(GetKey),
    ScanKeys(ScanKeys),
    Cursor(Cursor),
    Changes(ChangesRequest),
    /// What came in, what is there, how the rest ended.
    Conservation,
    Reinstate(Reinstate),
    ActOnSeen(ActOnSeen),
}

/// A lease, for which the caller waits.
#[derive(Debug, Clone)]
pub struct LeaseRequest {
    pub queue: QueueName,
    /// Who asks; the same one may wait once a queue. Nobody in particular, if nothing is said.
    pub client_id: Option<String>,
    pub wanted: Wanted,
    /// How long to wait for the first item.
    pub wait: Span,
}

/// A claim of due letters, for which the caller waits.
#[derive(Debug, Clone)]
pub struct ClaimRequest {
    pub claim: Claim,
    /// How long to wait for the first letter.
    pub wait: Span,
}

/// A look at the feed, for which the caller may wait.
#[derive(Debug, Clone)]
pub struct ChangesRequest {
    pub changes: Changes,
    /// How long to wait for a change, where there is none; the answer is an empty page then.
    pub wait: Span,
}

/// An answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    Done,
    Count(u64),
    Position(u64),
    Settings(Box<QueueSettings>),
    Queues(Vec<QueueSettings>),
    Stats(Box<QueueStats>),
    Produced(Produced),
    Leased(Leased),
    Deadlines(Vec<Time>),
    Settled(Settled),
    Imported(Vec<Option<ItemInfo>>),
    Items(Vec<Stored>),
    Captured(Vec<Captured>),
    Letter(Box<LetterRecord>),
    Info(Box<ItemInfo>),
    Groups(Vec<FaultGroup>),
    Found(FoundLetters),
    Key(Option<KeyEntry>),
    Keys(Vec<KeyEntry>),
    Changes(FeedPage),
    Conservation(Conservation),
    Reinstated(Vec<Result<Reinstated, Refusal>>),
    Acted(Vec<Acted>),
}

/// Items that were leased: all of one partition.
#[derive(Debug, Clone, PartialEq)]
pub struct Leased {
    pub partition: u32,
    pub items: Vec<Stored>,
}

/// An item with its content.
#[derive(Debug, Clone, PartialEq)]
pub struct Stored {
    pub info: ItemInfo,
    pub content: Arc<Content>,
    /// Told to whoever takes it to work on it, where there is something to tell.
    pub story: Option<Box<Story>>,
}

/// What whoever works on an item should know about it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Story {
    /// What was said of a letter at its capture.
    pub dossier: Option<Dossier>,
    /// The named pieces that are still to be done, where some are done.
    pub parts: Option<Vec<String>>,
}

/// A letter with everything that is kept about it.
#[derive(Debug, Clone, PartialEq)]
pub struct LetterRecord {
    pub item: Stored,
    pub dossier: Option<Dossier>,
    /// The first and the newest, oldest first.
    pub attempts: Vec<Attempt>,
    /// The content before it was edited.
    pub original: Option<Arc<Content>>,
    pub notes: Vec<Bytes>,
    /// The named pieces that are still to be done, where some are done.
    pub parts: Option<Vec<String>>,
}

impl From<LetterRecord> for WholeLetter {
    fn from(record: LetterRecord) -> Self {
        let LetterRecord { item, dossier, attempts, original, notes, parts } = record;
        Self { info: item.info, content: item.content, dossier, attempts, original, notes, parts }
    }
}

/// A part of the feed of changed letters.
#[derive(Debug, Clone, PartialEq)]
pub struct FeedPage {
    pub changes: Vec<FeedChange>,
    /// What to advance to once these are dealt with.
    pub position: u64,
    /// How many changes wait for some reader.
    pub depth: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub enum FeedChange {
    Now { queue: QueueName, letter: Box<LetterRecord> },
    Gone { queue: QueueName, letter: LetterId },
    QueueGone { queue: QueueName },
}
