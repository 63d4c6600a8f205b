//! Every record conforms to `proto/store/v1/records.proto`.

use std::collections::BTreeSet;
use std::path::Path;

use protox::prost::Message;
use protox::prost_reflect::{DescriptorPool, DynamicMessage};
use redrive_model::{CorruptRecord, DocumentRef};
use redrive_queue::{Checkpoint, Facts, State};

use crate::model::{History, Plan, USUAL};

/// The message of each kind of record, from [`FIRST_KIND`] on.
const MESSAGES: [&str; 21] = [
    "Format",
    "QueueSet",
    "QueueGone",
    "ItemChanged",
    "DocumentAdded",
    "Leased",
    "Extended",
    "Gone",
    "Cleared",
    "Reclaimed",
    "Keys",
    "Cursor",
    "Relocated",
    "CheckpointBegan",
    "Images",
    "Tombstones",
    "QueueSnapshot",
    "CheckpointEnded",
    "CaptureRejected",
    "SetAside",
    "Answered",
];
const FIRST_KIND: u8 = 32;
/// Reserved: no version writes it yet.
const RESERVED: u8 = 51;
const HISTORIES: u64 = 60;

fn descriptors() -> DescriptorPool {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proto");
    let files = protox::compile(["store/v1/records.proto"], [root]).unwrap();
    DescriptorPool::from_file_descriptor_set(files).unwrap()
}

/// The message in the body of a record, after its length.
fn message_of(body: &[u8]) -> &[u8] {
    let (len, rest) = body.split_first_chunk::<4>().unwrap();
    &rest[..u32::from_le_bytes(*len) as usize]
}

/// Decodes a record with its descriptor, and checks that it has no unknown fields and the canonical encoding.
fn check(pool: &DescriptorPool, kind: u8, body: &[u8]) {
    let name = MESSAGES[usize::from(kind - FIRST_KIND)];
    let descriptor = pool.get_message_by_name(&format!("redrive.store.v1.{name}")).unwrap();
    let written = message_of(body);
    let message = DynamicMessage::decode(descriptor, written).unwrap();
    assert_eq!(message.unknown_fields().count(), 0, "{name}: {message}");
    assert_eq!(message.encode_to_vec(), written, "{name}: {message}");
}

#[test]
fn every_record_conforms_to_its_protobuf_message() {
    let pool = descriptors();
    let mut seen = BTreeSet::new();
    for seed in 0..HISTORIES {
        let mut history = History::new(seed, Plan { is_recovered: true, ..USUAL });
        history.run().unwrap();
        for record in &history.machine.log {
            check(&pool, record.kind, &record.body);
            seen.insert(record.kind);
        }
    }
    for record in Facts::of_new_store().iter() {
        check(&pool, record.kind, record.head);
        seen.insert(record.kind);
    }
    seen.insert(RESERVED);
    let missing: Vec<_> =
        (FIRST_KIND..).zip(MESSAGES).filter(|(kind, _)| !seen.contains(kind)).map(|(_, name)| name).collect();
    assert_eq!(missing, Vec::<&str>::new(), "kinds of records that no history contains");
}

/// A newer version may add fields to any record; this version skips them.
#[test]
fn unknown_fields_are_skipped() {
    let mut history = History::new(1, Plan { is_recovered: true, ..USUAL });
    history.run().unwrap();
    let (mut plain, mut extended) = (State::new(), State::new());
    for record in &history.machine.log {
        plain.recover(record.kind, &record.body, record.place).unwrap();
        // Field 1000, with each wire type.
        let unknown = [0xC0, 0x3E, 7, 0xC1, 0x3E, 1, 2, 3, 4, 5, 6, 7, 8, 0xC2, 0x3E, 2, 8, 9, 0xC5, 0x3E, 1, 2, 3, 4];
        let message = message_of(&record.body);
        let document = &record.body[4 + message.len()..];
        let len = u32::try_from(message.len() + unknown.len()).unwrap();
        let body = [&len.to_le_bytes(), message, &unknown, document].concat();
        extended.recover(record.kind, &body, record.place).unwrap();
    }
    extended.same_as(&plain).unwrap();
}

/// Records from before the format was fixed are rejected, and so are records of a newer version that cannot be skipped.
#[test]
fn other_formats_are_rejected_with_instructions() {
    let place = DocumentRef::NONE;
    for kind in 0..FIRST_KIND {
        let error = State::new().recover(kind, &[0; 16], place).unwrap_err();
        assert_eq!(error, CorruptRecord::OldFormat);
        assert!(error.is_of_other_format());
    }
    let text = CorruptRecord::OldFormat.to_string();
    assert_eq!(
        text,
        "this store was written before its format was fixed; export it with that version and import it here"
    );

    let format = |version: u8, required: u8| [4, 0, 0, 0, 8, version, 16, required];
    assert_eq!(State::new().recover(FIRST_KIND, &format(1, 1), place), Ok(()), "letters may be held");
    let features = State::new().recover(FIRST_KIND, &format(1, 6), place).unwrap_err();
    assert_eq!(features, CorruptRecord::UnknownFeatures(6));
    let newer = State::new().recover(FIRST_KIND, &format(2, 0), place).unwrap_err();
    assert_eq!(newer, CorruptRecord::NewerFormat(2));
    assert!(features.is_of_other_format() && newer.is_of_other_format());
    let kind = State::new().recover(FIRST_KIND + 100, &format(1, 0), place).unwrap_err();
    assert!(kind.to_string().contains("newer version"), "{kind}");
}

/// A checkpoint repeats the format, for recoveries that begin there.
#[test]
fn a_checkpoint_contains_the_format() {
    let mut state = State::new();
    state.recover(FIRST_KIND, &[4, 0, 0, 0, 8, 1, 16, 1], DocumentRef::NONE).unwrap();
    let mut facts = Facts::new();
    Checkpoint::begin(&mut state, &mut facts);
    let first = facts.iter().next().unwrap();
    let pool = descriptors();
    check(&pool, first.kind, first.head);
    let mut reader = State::recovering();
    reader.recover(first.kind, first.head, DocumentRef::NONE).unwrap();
    let mut again = Facts::new();
    Checkpoint::begin(&mut reader, &mut again);
    // The second checkpoint, version 1, with bit 0.
    assert_eq!(message_of(again.iter().next().unwrap().head), [8, 2, 18, 4, 8, 1, 16, 1]);
}
