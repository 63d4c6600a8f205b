//! A new index while work goes on.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use redrive_search::SearchError;
use serde_json::json;

use super::bed::{Bed, caught_up};
use super::history::{Random, happen};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rebuild_under_traffic_misses_nothing() {
    let bed = Bed::new();
    happen(&*bed.store, &mut Random(11), 400).await;
    let projection = Arc::new(bed.started().await);
    let is_over = Arc::new(AtomicBool::new(false));
    let traffic = tokio::spawn({
        let (store, projection, is_over) = (bed.store.clone(), projection.clone(), is_over.clone());
        async move {
            let mut random = Random(12);
            while !is_over.load(Ordering::Relaxed) {
                let before = projection.numbers().position;
                happen(&*store, &mut random, 10).await;
                // Not more than the index takes: a test has an end.
                projection.until(|n| n.position > before).await;
            }
        }
    });
    for number in 2..4 {
        let rebuilt = projection.rebuild().await.unwrap();
        assert_eq!(rebuilt.index, format!("{}-{number:06}", bed.index));
        assert_eq!((rebuilt.digest.len(), rebuilt.left_aside), (64, None));
    }
    is_over.store(true, Ordering::Relaxed);
    traffic.await.unwrap();
    caught_up(&bed, &projection).await;
    bed.assert_equal().await;
    let left = bed.ask("GET", &format!("/{}-*", bed.index), json!({})).await;
    assert_eq!(left.as_object().unwrap().len(), 1, "the old ones are gone");
    bed.end(&projection).await;
}

#[tokio::test]
async fn a_rebuild_brings_back_what_somebody_spoiled() {
    let bed = Bed::new();
    happen(&*bed.store, &mut Random(13), 200).await;
    let projection = bed.started().await;
    let before = bed.documents().await;
    let (spoiled, lost) = (before.keys().next().unwrap(), before.keys().nth(1).unwrap());
    bed.ask("PUT", &format!("/{}/_doc/{spoiled}", bed.index), json!({"task_id": "nonsense"})).await;
    bed.ask("DELETE", &format!("/{}/_doc/{lost}", bed.index), json!({})).await;
    bed.ask("PUT", &format!("/{}/_doc/stranger", bed.index), json!({"task_id": "stranger"})).await;
    let first = projection.rebuild().await.unwrap();
    caught_up(&bed, &projection).await;
    bed.assert_equal().await;
    assert_eq!(first.letters, before.len() as u64);
    let second = projection.rebuild().await.unwrap();
    assert_eq!(first.digest, second.digest, "the same letters");
    bed.end(&projection).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_rebuild_at_a_time_and_an_interrupted_one_leaves_nothing_behind() {
    let bed = Bed::new();
    happen(&*bed.store, &mut Random(14), 300).await;
    let projection = bed.started().await;
    let (first, second) = tokio::join!(projection.rebuild(), projection.rebuild());
    let outcomes = [first.is_ok(), second.is_ok()];
    assert_eq!(outcomes.iter().filter(|is_ok| **is_ok).count(), 1, "{first:?} {second:?}");
    assert!([first, second].into_iter().any(|outcome| outcome == Err(SearchError::RebuildRuns)));

    let interrupted = tokio::join!(projection.rebuild(), projection.stop()).0;
    assert!(matches!(interrupted, Ok(_) | Err(SearchError::Stopped)), "{interrupted:?}");
    let projection = bed.started().await;
    projection.rebuild().await.unwrap();
    let left = bed.ask("GET", &format!("/{}-*", bed.index), json!({})).await;
    assert_eq!(left.as_object().unwrap().len(), 1, "{left}");
    caught_up(&bed, &projection).await;
    bed.assert_equal().await;
    bed.end(&projection).await;
}
