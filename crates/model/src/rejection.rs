//! Why an operation was rejected. A rejected operation changes nothing, unless its documentation says otherwise.
//!
//! Programs compare the reason of a rejection and read its fields; the sentence is for people. For cases of the queue
//! API, the sentence is also part of that API: clients of Querator compare it up to the first `;`.

use std::collections::BTreeMap;
use std::fmt;

use bytes::Bytes;
use redrive_core::{Category, ItemId, LetterId, QueueName, Span, Status, Strategy};

use crate::rejection_value::RejectionValue;

/// The values of a rejection as text, by their names.
pub type RejectionFields = BTreeMap<String, String>;

/// A rejection of a remote store that has no variant here: it is passed on as it was received.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownRejection {
    /// Empty if the remote store sent none.
    pub reason: String,
    pub fields: RejectionFields,
    pub message: String,
}

/// Defines the rejections: a variant with its named values, its reason, and its sentence. A reason is stable across
/// versions, as are the names of its values.
macro_rules! rejections {
    ($(
        $Variant:ident $(($value:ident: $Value:ty))? $({ $($field:ident: $Field:ty),+ })? =
            $reason:literal: $sentence:literal;
    )+) => {
        /// Why an operation was rejected.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum Rejection {
            $($Variant $(($Value))? $({ $($field: $Field),+ })?,)+
            /// A rejection of a remote store that has no variant here.
            Elsewhere(Box<UnknownRejection>),
        }

        impl Rejection {
            /// Every reason with its sentence, in which a name in braces stands for the value of that name.
            pub const TABLE: &'static [(&'static str, &'static str)] = &[$(($reason, $sentence)),+];

            /// The stable name of the rejection.
            pub fn reason(&self) -> &str {
                match self {
                    $(Self::$Variant { .. } => $reason,)+
                    Self::Elsewhere(unknown) => &unknown.reason,
                }
            }

            /// The values of the rejection.
            pub fn fields(&self) -> RejectionFields {
                match self {
                    $(
                        Self::$Variant $(($value))? $({ $($field),+ })? => fields([
                            $((stringify!($value), $value.to_text()))?
                            $($((stringify!($field), $field.to_text())),+)?
                        ]),
                    )+
                    Self::Elsewhere(unknown) => unknown.fields.clone(),
                }
            }

            /// The variant with this reason; `None` if there is none, or if a value is missing or invalid.
            fn known(reason: &str, fields: &RejectionFields) -> Option<Self> {
                Some(match reason {
                    $(
                        $reason => Self::$Variant
                            $((value::<$Value>(fields, stringify!($value))?))?
                            $({ $($field: value::<$Field>(fields, stringify!($field))?),+ })?,
                    )+
                    _ => return None,
                })
            }
        }

        impl fmt::Display for Rejection {
            #[allow(unused_variables, reason = "not every value is part of the sentence")]
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Self::$Variant $(($value))? $({ $($field),+ })? => write!(f, $sentence),)+
                    Self::Elsewhere(unknown) => f.write_str(&unknown.message),
                }
            }
        }
    };
}

