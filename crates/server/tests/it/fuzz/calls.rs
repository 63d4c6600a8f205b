//! The calls and their messages: field numbers, names, and typical values.

/// The kind of values of a field.
#[derive(Debug, Clone, Copy)]
pub(super) enum Shape {
    Queue,
    Timeout,
    Id,
    Text,
    /// Usually one of these.
    Word(&'static [&'static str]),
    Number,
    Partition,
    Flag,
    Time,
    Bytes,
    Message(&'static [Field]),
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Field {
    pub(super) number: u32,
    pub(super) name: &'static str,
    pub(super) shape: Shape,
    pub(super) is_repeated: bool,
}

const fn one(number: u32, name: &'static str, shape: Shape) -> Field {
    Field { number, name, shape, is_repeated: false }
}

const fn many(number: u32, name: &'static str, shape: Shape) -> Field {
    Field { number, name, shape, is_repeated: true }
}

use Shape::{Bytes, Flag, Id, Message, Number, Partition, Queue, Text, Time, Timeout, Word};

const CLIENTS: Shape = Word(&["a", "b", "c"]);
const NAMESPACES: Shape = Word(&["", "_system"]);

const PRODUCE_ITEM: &[Field] = &[
    one(1, "encoding", Text),
    one(2, "kind", Text),
    one(3, "reference", Text),
    one(4, "enqueue_at", Time),
    one(5, "bytes", Bytes),
    one(6, "utf8", Text),
];
const PRODUCE: &[Field] =
    &[one(1, "queue_name", Queue), one(2, "request_timeout", Timeout), many(3, "items", Message(PRODUCE_ITEM))];
const LEASE: &[Field] = &[
    one(1, "queue_name", Queue),
    one(2, "batch_size", Number),
    one(3, "client_id", CLIENTS),
    one(4, "request_timeout", Timeout),
];
const COMPLETE: &[Field] = &[
    one(1, "queue_name", Queue),
    one(2, "partition", Partition),
    one(3, "request_timeout", Timeout),
    many(4, "ids", Id),
];
const RETRY_ITEM: &[Field] = &[one(1, "id", Id), one(2, "retry_at", Time), one(3, "dead", Flag)];
const RETRY: &[Field] =
    &[one(1, "queue_name", Queue), one(2, "partition", Partition), many(3, "items", Message(RETRY_ITEM))];
const CLEAR: &[Field] =
    &[one(1, "queue_name", Queue), one(3, "scheduled", Flag), one(4, "queue", Flag), one(5, "destructive", Flag)];
const NAME: &[Field] = &[one(1, "queue_name", Queue)];
const INFO: &[Field] = &[
    one(1, "queue_name", Word(&["q", "new", "newer", "newest"])),
    one(2, "created_at", Time),
    one(3, "updated_at", Time),
    one(4, "dead_queue", Word(&["", "dead"])),
    one(5, "reference", Text),
    one(6, "lease_timeout", Timeout),
    one(7, "expire_timeout", Timeout),
    one(8, "max_attempts", Number),
    one(9, "requested_partitions", Number),
    many(10, "partitions", Message(&[one(1, "partition", Number)])),
    one(11, "namespace", NAMESPACES),
];
const LIST_QUEUES: &[Field] = &[one(2, "pivot", Queue), one(3, "limit", Number), one(4, "namespace", NAMESPACES)];
const DELETE: &[Field] = &[one(1, "queue_name", Queue), one(2, "force", Flag)];
const LIST: &[Field] =
    &[one(1, "queue_name", Queue), one(2, "partition", Partition), one(3, "pivot", Id), one(4, "limit", Number)];
const STORAGE_ITEM: &[Field] = &[
    one(1, "id", Id),
    one(2, "source_id", Text),
    one(3, "is_leased", Flag),
    one(4, "lease_deadline", Time),
    one(5, "expire_deadline", Time),
    one(6, "dead_deadline", Time),
    one(7, "created_at", Time),
    one(8, "updated_at", Time),
    one(9, "enqueue_at", Time),
    one(10, "attempts", Number),
    one(11, "max_attempts", Number),
    one(12, "reference", Text),
    one(13, "encoding", Text),
    one(14, "kind", Text),
    one(15, "payload", Bytes),
];
const IMPORT: &[Field] =
    &[one(1, "queue_name", Queue), one(2, "partition", Partition), many(3, "items", Message(STORAGE_ITEM))];
const DELETE_ITEMS: &[Field] = &[one(1, "queue_name", Queue), one(2, "partition", Partition), many(3, "ids", Id)];
const EXTEND: &[Field] = &[
    one(1, "queue_name", Queue),
    one(2, "partition", Partition),
    many(3, "ids", Id),
    one(4, "lease_timeout", Timeout),
];
const PUT_ITEM: &[Field] = &[
    one(1, "encoding", Text),
    one(4, "enqueue_at", Time),
    one(5, "bytes", Bytes),
    one(7, "key", Bytes),
    many(8, "headers", Message(&[one(1, "name", Text), one(2, "value", Bytes)])),
    one(9, "message_id", Text),
    one(10, "priority", Word(&["high", "medium", "low"])),
    one(11, "expire_timeout", Timeout),
];
const PUT: &[Field] =
    &[one(1, "queue_name", Queue), one(2, "request_timeout", Timeout), many(3, "items", Message(PUT_ITEM))];
const CLAIM: &[Field] = &[
    one(1, "queue_name", Queue),
    one(2, "batch_size", Number),
    one(3, "client_id", CLIENTS),
    one(4, "request_timeout", Timeout),
    one(5, "lease_timeout", Timeout),
];
const ATTEMPT: &[Field] = &[
    one(1, "trigger", Word(&["automatic", "manual"])),
    one(2, "outcome", Word(&["success", "failure", "partial"])),
    one(3, "started_at", Time),
    one(4, "ended_at", Time),
    one(5, "cause", Word(&["lost", "aborted", "timed_out", "late"])),
    one(6, "error_type", Text),
    one(7, "error", Text),
    one(8, "category", Word(&["transient", "permanent"])),
    one(10, "fingerprint", Word(&[""])),
    many(11, "failed_parts", Text),
];
const FAULT: &[Field] = &[
    one(1, "error", Text),
    one(2, "error_type", Text),
    one(3, "http_status", Number),
    one(6, "category", Word(&["network", "validation"])),
];
const SETTLE_ITEM: &[Field] = &[
    one(1, "id", Id),
    one(2, "attempt", Message(ATTEMPT)),
    one(3, "fault", Message(FAULT)),
    one(10, "ack", Message(&[])),
    one(11, "retry", Message(&[one(1, "at", Time), one(2, "is_free", Flag), one(3, "is_decided", Flag)])),
    one(12, "dead_letter", Message(&[one(1, "why", Word(&["exhausted", "permanent", "spent"]))])),
    one(13, "drop", Message(&[])),
    one(14, "defer", Message(&[one(1, "until", Time)])),
    one(15, "release", Message(&[])),
    one(16, "condemn", Message(&[])),
];
const SETTLE: &[Field] = &[
    one(1, "queue_name", Queue),
    one(2, "partition", Partition),
    many(3, "items", Message(SETTLE_ITEM)),
    one(4, "stop_at_refused", Flag),
];
/// A settle with one verb only: in JSON an item with several verbs is always rejected.
const SETTLE_ONE: &[Field] = &[
    one(1, "queue_name", Queue),
    one(2, "partition", Partition),
    many(
        3,
        "items",
        Message(&[
            one(1, "id", Id),
            one(2, "attempt", Message(ATTEMPT)),
            one(3, "fault", Message(FAULT)),
            one(11, "retry", Message(&[one(1, "at", Time)])),
        ]),
    ),
    one(4, "stop_at_refused", Flag),
];

const STATUS: &[Field] = &[one(1, "namespace", NAMESPACES), one(2, "pivot", Queue), one(3, "limit", Number)];
const STATUS_QUEUES: &[Field] =
    &[one(1, "queue_name", Queue), one(2, "namespace", NAMESPACES), one(3, "pivot", Queue), one(4, "limit", Number)];

/// The calls that receive random requests.
pub(super) const CALLS: [(&str, &[Field]); 26] = [
    ("/v1/queue.produce", PRODUCE),
    ("/v1/queue.lease", LEASE),
    ("/v1/queue.complete", COMPLETE),
    ("/v1/queue.retry", RETRY),
    ("/v1/queue.clear", CLEAR),
    ("/v1/queue.stats", NAME),
    ("/v1/queue.reload", NAME),
    ("/v1/queue.extend", EXTEND),
    ("/v1/queue.pause", NAME),
    ("/v1/queue.resume", NAME),
    ("/v1/queue.put", PUT),
    ("/v1/queue.claim", CLAIM),
    ("/v1/queue.settle", SETTLE),
    ("/v1/queue.settle", SETTLE_ONE),
    ("/v1/queues.create", INFO),
    ("/v1/queues.update", INFO),
    ("/v1/queues.list", LIST_QUEUES),
    ("/v1/queues.info", NAME),
    ("/v1/queues.delete", DELETE),
    ("/v1/storage/items.list", LIST),
    ("/v1/storage/scheduled.list", LIST),
    ("/v1/storage/damaged.list", LIST),
    ("/v1/storage/items.import", IMPORT),
    ("/v1/storage/items.delete", DELETE_ITEMS),
    ("/v1/status.get", STATUS),
    ("/v1/status.queues", STATUS_QUEUES),
];
