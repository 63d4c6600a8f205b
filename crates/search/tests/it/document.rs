//! A letter as a document.

use std::sync::Arc;

use redrive_core::{Category, Metadata, Status};
use redrive_model::{
    Annotate, CaptureContext, Content, CreateQueue, Edit, FullLetter, Header, KeptLetter, KeptLetterError, Lease,
    NewItem, NewLetter, Produce, QueueSettings, RetryAt, SettleAction,
};
use redrive_search::Document;
use redrive_store::Store;
use serde_json::json;

use crate::failures::{FAILED_AT, capture, claim, failed, failure, memory_with, name, record, try_once};

fn round_trip(record: &FullLetter) -> FullLetter {
    let json = serde_json::to_string(&KeptLetter::of(record).unwrap()).unwrap();
    KeptLetter::read(&json).unwrap()
}

#[tokio::test]
async fn a_document_has_the_fields_of_the_seed() {
    let (store, dead) = memory_with("dead").await;
    let letter = capture(&*store, &dead, failure("wf_1")).await;
    assert!(try_once(&*store, &dead, letter, failed("quota exceeded", Category::Resource)).await);
    let record = record(&*store, &dead, letter).await;
    let document = serde_json::to_value(Document::of(&dead, &record).unwrap()).unwrap();
    let info = record.info.letter.as_deref().unwrap();
    for (field, expected) in [
        ("task_id", json!("wf_1")),
        ("task", json!({"id": "wf_1", "type": "sweep"})),
        ("repos", json!(["repo/a", "repo/b"])),
        ("error", json!("connection reset by peer")),
        ("failed_at", json!(FAILED_AT.to_string())),
        ("retry_count", json!(1)),
        ("max_retries", json!(3)),
        ("retry_policy", json!("exponential")),
        ("next_retry_at", json!(info.next_retry_at.unwrap().to_string())),
        ("status", json!("pending")),
        ("metadata", json!({"team": "payments"})),
        ("error_category", json!(info.category)),
        ("last_error", json!("quota exceeded")),
        ("total_attempts", json!(2)),
        ("queue", json!("dead")),
        ("source_id", json!("wf_1")),
        ("generation", json!(1)),
        ("revision", json!(info.revision)),
        ("fingerprint", json!(info.fingerprint)),
        ("matched_rule", json!("word:resource")),
        ("priority", json!("medium")),
        ("letter_id", json!(letter)),
    ] {
        assert_eq!(document[field], expected, "{field}");
    }
}

/// Otherwise two projections of one store would never be equal.
#[tokio::test]
async fn a_letter_always_gives_the_same_document() {
    let (store, dead) = memory_with("dead").await;
    let letter = capture(&*store, &dead, failure("wf_1")).await;
    let first = Document::of(&dead, &record(&*store, &dead, letter).await);
    assert_eq!(first, Document::of(&dead, &record(&*store, &dead, letter).await));
    assert!(first.unwrap().updated_at >= FAILED_AT);
}

#[tokio::test]
async fn a_payload_that_is_not_a_json_object_gives_an_empty_task() {
    let (store, dead) = memory_with("dead").await;
    let deep = "[".repeat(500) + &"]".repeat(500);
    for (number, payload) in [&b"\xff\xfe"[..], b"[1]", b"7", b"", b"{\"a\":", deep.as_bytes()].into_iter().enumerate()
    {
        let content = Arc::new(Content::of_payload(payload.to_vec()));
        let letter = capture(&*store, &dead, NewLetter { content, ..failure(&format!("f-{number}")) }).await;
        let record = record(&*store, &dead, letter).await;
        assert_eq!(serde_json::to_value(Document::of(&dead, &record).unwrap()).unwrap()["task"], json!({}));
        assert_eq!(round_trip(&record).content.payload, payload);
    }
}

#[tokio::test]
async fn a_complete_letter_is_restored_from_its_document() {
    let (store, dead) = memory_with("dead").await;
    let content = Content {
        kind: "order".to_owned(),
        encoding: "gzip".to_owned(),
        reference: "r-1".to_owned(),
        key: Some((&b"\x00\xff key"[..]).into()),
        headers: vec![
            Header { name: "a".to_owned(), value: (&b"\xff"[..]).into() },
            Header { name: "a".to_owned(), value: "again".into() },
        ],
        payload: (0..=255u8).collect::<Vec<u8>>().into(),
    };
    let letter = capture(&*store, &dead, NewLetter { content: Arc::new(content), ..failure("wf_1") }).await;
    let same = async |what: &str| {
        let record = record(&*store, &dead, letter).await;
        assert_eq!(round_trip(&record), record, "{what}");
    };
    same("captured").await;
    let note = Annotate { queue: dead.clone(), letter, note: (&b"\xffseen"[..]).into() };
    store.annotate(note).await.unwrap();
    same("annotated").await;
    let edited = Some(Arc::new(Content::of_payload("better")));
    let edit = Edit { queue: dead.clone(), letter, content: edited, policy: None, max_retries: None, priority: None };
    store.edit(edit).await.unwrap();
    same("edited").await;
    let held = claim(&*store, &dead, letter).await.unwrap();
    same("claimed").await;
    let partly = SettleAction::Retry {
        at: RetryAt::Undecided(None),
        charged: true,
        attempt: Some(Box::new(redrive_model::Attempt {
            failed_parts: vec!["repo/b".to_owned()],
            ..crate::failures::attempt("half of it", Category::Transient)
        })),
    };
    store.settle_all(dead.clone(), None, vec![held.info.id], partly).await.unwrap();
    same("failed in part").await;
    store.archive(redrive_model::Archive { queue: dead.clone(), letters: vec![letter] }).await.unwrap();
    same("archived").await;
    store.restore(redrive_model::Restore { queue: dead.clone(), letters: vec![letter] }).await.unwrap();
    assert!(try_once(&*store, &dead, letter, SettleAction::Complete { attempt: None }).await);
    same("completed").await;
}

