//! The index equals the store.

use redrive_model::{CreateQueue, DeleteQueue, Purge, QueueSettings};
use redrive_search::ProjectionState;
use redrive_store::Store;
use serde_json::json;

use super::fixture::{Fixture, caught_up};
use super::history::{Random, perform_random};
use crate::failures::{capture, failure, name, queue};
use crate::waiting::{TIMEOUT, settled};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_index_equals_the_store_after_random_operations() {
    for seed in [1, 7, 42] {
        println!("seed {seed}");
        let fixture = Fixture::new();
        let projection = fixture.start();
        let mut random = Random(seed);
        for _ in 0..4 {
            perform_random(&*fixture.store, &mut random, 150).await;
            fixture.assert_caught_up(&projection).await;
        }
        let numbers = projection.numbers();
        assert!(numbers.indexed > 0 && numbers.deleted > 0 && numbers.quarantined == 0, "{numbers:?}");
        fixture.end(&projection).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn existing_letters_are_indexed() {
    let fixture = Fixture::new();
    perform_random(&*fixture.store, &mut Random(3), 300).await;
    let projection = fixture.started().await;
    fixture.assert_equal().await;
    fixture.end(&projection).await;
}

#[tokio::test]
async fn a_restarted_projection_continues_at_its_position() {
    let (fixture, projection) = Fixture::with_projection().await;
    perform_random(&*fixture.store, &mut Random(5), 100).await;
    caught_up(&fixture, &projection).await;
    projection.stop().await;
    perform_random(&*fixture.store, &mut Random(6), 100).await;
    let projection = fixture.started().await;
    let numbers = projection.numbers();
    fixture.assert_equal().await;
    let letters = fixture.expected().await.len() as u64;
    assert!(numbers.indexed + numbers.conflicts <= letters.max(100), "only changes were sent: {numbers:?}");
    fixture.end(&projection).await;
}

/// The feed has one entry for a deleted queue with many letters.
#[tokio::test]
async fn the_letters_of_a_deleted_queue_are_removed_and_those_of_its_successor_stay() {
    let (fixture, projection) = Fixture::with_projection().await;
    let (gone, other) = (queue(&*fixture.store, "gone").await, queue(&*fixture.store, "other").await);
    for number in 0..1_200 {
        capture(&*fixture.store, &gone, failure(&format!("f-{number}"))).await;
    }
    capture(&*fixture.store, &other, failure("stays")).await;
    caught_up(&fixture, &projection).await;
    assert_eq!(fixture.documents().await.len(), 1_201);
    fixture.store.delete_queue(DeleteQueue { name: gone.clone(), force: false }).await.unwrap();
    fixture.store.create_queue(CreateQueue { settings: QueueSettings::new(gone.clone()) }).await.unwrap();
    capture(&*fixture.store, &gone, failure("f-1")).await;
    fixture.assert_caught_up(&projection).await;
    assert_eq!(fixture.documents().await.len(), 2);

    // As after a crash before the cursor was advanced: the letter of the new queue is already in the index when the
    // deletion of the old queue is read again.
    projection.stop().await;
    fixture.store.delete_queue(DeleteQueue { name: gone.clone(), force: false }).await.unwrap();
    fixture.store.create_queue(CreateQueue { settings: QueueSettings::new(gone.clone()) }).await.unwrap();
    let letter = capture(&*fixture.store, &gone, failure("f-1")).await;
    let (version, document) = fixture.expected().await.remove(&letter.to_string()).unwrap();
    let path = format!("/{}/_doc/{letter}?version={version}&version_type=external", fixture.index);
    fixture.request("PUT", &path, document).await;
    let projection = fixture.started().await;
    fixture.assert_caught_up(&projection).await;
    fixture.end(&projection).await;
}

#[tokio::test]
async fn an_old_request_does_not_bring_back_a_purged_letter() {
    let (fixture, projection, dead) = Fixture::with_dead_queue().await;
    let letter = capture(&*fixture.store, &dead, failure("f-1")).await;
    caught_up(&fixture, &projection).await;
    let (version, old) = fixture.documents().await.remove(&letter.to_string()).unwrap();
    fixture.store.purge(Purge { queue: dead, letters: vec![letter] }).await.unwrap();
    projection.until(|n| n.deleted == 1 && n.outbox_depth == 0).await;
    // An abandoned request that OpenSearch executes only now.
    for version in [version, version + 5] {
        let path = format!("/{}/_doc/{letter}?version={version}&version_type=external", fixture.index);
        let answer = fixture.request("PUT", &path, old.clone()).await;
        assert_eq!(answer["status"], 409, "{answer}");
    }
    fixture.assert_equal().await;
    fixture.end(&projection).await;
}

#[tokio::test]
async fn an_older_version_is_rejected_and_harmless() {
    let (fixture, projection, dead) = Fixture::with_dead_queue().await;
    let letter = capture(&*fixture.store, &dead, failure("f-1")).await;
    caught_up(&fixture, &projection).await;
    // The index already has a later version.
    let path = format!("/{}/_doc/{letter}?version=1000&version_type=external", fixture.index);
    let (_, document) = fixture.documents().await.remove(&letter.to_string()).unwrap();
    fixture.request("PUT", &path, document).await;
    fixture.store.archive(redrive_model::Archive { queue: dead.clone(), letters: vec![letter] }).await.unwrap();
    let numbers = projection.until(|n| n.conflicts == 1 && n.outbox_depth == 0).await;
    assert_eq!((numbers.state, numbers.failures), (ProjectionState::Ok, 0));
    assert_eq!(fixture.documents().await[&letter.to_string()].0, 1_000);
    capture(&*fixture.store, &dead, failure("f-2")).await;
    settled(&projection).await;
    fixture.end(&projection).await;
}

#[tokio::test]
async fn a_deleted_index_is_recreated() {
    let (fixture, projection) = Fixture::with_projection().await;
    perform_random(&*fixture.store, &mut Random(9), 100).await;
    caught_up(&fixture, &projection).await;
    let before = projection.numbers().indexed;
    fixture.request("DELETE", &format!("/{}-000001", fixture.index), json!({})).await;
    capture(&*fixture.store, &name("dead"), failure("after the deletion")).await;
    let letters = fixture.expected().await.len() as u64;
    let is_recreated = projection.until(|n| n.indexed >= before + letters && n.state == ProjectionState::Ok);
    tokio::time::timeout(TIMEOUT, is_recreated).await.unwrap();
    fixture.assert_caught_up(&projection).await;
    fixture.end(&projection).await;
}
