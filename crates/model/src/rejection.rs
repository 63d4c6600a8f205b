//! Why an operation was rejected. A rejected operation changes nothing, unless its documentation says otherwise.
//!
//! For cases of the queue API, the text is part of the API: clients compare it up to the first `;`.

use bytes::Bytes;
use redrive_core::{Category, ItemId, LetterId, QueueName, Span, Status, Strategy};

use crate::ContentError;

/// Why an operation was rejected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Rejection {
    #[error("queue does not exist; no such queue named '{0}'")]
    NoSuchQueue(QueueName),
    #[error("invalid queue; '{0}' already exists")]
    QueueExists(QueueName),
    #[error("partition is invalid; '{0}' is not a valid partition")]
    NoSuchPartition(i64),
    #[error("reference field is invalid; cannot be greater than '2000' characters")]
    ReferenceTooLong,
    #[error("max attempts is invalid; cannot be greater than 65536")]
    TooManyAttempts,
    #[error("partitions is invalid; cannot be less than 1")]
    NoPartitions,
    #[error("partitions is invalid; cannot be greater than 1024")]
    TooManyPartitions,
    #[error("lease timeout is invalid; cannot be empty")]
    NoLeaseTimeout,
    #[error("expire timeout is invalid; cannot be empty")]
    NoExpireTimeout,
    #[error("lease timeout is too long; {lease} cannot be greater than the expire timeout {expire}")]
    LeaseTooLong { lease: Span, expire: Span },
    #[error("max retries is invalid; cannot be greater than 100")]
    TooManyRetries,
    #[error("dead queue is invalid; cannot be greater than '500' characters")]
    DeadQueueNameTooLong,
    #[error("dead_queue cannot reference itself")]
    OwnDeadQueue,
    #[error("dead_queue does not exist; '{0}' was not found, create it first")]
    NoDeadQueue(QueueName),
    #[error("dead_queue is invalid; '{0}' already has its own dead_queue configured")]
    DeadQueueHasDeadQueue(QueueName),
    #[error("dead_queue is invalid; '{0}' is itself a dead queue")]
    IsDeadQueue(QueueName),
    #[error("queue is in use; '{queue}' is the dead_queue of '{of}'")]
    QueueInUse { queue: QueueName, of: QueueName },
    #[error("{what} cannot be empty; at least one is required")]
    Empty { what: &'static str },
    #[error("{what} is invalid; at most {most} are allowed, but {count} were given")]
    TooMany { what: &'static str, count: usize, most: usize },
    #[error("the request is too large; {bytes} bytes were given, and at most {most} are allowed")]
    TooLarge { bytes: usize, most: usize },
    #[error(transparent)]
    Content(#[from] ContentError),
    #[error("source_id is invalid; must be 1 to {most} characters")]
    BadSourceId { most: usize },
    #[error("request_id is invalid; must be 1 to {most} visible ASCII characters")]
    BadRequestId { most: usize },
    #[error("request_id was used for another request; take a new one for each request")]
    RequestIdUsed,
    #[error("destination is invalid; cannot be greater than {most} characters")]
    BadDestination { most: usize },
    #[error("source_id '{0}' is given twice in one request; duplicates are refused in this queue")]
    TwiceInRequest(Box<str>),
    #[error("source_id '{0}' is given twice in one request, with different payloads")]
    OtherPayloadInRequest(Box<str>),
    #[error("invalid batch size; must be greater than zero")]
    NoBatchSize,
    #[error("invalid batch size; max_lease_batch_size is {most}, but {given} was requested")]
    BatchTooLarge { given: u64, most: u64 },
    #[error("lease duration is invalid; must be greater than zero and at most {most}")]
    BadLease { most: Span },
    #[error("invalid client id; cannot be empty")]
    NoClientId,
    #[error("duplicate client id; a client cannot make multiple leased requests to the same queue")]
    DuplicateClient,
    #[error("invalid clear request; one of 'queue', 'scheduled' must be true")]
    NothingToClear,
    #[error("invalid storage id; '{0}' does not exist")]
    NoSuchItem(ItemId),
    #[error("item(s) cannot be {verb}; '{id}' is not marked as leased")]
    NotLeased { id: ItemId, verb: &'static str },
    #[error("letter '{0}' does not exist; it was purged, or never was in this queue")]
    NoSuchLetter(LetterId),
    #[error("letter '{letter}' is {status}; it cannot be {verb}")]
    LetterConflict { letter: LetterId, status: Status, verb: &'static str },
    #[error("letter '{0}' is held; release it first")]
    LetterHeld(LetterId),
    #[error("letter '{0}' is damaged on disk; export what is left of it, or purge it")]
    LetterDamaged(LetterId),
    #[error("letter '{letter}' was changed since it was read; its revision is {revision} now, read it again")]
    LetterChanged { letter: LetterId, revision: u64 },
    #[error("source_id '{source_id}' is held by the live letter '{by}'; archive or purge that one first")]
    SourceHeld { source_id: Box<str>, by: ItemId },
    #[error("Dead letter queue is full (max_size={max_size})")]
    QueueFull { max_size: u64 },
    #[error("queue is full; it holds {max_items} items (max_items), lease and complete some or raise the limit")]
    TooManyItems { max_items: u64 },
    #[error("letter '{letter}' has the same source_id and another payload; nothing was overwritten")]
    OtherPayload { letter: LetterId },
    #[error("origin.replays is invalid; {replays} was given, and at most {most} follows the failures of its letter")]
    TooManyReplays { replays: u32, most: u32 },
    #[error("letter '{letter}' is live with the same source_id; duplicates are refused in this queue")]
    DuplicateLetter { letter: LetterId },
    #[error("depends_on is invalid; letter '{0}' was purged, or never was in this queue")]
    NoSuchDependency(LetterId),
    #[error("depends_on is invalid; letter '{0}' would wait for itself")]
    WaitsForItself(LetterId),
    #[error("depends_on is invalid; {most} letters wait for '{letter}' already, and no more can")]
    TooManyDependents { letter: LetterId, most: usize },
    #[error("the settings of the queue were changed meanwhile; read them again")]
    SettingsChanged,
    #[error("this failure is excluded by the policy of its guard; nothing is captured")]
    ExcludedByPolicy,
    #[error("letters are disabled in this queue; nothing is captured, set integration_strategy to another one")]
    CaptureDisabled,
    #[error("{category} failures are not captured in this queue; its integration_strategy is {strategy}")]
    SkippedByStrategy { category: Category, strategy: Strategy },
    #[error("retry_policy is invalid; 'custom' needs the delays of this queue, set its custom_backoff first")]
    NoCustomBackoff,
    #[error("custom_backoff is invalid; a queue cannot store a function, configure it for the store")]
    FunctionOfQueue,
    #[error("letter is too large; {bytes} bytes were given and max_letter_bytes is {most}")]
    LetterTooLarge { bytes: u64, most: u64 },
    #[error("metadata is invalid; it takes {bytes} bytes as JSON, and at most {most} are kept")]
    MetadataTooLarge { bytes: usize, most: usize },
    #[error("metadata is invalid; it has {entries} keys and list entries, and at most {most} are kept")]
    MetadataTooMany { entries: usize, most: usize },
    #[error("metadata is invalid; it is nested {depth} deep, and at most {most} levels are kept")]
    MetadataTooDeep { depth: usize, most: usize },
    #[error("key is invalid; must be 1 to {most} bytes")]
    BadKey { most: usize },
    #[error("key is reserved; keys that begin with the bytes 00 02 belong to the store")]
    ReservedKey,
    #[error("value is invalid; cannot be greater than {most} bytes")]
    ValueTooLong { most: usize },
    #[error("key was changed by another writer; read it again")]
    KeyChanged { key: Bytes },
    #[error("a lease or a claim cannot write keys; write them in a separate request")]
    KeysNotAllowed,
    #[error("the key space is full; it holds at most {most} bytes, delete entries first")]
    KeysFull { most: usize },
    #[error("cursor name is invalid; must be 1 to {most} characters")]
    BadCursor { most: usize },
    #[error("too many cursors; at most {most} are allowed")]
    TooManyCursors { most: usize },
    #[error("no such cursor; register '{0}' first")]
    NoSuchCursor(String),
    #[error("the cursor's position is invalid; it is beyond the newest change")]
    BadPosition,
    #[error("the store is full; it holds the maximum number of items")]
    NoSlots,
    #[error("item '{0}' has no failure record, so it is not a letter; import it as an item")]
    NoFailure(ItemId),
    #[error("letter '{letter}' is in the queue '{queue}'; reinstate it there, or purge it first")]
    LetterElsewhere { letter: LetterId, queue: QueueName },
    #[error("letter '{letter}' exists with the same revision and differs; nothing was overwritten")]
    OtherLetter { letter: LetterId },
    #[error("letter '{letter}' exists with the older revision {revision}; request that older revisions are replaced")]
    OlderLetter { letter: LetterId, revision: u64 },
    /// A rejection of a remote store that has no variant here, with the text of that store.
    #[error("{0}")]
    Elsewhere(Box<str>),
}
