//! The index equals the store.

use redrive_model::{CreateQueue, DeleteQueue, Purge, QueueSettings};
use redrive_search::ProjectionState;
use redrive_store::Store;
use serde_json::json;

use super::bed::{Bed, SOON, caught_up, settled};
use super::history::{Random, happen};
use crate::failures::{capture, failure, name, queue};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_index_equals_the_store_after_anything() {
    for seed in [1, 7, 42] {
        println!("seed {seed}");
        let bed = Bed::new();
        let projection = bed.start();
        let mut random = Random(seed);
        for _ in 0..4 {
            happen(&*bed.store, &mut random, 150).await;
            caught_up(&bed, &projection).await;
            bed.assert_equal().await;
        }
        let numbers = projection.numbers();
        assert!(numbers.indexed > 0 && numbers.deleted > 0 && numbers.quarantined == 0, "{numbers:?}");
        bed.end(&projection).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn letters_that_were_there_before_are_indexed_too() {
    let bed = Bed::new();
    happen(&*bed.store, &mut Random(3), 300).await;
    let projection = bed.started().await;
    bed.assert_equal().await;
    bed.end(&projection).await;
}

#[tokio::test]
async fn a_projection_that_was_stopped_goes_on_where_it_was() {
    let bed = Bed::new();
    let projection = bed.started().await;
    happen(&*bed.store, &mut Random(5), 100).await;
    caught_up(&bed, &projection).await;
    projection.stop().await;
    happen(&*bed.store, &mut Random(6), 100).await;
    let projection = bed.started().await;
    let numbers = projection.numbers();
    bed.assert_equal().await;
    let letters = bed.expected().await.len() as u64;
    assert!(numbers.indexed + numbers.conflicts <= letters.max(100), "only what changed was sent: {numbers:?}");
    bed.end(&projection).await;
}

/// The feed says once that a queue is gone; its letters are many.
#[tokio::test]
async fn the_letters_of_a_deleted_queue_go_and_those_of_its_namesake_stay() {
    let bed = Bed::new();
    let projection = bed.started().await;
    let (gone, other) = (queue(&*bed.store, "gone").await, queue(&*bed.store, "other").await);
    for number in 0..1_200 {
        capture(&*bed.store, &gone, failure(&format!("f-{number}"))).await;
    }
    capture(&*bed.store, &other, failure("stays")).await;
    caught_up(&bed, &projection).await;
    assert_eq!(bed.documents().await.len(), 1_201);
    bed.store.delete_queue(DeleteQueue { name: gone.clone(), force: false }).await.unwrap();
    bed.store.create_queue(CreateQueue { settings: QueueSettings::new(gone.clone()) }).await.unwrap();
    capture(&*bed.store, &gone, failure("f-1")).await;
    caught_up(&bed, &projection).await;
    bed.assert_equal().await;
    assert_eq!(bed.documents().await.len(), 2);

    // As after a crash before the cursor moved: the namesake's letter is in the index when the queue's end is told again.
    projection.stop().await;
    bed.store.delete_queue(DeleteQueue { name: gone.clone(), force: false }).await.unwrap();
    bed.store.create_queue(CreateQueue { settings: QueueSettings::new(gone.clone()) }).await.unwrap();
    let letter = capture(&*bed.store, &gone, failure("f-1")).await;
    let (version, document) = bed.expected().await.remove(&letter.to_string()).unwrap();
    let path = format!("/{}/_doc/{letter}?version={version}&version_type=external", bed.index);
    bed.ask("PUT", &path, document).await;
    let projection = bed.started().await;
    caught_up(&bed, &projection).await;
    bed.assert_equal().await;
    bed.end(&projection).await;
}

#[tokio::test]
async fn what_is_purged_does_not_come_back_by_an_old_request() {
    let bed = Bed::new();
    let projection = bed.started().await;
    let dead = queue(&*bed.store, "dead").await;
    let letter = capture(&*bed.store, &dead, failure("f-1")).await;
    caught_up(&bed, &projection).await;
    let (version, old) = bed.documents().await.remove(&letter.to_string()).unwrap();
    bed.store.purge(Purge { queue: dead, letters: vec![letter] }).await.unwrap();
    projection.until(|n| n.deleted == 1 && n.outbox_depth == 0).await;
    // A request that was given up long ago, and is done only now.
    for version in [version, version + 5] {
        let path = format!("/{}/_doc/{letter}?version={version}&version_type=external", bed.index);
        let answer = bed.ask("PUT", &path, old.clone()).await;
        assert_eq!(answer["status"], 409, "{answer}");
    }
    bed.assert_equal().await;
    bed.end(&projection).await;
}

#[tokio::test]
async fn an_older_version_is_refused_and_harmless() {
    let bed = Bed::new();
    let projection = bed.started().await;
    let dead = queue(&*bed.store, "dead").await;
    let letter = capture(&*bed.store, &dead, failure("f-1")).await;
    caught_up(&bed, &projection).await;
    // Somebody else was faster, with a later state.
    let path = format!("/{}/_doc/{letter}?version=1000&version_type=external", bed.index);
    let (_, document) = bed.documents().await.remove(&letter.to_string()).unwrap();
    bed.ask("PUT", &path, document).await;
    bed.store.archive(redrive_model::Archive { queue: dead.clone(), letters: vec![letter] }).await.unwrap();
    let numbers = projection.until(|n| n.conflicts == 1 && n.outbox_depth == 0).await;
    assert_eq!((numbers.state, numbers.failures), (ProjectionState::Ok, 0));
    assert_eq!(bed.documents().await[&letter.to_string()].0, 1_000);
    capture(&*bed.store, &dead, failure("f-2")).await;
    settled(&projection).await;
    bed.end(&projection).await;
}

#[tokio::test]
async fn an_index_that_somebody_deletes_is_made_anew() {
    let bed = Bed::new();
    let projection = bed.started().await;
    happen(&*bed.store, &mut Random(9), 100).await;
    caught_up(&bed, &projection).await;
    let before = projection.numbers().indexed;
    bed.ask("DELETE", &format!("/{}-000001", bed.index), json!({})).await;
    capture(&*bed.store, &name("dead"), failure("after it was gone")).await;
    let letters = bed.expected().await.len() as u64;
    let is_made_anew = projection.until(|n| n.indexed >= before + letters && n.state == ProjectionState::Ok);
    tokio::time::timeout(SOON, is_made_anew).await.unwrap();
    caught_up(&bed, &projection).await;
    bed.assert_equal().await;
    bed.end(&projection).await;
}
