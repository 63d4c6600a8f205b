//! Documents that OpenSearch rejects.

use std::sync::Arc;

use redrive_core::Metadata;
use redrive_model::{CaptureContext, Content, NewLetter, Purge};
use redrive_search::ProjectionState;
use redrive_store::Store;
use serde_json::json;

use super::fixture::{Fixture, caught_up};
use crate::failures::{capture, failure};

/// Keywords have a maximum length, and callers may exceed it.
#[tokio::test]
async fn a_document_that_the_mapping_rejects_can_still_be_found() {
    let (fixture, projection, dead) = Fixture::with_dead_queue().await;
    let long = "x".repeat(40_000);
    let with = |context: CaptureContext, name: &str| NewLetter { context, ..failure(name) };
    let metadata = Metadata::from([("note".to_owned(), long.clone().into())]);
    let bad_metadata = with(CaptureContext { metadata, ..failure("").context }, "metadata");
    let bad_parts = with(CaptureContext { parts: vec![long.clone()], ..failure("").context }, "parts");
    let name_of_field = format!("{{\"{}\":1}}", "k".repeat(60_000));
    let bad_task = NewLetter { content: Arc::new(Content::of_payload(name_of_field)), ..failure("task") };
    let mut letters = Vec::new();
    for letter in [failure("fine"), bad_metadata, bad_parts, bad_task] {
        letters.push(capture(&*fixture.store, &dead, letter).await);
    }
    caught_up(&fixture, &projection).await;
    let reduced = fixture.hits(json!({"term": {"projection": "reduced"}})).await;
    assert!(reduced.contains(&"metadata".to_owned()) && reduced.contains(&"parts".to_owned()), "{reduced:?}");
    let numbers = projection.numbers();
    assert_eq!(numbers.quarantined, reduced.len() as u64);
    assert_eq!(numbers.state, ProjectionState::Ok);
    assert_eq!(fixture.hits(json!({"match": {"error": "reset"}})).await.len(), 4, "all are found by their error");
    let (index, store) = (fixture.documents().await, fixture.expected().await);
    for letter in letters.iter().map(ToString::to_string) {
        assert_eq!(index[&letter].0, store[&letter].0);
        assert_eq!(index[&letter].1["letter"], store[&letter].1["letter"], "the complete letter is in the index");
    }
    fixture.store.purge(Purge { queue: dead, letters }).await.unwrap();
    projection.until(|n| n.deleted == 4 && n.outbox_depth == 0).await;
    assert!(fixture.documents().await.is_empty());
    fixture.end(&projection).await;
}

#[tokio::test]
async fn unusual_contents_are_indexed_completely() {
    let (fixture, projection, dead) = Fixture::with_dead_queue().await;
    let metadata = ["", ".", "a.", ".a", "a..b", "a", "a.b", "\u{0}", "日本", "\"\n"];
    let metadata = metadata.into_iter().map(|key| (key.to_owned(), "v".into())).collect();
    let strange =
        NewLetter { context: CaptureContext { metadata, ..failure("").context }, ..failure("strange \u{0} \"\n") };
    capture(&*fixture.store, &dead, strange).await;
    let nested = (0..15).fold(json!("x"), |inner, _| json!({ "a": inner }));
    let values = json!([null, true, 2, 2.5, u64::MAX, "x", [], {}, [null], [[1]], [{ "a": 1 }, { "a": "x" }], { "b": null }, nested]);
    for (number, value) in values.as_array().unwrap().iter().enumerate() {
        // Followed by another key.
        let metadata = Metadata::from([("a".to_owned(), value.clone()), ("z".to_owned(), "behind".into())]);
        let context = CaptureContext { metadata, ..failure("").context };
        capture(&*fixture.store, &dead, NewLetter { context, ..failure(&format!("m-{number}")) }).await;
    }
    for (number, payload) in
        ["{\"a\":1,\"a\":2}", "{\n\"a\" : [1e300, -0.0, 12345678901234567890]\n}", "{\"\":{\"\":null}}"]
            .into_iter()
            .enumerate()
    {
        let content = Arc::new(Content::of_payload(payload));
        capture(&*fixture.store, &dead, NewLetter { content, ..failure(&format!("p-{number}")) }).await;
    }
    fixture.assert_caught_up(&projection).await;
    assert_eq!(projection.numbers().quarantined, 0);
    fixture.end(&projection).await;
}
