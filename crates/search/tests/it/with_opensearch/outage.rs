//! OpenSearch is stopped in mid-load, and started again.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use redrive_core::Span;
use redrive_embedded::EmbeddedStore;
use redrive_model::{Capture, CreateQueue, QueueSettings};
use redrive_search::{Projection, ProjectionState, SearchError};
use redrive_store::Store;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::bed::{Bed, SOON, caught_up, settled};
use super::history::{Random, happen};
use super::instance::Instance;
use crate::failures::{failure, name};

/// Letters come and change until it is told to end.
fn load(store: Arc<EmbeddedStore>, projection: Arc<Projection>, is_over: Arc<AtomicBool>) -> JoinHandle<()> {
    tokio::spawn(async move {
        let mut random = Random(31);
        while !is_over.load(Ordering::Relaxed) {
            let before = projection.numbers();
            happen(&*store, &mut random, 20).await;
            // A little at a time, whatever became of the last of it: a test has an end.
            projection.until(|n| (n.position, n.failures) != (before.position, before.failures)).await;
        }
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_an_outage_in_mid_load_the_index_equals_the_store() {
    let mut instance = Instance::start("outage").await;
    let bed = Bed::at(instance.url());
    let mut settings = bed.settings();
    settings.request_timeout = Span::from_secs(5);
    let projection = Arc::new(Projection::start(bed.store.clone(), settings).unwrap());
    settled(&projection).await;

    // It is killed in the middle of its work.
    let is_over = Arc::new(AtomicBool::new(false));
    let traffic = load(bed.store.clone(), projection.clone(), is_over.clone());
    timeout(SOON, projection.until(|n| n.indexed > 100)).await.unwrap();
    instance.kill();
    let down =
        timeout(SOON, projection.until(|n| n.state == ProjectionState::Down && n.outbox_depth > 20)).await.unwrap();
    assert!(down.trouble.is_some());
    assert!(matches!(projection.probe().await, Err(SearchError::Down(_))));
    happen(&*bed.store, &mut Random(32), 200).await;
    assert!(projection.numbers().outbox_depth > 0);
    instance.go_on().await;
    timeout(SOON, projection.until(|n| n.state != ProjectionState::Down)).await.unwrap();

    // It stands still while work goes on: requests are given up, and done by it later.
    instance.freeze();
    timeout(SOON, projection.until(|n| n.state == ProjectionState::Down)).await.unwrap();
    instance.thaw();
    timeout(SOON, projection.until(|n| n.state != ProjectionState::Down)).await.unwrap();

    is_over.store(true, Ordering::Relaxed);
    traffic.await.unwrap();
    let healed = settled(&projection).await;
    assert_eq!((healed.lag, healed.trouble), (Span::ZERO, None));
    caught_up(&bed, &projection).await;
    bed.assert_equal().await;

    // Stopped while it is down, started while it is down: the store remembers what to do.
    instance.kill();
    let dead = bed.store.create_queue(CreateQueue { settings: QueueSettings::new(name("more")) }).await.unwrap().name;
    let letters = (0..500).map(|number| failure(&format!("more-{number}"))).collect();
    bed.store.capture(Capture::new(dead, letters)).await.unwrap();
    projection.stop().await;
    let projection = bed.start();
    timeout(SOON, projection.until(|n| n.state == ProjectionState::Down && n.outbox_depth == 500)).await.unwrap();
    instance.go_on().await;
    settled(&projection).await;
    bed.assert_equal().await;
    projection.stop().await;
}
