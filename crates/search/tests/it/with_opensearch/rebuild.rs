//! Rebuilding the index under load.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use redrive_search::SearchError;
use serde_json::json;

use super::fixture::Fixture;
use super::history::{Random, perform_random};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rebuild_under_load_misses_nothing() {
    let fixture = Fixture::new();
    perform_random(&*fixture.store, &mut Random(11), 400).await;
    let projection = Arc::new(fixture.started().await);
    let is_over = Arc::new(AtomicBool::new(false));
    let traffic = tokio::spawn({
        let (store, projection, is_over) = (fixture.store.clone(), projection.clone(), is_over.clone());
        async move {
            let mut random = Random(12);
            while !is_over.load(Ordering::Relaxed) {
                let before = projection.numbers().position;
                perform_random(&*store, &mut random, 10).await;
                // Waits for each batch, to limit the load.
                projection.until(|n| n.position > before).await;
            }
        }
    });
    for number in 2..4 {
        let rebuilt = projection.rebuild().await.unwrap();
        assert_eq!(rebuilt.index, format!("{}-{number:06}", fixture.index));
        assert_eq!((rebuilt.digest.len(), rebuilt.left_aside), (64, None));
    }
    is_over.store(true, Ordering::Relaxed);
    traffic.await.unwrap();
    fixture.assert_caught_up(&projection).await;
    let left = fixture.request("GET", &format!("/{}-*", fixture.index), json!({})).await;
    assert_eq!(left.as_object().unwrap().len(), 1, "the old indices are removed");
    fixture.end(&projection).await;
}

#[tokio::test]
async fn a_rebuild_repairs_a_modified_index() {
    let fixture = Fixture::new();
    perform_random(&*fixture.store, &mut Random(13), 200).await;
    let projection = fixture.started().await;
    let before = fixture.documents().await;
    let (modified, lost) = (before.keys().next().unwrap(), before.keys().nth(1).unwrap());
    fixture.request("PUT", &format!("/{}/_doc/{modified}", fixture.index), json!({"task_id": "nonsense"})).await;
    fixture.request("DELETE", &format!("/{}/_doc/{lost}", fixture.index), json!({})).await;
    fixture.request("PUT", &format!("/{}/_doc/unknown", fixture.index), json!({"task_id": "unknown"})).await;
    let first = projection.rebuild().await.unwrap();
    fixture.assert_caught_up(&projection).await;
    assert_eq!(first.letters, before.len() as u64);
    let second = projection.rebuild().await.unwrap();
    assert_eq!(first.digest, second.digest, "the same letters");
    fixture.end(&projection).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_rebuild_at_a_time_and_an_interrupted_one_leaves_nothing_behind() {
    let fixture = Fixture::new();
    perform_random(&*fixture.store, &mut Random(14), 300).await;
    let projection = fixture.started().await;
    let (first, second) = tokio::join!(projection.rebuild(), projection.rebuild());
    let outcomes = [first.is_ok(), second.is_ok()];
    assert_eq!(outcomes.iter().filter(|is_ok| **is_ok).count(), 1, "{first:?} {second:?}");
    assert!([first, second].into_iter().any(|outcome| outcome == Err(SearchError::RebuildRuns)));

    let interrupted = tokio::join!(projection.rebuild(), projection.stop()).0;
    assert!(matches!(interrupted, Ok(_) | Err(SearchError::Stopped)), "{interrupted:?}");
    let projection = fixture.started().await;
    projection.rebuild().await.unwrap();
    let left = fixture.request("GET", &format!("/{}-*", fixture.index), json!({})).await;
    assert_eq!(left.as_object().unwrap().len(), 1, "{left}");
    fixture.assert_caught_up(&projection).await;
    fixture.end(&projection).await;
}