#[tokio::test]
async fn the_document_of_a_dead_item_has_the_cause_as_its_error() {
    let (store, dead) = memory_with("dead").await;
    let mut settings = QueueSettings::new(name("orders"));
    settings.dead_queue = Some(dead.clone());
    store.create_queue(CreateQueue { settings }).await.unwrap();
    store.produce(Produce::new(name("orders"), vec![NewItem::of_payload("x")])).await.unwrap();
    let spec = redrive_model::LeaseSpec { batch: 1, lease: None, notes_receipt: false };
    let wait = redrive_core::Span::from_secs(5);
    let leased = store.lease(Lease { queue: name("orders"), client_id: None, spec, wait }).await.unwrap();
    let dies = SettleAction::Dead { attempt: None, why: redrive_model::DeadCause::Permanent };
    store.settle_all(name("orders"), None, vec![leased.items[0].info.id], dies).await.unwrap();
    let list = redrive_model::ListLetters { queue: dead.clone(), statuses: vec![], after: None, limit: 1 };
    let letter = store.letters(list).await.unwrap()[0].info.letter.as_ref().unwrap().id;
    let record = record(&*store, &dead, letter).await;
    let document = Document::of(&dead, &record).unwrap();
    assert_eq!((document.error.as_str(), document.status), ("given up", Status::Pending));
    let mut copy = record.clone();
    copy.info.letter.as_mut().unwrap().has_own_origin = false;
    assert_eq!(round_trip(&record), copy, "a copy only claims its origin");
}

/// Letters written by earlier versions stay readable, and earlier versions can read new ones.
#[test]
fn the_format_of_a_stored_letter_does_not_change() {
    let written = include_str!("kept_letter.json").trim_end();
    let record = KeptLetter::read(written).unwrap();
    assert!(record.info.is_hand_over_only && record.info.is_edited && record.context.is_some());
    // The file was written before `updated_at` existed: it is the time of the end then.
    let letter = record.info.letter.as_ref().unwrap();
    assert_eq!(Some(letter.updated_at), letter.ended_at);
    let added = format!("\"updated_at\":{},", letter.updated_at.as_micros());
    let written_now = serde_json::to_string(&KeptLetter::of(&record).unwrap()).unwrap();
    assert_eq!(written_now.replacen(&added, "", 1), written);
    assert_eq!(KeptLetter::read(&written_now).unwrap(), record);
}

#[test]
fn an_unknown_format_is_rejected() {
    assert!(matches!(KeptLetter::read("{\"v\":2}"), Err(KeptLetterError::Newer(2))));
    for bad in ["", "{}", "[]", "{\"v\":1}", "{\"v\":\"1\"}"] {
        assert!(matches!(KeptLetter::read(bad), Err(KeptLetterError::Malformed(_))), "{bad}");
    }
}

#[tokio::test]
async fn a_plain_item_has_no_document() {
    let (store, orders) = memory_with("orders").await;
    store.produce(Produce::new(orders.clone(), vec![NewItem::of_payload("x")])).await.unwrap();
    let letter = capture(&*store, &orders, failure("wf_1")).await;
    let mut record = record(&*store, &orders, letter).await;
    record.info.letter = None;
    assert_eq!(Document::of(&orders, &record), None);
    assert_eq!(KeptLetter::of(&record), None);
}

#[tokio::test]
async fn metadata_is_json_in_a_document_and_is_restored_exactly() {
    let (store, dead) = memory_with("dead").await;
    let json = json!({
        "tenant": "acme", "amount": 2, "rate": 0.1, "huge": u64::MAX, "point": 2.0, "nothing": null, "tags": ["a", "b"],
        "order": { "lines": [{ "sku": "x" }] },
    });
    let metadata: Metadata = serde_json::from_value(json.clone()).unwrap();
    let context = CaptureContext { metadata, ..failure("").context };
    let letter = capture(&*store, &dead, NewLetter { context, ..failure("wf_1") }).await;
    let record = record(&*store, &dead, letter).await;
    let document = serde_json::to_value(Document::of(&dead, &record).unwrap()).unwrap();
    assert_eq!(document["metadata"].to_string(), json.to_string());
    assert_eq!(round_trip(&record), record);
}
