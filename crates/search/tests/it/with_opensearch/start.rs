//! Preparation of the index at the start.

use redrive_search::{ProjectionState, mapping};
use redrive_store::Store;
use serde_json::json;

use super::fixture::{Fixture, caught_up};
use crate::failures::{capture, failure, memory, queue};
use crate::waiting::{settled, until};

#[tokio::test]
async fn template_index_and_alias_are_created_with_the_mapping() {
    let (fixture, projection) = Fixture::with_projection().await;
    let found = fixture.request("GET", &format!("/{}", fixture.index), json!({})).await;
    let (name, index) = found.as_object().unwrap().iter().next().unwrap();
    assert_eq!(*name, format!("{}-000001", fixture.index));
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
    assert_eq!(index["settings"]["index"]["gc_deletes"], "1h", "the template was applied");
    fixture.end(&projection).await;
}

/// It may be the last copy of the letters of a lost store.
#[tokio::test]
async fn an_index_with_letters_of_another_store_is_not_changed() {
    let mut fixture = Fixture::new();
    let dead = queue(&*fixture.store, "dead").await;
    capture(&*fixture.store, &dead, failure("precious")).await;
    let projection = fixture.started().await;
    projection.stop().await;
    // The disk is lost, and a new store starts.
    fixture.store = memory();
    let dead = queue(&*fixture.store, "dead").await;
    capture(&*fixture.store, &dead, failure("new")).await;
    let projection = fixture.start();
    let down = until(&projection, |n| n.state == ProjectionState::Down).await;
    let trouble = down.trouble.unwrap();
    assert!(
        trouble.contains("another store") && trouble.contains("restore") && trouble.contains("rebuild"),
        "{trouble}"
    );
    assert_eq!(fixture.hits(json!({"match_all": {}})).await, ["precious"]);

    let rebuilt = projection.rebuild().await.unwrap();
    assert_eq!(rebuilt.left_aside, Some(format!("{}-000001", fixture.index)), "the old index is kept and named");
    settled(&projection).await;
    fixture.assert_caught_up(&projection).await;
    fixture.end(&projection).await;
}

#[tokio::test]
async fn an_index_with_the_name_of_the_alias_is_reported() {
    let fixture = Fixture::new();
    fixture.request("PUT", &format!("/{}", fixture.index), json!({})).await;
    let projection = fixture.start();
    let down = until(&projection, |n| n.state == ProjectionState::Down).await;
    assert!(down.trouble.unwrap().contains("should be an alias"));
    // An operator deletes it.
    fixture.request("DELETE", &format!("/{}", fixture.index), json!({})).await;
    settled(&projection).await;
    fixture.end(&projection).await;
}

#[tokio::test]
async fn an_index_with_another_mapping_is_reported_and_rebuilt() {
    let (fixture, projection, dead) = Fixture::with_dead_queue().await;
    capture(&*fixture.store, &dead, failure("f-1")).await;
    caught_up(&fixture, &projection).await;
    projection.stop().await;
    let open = json!({"dynamic": "true"});
    fixture.request("PUT", &format!("/{}-000001/_mapping", fixture.index), open).await;
    let projection = fixture.start();
    let down = until(&projection, |n| n.state == ProjectionState::Down).await;
    assert!(down.trouble.unwrap().contains("rebuild"));
    projection.rebuild().await.unwrap();
    settled(&projection).await;
    fixture.assert_equal().await;
    fixture.store.close().await.unwrap();
    fixture.end(&projection).await;
}
