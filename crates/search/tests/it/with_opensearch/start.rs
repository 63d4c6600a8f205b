//! What must be so before anything is written.

use redrive_search::{ProjectionState, mapping};
use redrive_store::Store;
use serde_json::json;
use tokio::time::timeout;

use super::bed::{Bed, SOON, caught_up, settled};
use crate::failures::{capture, failure, memory, queue};

#[tokio::test]
async fn template_index_and_alias_are_made_and_have_the_mapping() {
    let bed = Bed::new();
    let projection = bed.started().await;
    let found = bed.ask("GET", &format!("/{}", bed.index), json!({})).await;
    let (name, index) = found.as_object().unwrap().iter().next().unwrap();
    assert_eq!(*name, format!("{}-000001", bed.index));
    for (field, kind) in mapping()["properties"].as_object().unwrap() {
        let there = &index["mappings"]["properties"][field];
        let kind = if field == "task" || field == "letter" {
            json!({"type": "object", "enabled": false})
        } else {
            kind.clone()
        };
        assert_eq!(*there, kind, "{field}");
    }
    assert_eq!(index["mappings"]["dynamic"], "false");
    assert_eq!(index["settings"]["index"]["gc_deletes"], "1h", "the template is used");
    bed.end(&projection).await;
}

/// It may be the last copy of letters whose store was lost.
#[tokio::test]
async fn an_index_with_letters_of_another_store_is_left_alone() {
    let mut bed = Bed::new();
    let dead = queue(&*bed.store, "dead").await;
    capture(&*bed.store, &dead, failure("precious")).await;
    let projection = bed.started().await;
    projection.stop().await;
    // The disk is lost, and the store begins anew.
    bed.store = memory();
    let dead = queue(&*bed.store, "dead").await;
    capture(&*bed.store, &dead, failure("new")).await;
    let projection = bed.start();
    let down = timeout(SOON, projection.until(|n| n.state == ProjectionState::Down)).await.unwrap();
    let trouble = down.trouble.unwrap();
    assert!(
        trouble.contains("another store") && trouble.contains("restore") && trouble.contains("rebuild"),
        "{trouble}"
    );
    assert_eq!(bed.hits(json!({"match_all": {}})).await, ["precious"]);

    let rebuilt = projection.rebuild().await.unwrap();
    assert_eq!(rebuilt.left_aside, Some(format!("{}-000001", bed.index)), "whoever wants it finds it");
    settled(&projection).await;
    caught_up(&bed, &projection).await;
    bed.assert_equal().await;
    bed.end(&projection).await;
}

#[tokio::test]
async fn an_index_in_the_aliass_place_is_told() {
    let bed = Bed::new();
    bed.ask("PUT", &format!("/{}", bed.index), json!({})).await;
    let projection = bed.start();
    let down = timeout(SOON, projection.until(|n| n.state == ProjectionState::Down)).await.unwrap();
    assert!(down.trouble.unwrap().contains("should be an alias"));
    // Somebody helps.
    bed.ask("DELETE", &format!("/{}", bed.index), json!({})).await;
    settled(&projection).await;
    bed.end(&projection).await;
}

#[tokio::test]
async fn an_index_with_another_mapping_is_told_and_rebuilt() {
    let bed = Bed::new();
    let projection = bed.started().await;
    let dead = queue(&*bed.store, "dead").await;
    capture(&*bed.store, &dead, failure("f-1")).await;
    caught_up(&bed, &projection).await;
    projection.stop().await;
    let open = json!({"dynamic": "true"});
    bed.ask("PUT", &format!("/{}-000001/_mapping", bed.index), open).await;
    let projection = bed.start();
    let down = timeout(SOON, projection.until(|n| n.state == ProjectionState::Down)).await.unwrap();
    assert!(down.trouble.unwrap().contains("rebuild"));
    projection.rebuild().await.unwrap();
    settled(&projection).await;
    bed.assert_equal().await;
    bed.store.close().await.unwrap();
    bed.end(&projection).await;
}