rejections! {
    NoSuchQueue(queue: QueueName) = "no_such_queue":
        "queue does not exist; no such queue named '{queue}'";
    QueueExists(queue: QueueName) = "queue_exists":
        "invalid queue; '{queue}' already exists";
    NoSuchPartition(partition: i64) = "no_such_partition":
        "partition is invalid; '{partition}' is not a valid partition";
    ReferenceTooLong = "reference_too_long":
        "reference field is invalid; cannot be greater than '2000' characters";
    TooManyAttempts = "too_many_attempts":
        "max attempts is invalid; cannot be greater than 65536";
    NoPartitions = "no_partitions":
        "partitions is invalid; cannot be less than 1";
    TooManyPartitions = "too_many_partitions":
        "partitions is invalid; cannot be greater than 1024";
    NoLeaseTimeout = "no_lease_timeout":
        "lease timeout is invalid; cannot be empty";
    NoExpireTimeout = "no_expire_timeout":
        "expire timeout is invalid; cannot be empty";
    LeaseTooLong { lease: Span, expire: Span } = "lease_too_long":
        "lease timeout is too long; {lease} cannot be greater than the expire timeout {expire}";
    TooManyRetries = "too_many_retries":
        "max retries is invalid; cannot be greater than 100";
    DeadQueueNameTooLong = "dead_queue_name_too_long":
        "dead queue is invalid; cannot be greater than '500' characters";
    OwnDeadQueue = "own_dead_queue":
        "dead_queue cannot reference itself";
    NoDeadQueue(queue: QueueName) = "no_dead_queue":
        "dead_queue does not exist; '{queue}' was not found, create it first";
    DeadQueueHasDeadQueue(queue: QueueName) = "dead_queue_has_dead_queue":
        "dead_queue is invalid; '{queue}' already has its own dead_queue configured";
    IsDeadQueue(queue: QueueName) = "is_dead_queue":
        "dead_queue is invalid; '{queue}' is itself a dead queue";
    QueueInUse { queue: QueueName, of: QueueName } = "queue_in_use":
        "queue is in use; '{queue}' is the dead_queue of '{of}'";
    Empty { what: &'static str } = "empty":
        "{what} cannot be empty; at least one is required";
    TooMany { what: &'static str, count: usize, most: usize } = "too_many":
        "{what} is invalid; at most {most} are allowed, but {count} were given";
    TooLarge { bytes: usize, most: usize } = "too_large":
        "the request is too large; {bytes} bytes were given, and at most {most} are allowed";
    ContentTooLong { field: &'static str, most: usize } = "content_too_long":
        "{field} is invalid; cannot be greater than '{most}' characters";
    TooManyHeaders { count: usize, most: usize } = "too_many_headers":
        "headers is invalid; cannot be more than {most} but {count} were given";
    BadSourceId { most: usize } = "bad_source_id":
        "source_id is invalid; must be 1 to {most} characters";
    BadRequestId { most: usize } = "bad_request_id":
        "request_id is invalid; must be 1 to {most} visible ASCII characters";
    RequestIdUsed = "request_id_used":
        "request_id was used for another request; take a new one for each request";
    BadDestination { most: usize } = "bad_destination":
        "destination is invalid; cannot be greater than {most} characters";
    TwiceInRequest(source_id: Box<str>) = "twice_in_request":
        "source_id '{source_id}' is given twice in one request; duplicates are refused in this queue";
    OtherPayloadInRequest(source_id: Box<str>) = "other_payload_in_request":
        "source_id '{source_id}' is given twice in one request, with different payloads";
    NoBatchSize = "no_batch_size":
        "invalid batch size; must be greater than zero";
    BatchTooLarge { given: u64, most: u64 } = "batch_too_large":
        "invalid batch size; max_lease_batch_size is {most}, but {given} was requested";
    BadLease { most: Span } = "bad_lease":
        "lease duration is invalid; must be greater than zero and at most {most}";
    NoClientId = "no_client_id":
        "invalid client id; cannot be empty";
    DuplicateClient = "duplicate_client":
        "duplicate client id; a client cannot make multiple leased requests to the same queue";
    NothingToClear = "nothing_to_clear":
        "invalid clear request; one of 'queue', 'scheduled' must be true";
    NoSuchItem(id: ItemId) = "no_such_item":
        "invalid storage id; '{id}' does not exist";
    NotLeased { id: ItemId, verb: &'static str } = "not_leased":
        "item(s) cannot be {verb}; '{id}' is not marked as leased";
    NoSuchLetter(letter: LetterId) = "no_such_letter":
        "letter '{letter}' does not exist; it was purged, or never was in this queue";
    LetterConflict { letter: LetterId, status: Status, verb: &'static str } = "letter_conflict":
        "letter '{letter}' is {status}; it cannot be {verb}";
    LetterHeld(letter: LetterId) = "letter_held":
        "letter '{letter}' is held; release it first";
    LetterDamaged(letter: LetterId) = "letter_damaged":
        "letter '{letter}' is damaged on disk; export what is left of it, or purge it";
    LetterChanged { letter: LetterId, revision: u64 } = "letter_changed":
        "letter '{letter}' was changed since it was read; its revision is {revision} now, read it again";
    SourceHeld { source_id: Box<str>, by: ItemId } = "source_held":
        "source_id '{source_id}' is held by the live letter '{by}'; archive or purge that one first";
    QueueFull { max_size: u64 } = "queue_full":
        "Dead letter queue is full (max_size={max_size}); resolve letters, raise max_size, or set on_full to overflow";
    TooManyItems { max_items: u64 } = "too_many_items":
        "queue is full; it holds {max_items} items (max_items), lease and complete some or raise the limit";
    OtherPayload { letter: LetterId } = "other_payload":
        "letter '{letter}' has the same source_id and another payload; nothing was overwritten";
    TooManyReplays { replays: u32, most: u32 } = "too_many_replays":
        "origin.replays is invalid; {replays} was given, and at most {most} follows the failures of its letter";
    DuplicateLetter { letter: LetterId } = "duplicate_letter":
        "letter '{letter}' is live with the same source_id; duplicates are refused in this queue";
    NoSuchDependency(letter: LetterId) = "no_such_dependency":
        "depends_on is invalid; letter '{letter}' was purged, or never was in this queue";
    WaitsForItself(letter: LetterId) = "waits_for_itself":
        "depends_on is invalid; letter '{letter}' would wait for itself";
    TooManyDependents { letter: LetterId, most: usize } = "too_many_dependents":
        "depends_on is invalid; {most} letters wait for '{letter}' already, and no more can";
    SettingsChanged = "settings_changed":
        "the settings of the queue were changed meanwhile; read them again";
    ExcludedByPolicy = "excluded_by_policy":
        "this failure is excluded by the policy of its guard; nothing is captured";
    CaptureDisabled = "disabled":
        "letters are disabled in this queue; nothing is captured, set integration_strategy to another one";
    SkippedByStrategy { category: Category, strategy: Strategy } = "skipped_by_strategy":
        "{category} failures are not captured in this queue; its integration_strategy is {strategy}";
    NoCustomBackoff = "no_custom_backoff":
        "retry_policy is invalid; 'custom' needs the delays of this queue, set its custom_backoff first";
    FunctionOfQueue = "function_of_queue":
        "custom_backoff is invalid; a queue cannot store a function, configure it for the store";
    LetterTooLarge { bytes: u64, most: u64 } = "letter_too_large":
        "letter is too large; {bytes} bytes were given and max_letter_bytes is {most}";
    MetadataTooLarge { bytes: usize, most: usize } = "metadata_too_large":
        "metadata is invalid; it takes {bytes} bytes as JSON, and at most {most} are kept";
    MetadataTooMany { entries: usize, most: usize } = "metadata_too_many":
        "metadata is invalid; it has {entries} keys and list entries, and at most {most} are kept";
    MetadataTooDeep { depth: usize, most: usize } = "metadata_too_deep":
        "metadata is invalid; it is nested {depth} deep, and at most {most} levels are kept";
    BadKey { most: usize } = "bad_key":
        "key is invalid; must be 1 to {most} bytes";
    ReservedKey = "reserved_key":
        "key is reserved; keys that begin with the bytes 00 02 belong to the store";
    ValueTooLong { most: usize } = "value_too_long":
        "value is invalid; cannot be greater than {most} bytes";
    KeyChanged { key: Bytes } = "key_changed":
        "key was changed by another writer; read it again";
    KeysNotAllowed = "keys_not_allowed":
        "a lease or a claim cannot write keys; write them in a separate request";
    KeysFull { most: usize } = "keys_full":
        "the key space is full; it holds at most {most} bytes, delete entries first";
    BadCursor { most: usize } = "bad_cursor":
        "cursor name is invalid; must be 1 to {most} characters";
    TooManyCursors { most: usize } = "too_many_cursors":
        "too many cursors; at most {most} are allowed";
    NoSuchCursor(cursor: String) = "no_such_cursor":
        "no such cursor; register '{cursor}' first";
    BadPosition = "bad_position":
        "the cursor's position is invalid; it is beyond the newest change";
    NoSlots = "no_slots":
        "the store is full; it holds the maximum number of items";
    NoFailure(id: ItemId) = "no_failure":
        "item '{id}' has no failure record, so it is not a letter; import it as an item";
    LetterElsewhere { letter: LetterId, queue: QueueName } = "letter_elsewhere":
        "letter '{letter}' is in the queue '{queue}'; reinstate it there, or purge it first";
    OtherLetter { letter: LetterId } = "other_letter":
        "letter '{letter}' exists with the same revision and differs; nothing was overwritten";
    OlderLetter { letter: LetterId, revision: u64 } = "older_letter":
        "letter '{letter}' exists with the older revision {revision}; request that older revisions are replaced";
}

impl std::error::Error for Rejection {}

impl Rejection {
    /// The rejection that another process reported with these parts. One of an unknown reason, or with missing or
    /// invalid values, becomes [`Elsewhere`](Self::Elsewhere), which keeps all parts.
    pub fn from_parts(reason: impl Into<String>, fields: RejectionFields, message: impl Into<String>) -> Self {
        let reason = reason.into();
        Self::known(&reason, &fields)
            .unwrap_or_else(|| Self::Elsewhere(Box::new(UnknownRejection { reason, fields, message: message.into() })))
    }
}

fn fields<const N: usize>(values: [(&str, String); N]) -> RejectionFields {
    values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn value<T: RejectionValue>(fields: &RejectionFields, name: &str) -> Option<T> {
    T::of_text(fields.get(name)?)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use redrive_core::{Ksuid, Time};

    use super::*;
    use crate::{DeadCause, RetryAt, SettleAction};

    /// A valid text of each value.
    fn text_of(reason: &str, name: &str) -> String {
        let text = match (reason, name) {
            (_, "queue" | "of") => "a-b",
            (_, "source_id" | "cursor") => "it's 'this'; or {that}",
            (_, "id" | "letter" | "by") => return Ksuid::MAX.to_string(),
            (_, "what" | "field") => "items",
            (_, "verb") => "extended",
            (_, "lease" | "expire") | ("bad_lease", "most") => "1m30s",
            (_, "status") => "archived",
            (_, "category") => "permission",
            (_, "strategy") => "selective",
            (_, "key") => "00ff",
            _ => "7",
        };
        text.to_owned()
    }

    /// One rejection of each reason.
    fn each() -> Vec<Rejection> {
        const NAMES: &str = "queue of partition lease expire what count most bytes field source_id given id verb letter \
            status revision by max_size max_items replays category strategy entries depth key cursor";
        let rejection = |reason: &str| {
            let fields = NAMES.split(' ').map(|name| (name.to_owned(), text_of(reason, name))).collect();
            Rejection::from_parts(reason, fields, "x")
        };
        Rejection::TABLE.iter().map(|(reason, _)| rejection(reason)).collect()
    }

    #[test]
    fn every_rejection_survives_the_way_over_its_parts_without_its_sentence() {
        for rejection in each() {
            assert!(!matches!(rejection, Rejection::Elsewhere(_)), "{rejection:?}");
            let again = Rejection::from_parts(rejection.reason(), rejection.fields(), "x");
            assert_eq!(again, rejection);
            assert_eq!(again.to_string(), rejection.to_string());
        }
    }

    #[test]
    fn reasons_differ_and_no_value_has_the_name_of_an_entry_of_a_reply() {
        let reasons: BTreeSet<&str> = Rejection::TABLE.iter().map(|(reason, _)| *reason).collect();
        assert_eq!(reasons.len(), Rejection::TABLE.len());
        assert!(reasons.iter().all(|reason| reason.bytes().all(|byte| byte == b'_' || byte.is_ascii_lowercase())));
        for rejection in each() {
            let fields = rejection.fields();
            assert!(!fields.contains_key("reason") && !fields.contains_key("rejection"), "{rejection:?}");
        }
    }

    #[test]
    fn a_missing_or_invalid_value_or_an_unknown_reason_keeps_all_parts() {
        let fields = |value: &str| fields([("queue", value.to_owned())]);
        for (reason, fields) in [
            ("no_such_queue", RejectionFields::new()),
            ("no_such_queue", fields("")),
            ("of_the_future", fields("orders")),
            ("", RejectionFields::new()),
        ] {
            let unknown = Rejection::from_parts(reason, fields.clone(), "no; not today");
            assert!(matches!(unknown, Rejection::Elsewhere(_)), "{unknown:?}");
            assert_eq!(unknown.to_string(), "no; not today");
            assert_eq!((unknown.reason(), unknown.fields()), (reason, fields));
            assert_eq!(Rejection::from_parts(unknown.reason(), unknown.fields(), unknown.to_string()), unknown);
        }
    }

    #[test]
    fn each_participle_of_an_action_is_a_known_word() {
        let actions = [
            SettleAction::Complete { attempt: None },
            SettleAction::Retry { at: RetryAt::Undecided(None), attempt: None, charged: true },
            SettleAction::Dead { attempt: None, why: DeadCause::Permanent },
            SettleAction::Release,
            SettleAction::Defer { until: Time::EPOCH },
            SettleAction::Lost,
            SettleAction::RedeliverForHandOver { at: Time::MIN, attempt: None },
            SettleAction::Note { lease: Span::ZERO, notes: Box::default() },
        ];
        let id = ItemId::new(Ksuid::MAX);
        for verb in actions.iter().map(SettleAction::participle).chain(["extended"]) {
            let rejection = Rejection::NotLeased { id, verb };
            assert_eq!(Rejection::from_parts(rejection.reason(), rejection.fields(), ""), rejection);
        }
        for what in ["items", "ids", "letters", "depends_on", "attempts", "notes"] {
            let rejection = Rejection::Empty { what };
            assert_eq!(Rejection::from_parts(rejection.reason(), rejection.fields(), ""), rejection);
        }
        for field in ["kind", "encoding", "reference", "key", "header"] {
            let rejection = Rejection::ContentTooLong { field, most: 1 };
            assert_eq!(Rejection::from_parts(rejection.reason(), rejection.fields(), ""), rejection);
        }
    }
}
