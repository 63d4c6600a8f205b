//! Documents that OpenSearch does not take.

use std::collections::BTreeMap;
use std::sync::Arc;

use redrive_model::{CaptureContext, Content, NewLetter, Purge};
use redrive_search::ProjectionState;
use redrive_store::Store;
use serde_json::json;

use super::bed::{Bed, caught_up};
use crate::failures::{capture, failure, queue};

/// A keyword has a limit, and people write what they like.
#[tokio::test]
async fn what_the_mapping_refuses_is_found_all_the_same() {
    let bed = Bed::new();
    let projection = bed.started().await;
    let dead = queue(&*bed.store, "dead").await;
    let long = "x".repeat(40_000);
    let with = |context: CaptureContext, name: &str| NewLetter { context, ..failure(name) };
    let metadata = BTreeMap::from([("note".to_owned(), long.clone())]);
    let bad_metadata = with(CaptureContext { metadata, ..failure("").context }, "metadata");
    let bad_parts = with(CaptureContext { parts: vec![long.clone()], ..failure("").context }, "parts");
    let name_of_field = format!("{{\"{}\":1}}", "k".repeat(60_000));
    let bad_task = NewLetter { content: Arc::new(Content::of_payload(name_of_field)), ..failure("task") };
    let mut letters = Vec::new();
    for letter in [failure("fine"), bad_metadata, bad_parts, bad_task] {
        letters.push(capture(&*bed.store, &dead, letter).await);
    }
    caught_up(&bed, &projection).await;
    let reduced = bed.hits(json!({"term": {"projection": "reduced"}})).await;
    assert!(reduced.contains(&"metadata".to_owned()) && reduced.contains(&"parts".to_owned()), "{reduced:?}");
    let numbers = projection.numbers();
    assert_eq!(numbers.quarantined, reduced.len() as u64);
    assert_eq!(numbers.state, ProjectionState::Ok);
    assert_eq!(bed.hits(json!({"match": {"error": "reset"}})).await.len(), 4, "they are found by what went wrong");
    let (index, store) = (bed.documents().await, bed.expected().await);
    for letter in letters.iter().map(ToString::to_string) {
        assert_eq!(index[&letter].0, store[&letter].0);
        assert_eq!(index[&letter].1["letter"], store[&letter].1["letter"], "the whole letter is there");
    }
    bed.store.purge(Purge { queue: dead, letters }).await.unwrap();
    projection.until(|n| n.deleted == 4 && n.outbox_depth == 0).await;
    assert!(bed.documents().await.is_empty());
    bed.end(&projection).await;
}

#[tokio::test]
async fn strange_contents_are_indexed_whole() {
    let bed = Bed::new();
    let projection = bed.started().await;
    let dead = queue(&*bed.store, "dead").await;
    let metadata = ["", ".", "a.", ".a", "a..b", "a", "a.b", "\u{0}", "日本", "\"\n"];
    let metadata = metadata.into_iter().map(|key| (key.to_owned(), "v".to_owned())).collect();
    let strange =
        NewLetter { context: CaptureContext { metadata, ..failure("").context }, ..failure("strange \u{0} \"\n") };
    capture(&*bed.store, &dead, strange).await;
    for (number, payload) in
        ["{\"a\":1,\"a\":2}", "{\n\"a\" : [1e300, -0.0, 12345678901234567890]\n}", "{\"\":{\"\":null}}"]
            .into_iter()
            .enumerate()
    {
        let content = Arc::new(Content::of_payload(payload));
        capture(&*bed.store, &dead, NewLetter { content, ..failure(&format!("p-{number}")) }).await;
    }
    caught_up(&bed, &projection).await;
    bed.assert_equal().await;
    assert_eq!(projection.numbers().quarantined, 0);
    bed.end(&projection).await;
}
