//! OpenSearch is killed and restarted under load.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use redrive_core::Span;
use redrive_embedded::EmbeddedStore;
use redrive_model::{Capture, CreateQueue, QueueSettings};
use redrive_search::{Projection, ProjectionState, SearchError};
use redrive_store::Store;
use tokio::task::JoinHandle;

use super::fixture::Fixture;
use super::history::{Random, perform_random};
use super::instance::Instance;
use crate::failures::{failure, name};
use crate::waiting::{settled, until};

/// Performs random operations until `is_over` is set.
fn load(store: Arc<EmbeddedStore>, projection: Arc<Projection>, is_over: Arc<AtomicBool>) -> JoinHandle<()> {
    tokio::spawn(async move {
        let mut random = Random(31);
        while !is_over.load(Ordering::Relaxed) {
            let before = projection.numbers();
            perform_random(&*store, &mut random, 20).await;
            // Waits for each batch, successful or not, to limit the load.
            projection.until(|n| (n.position, n.failures) != (before.position, before.failures)).await;
        }
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_an_outage_under_load_the_index_equals_the_store() {
    let mut instance = Instance::start("outage").await;
    let fixture = Fixture::at(instance.url());
    let mut settings = fixture.settings();
    settings.request_timeout = Span::from_secs(5);
    let projection = Arc::new(Projection::start(fixture.store.clone(), settings).unwrap());
    settled(&projection).await;

    // Kill OpenSearch under load.
    let is_over = Arc::new(AtomicBool::new(false));
    let traffic = load(fixture.store.clone(), projection.clone(), is_over.clone());
    until(&projection, |n| n.indexed > 100).await;
    instance.kill();
    let down = until(&projection, |n| n.state == ProjectionState::Down && n.outbox_depth > 20).await;
    assert!(down.trouble.is_some());
    assert!(matches!(projection.probe().await, Err(SearchError::Down(_))));
    perform_random(&*fixture.store, &mut Random(32), 200).await;
    assert!(projection.numbers().outbox_depth > 0);
    instance.resume().await;
    until(&projection, |n| n.state != ProjectionState::Down).await;

    // Suspend OpenSearch under load: requests are abandoned, and executed later.
    instance.freeze();
    until(&projection, |n| n.state == ProjectionState::Down).await;
    instance.thaw();
    until(&projection, |n| n.state != ProjectionState::Down).await;

    is_over.store(true, Ordering::Relaxed);
    traffic.await.unwrap();
    let healed = settled(&projection).await;
    assert_eq!((healed.lag, healed.trouble), (Span::ZERO, None));
    fixture.assert_caught_up(&projection).await;

    // Stop and start the projection while OpenSearch is down: the store keeps the changes.
    instance.kill();
    let dead =
        fixture.store.create_queue(CreateQueue { settings: QueueSettings::new(name("more")) }).await.unwrap().name;
    let letters = (0..500).map(|number| failure(&format!("more-{number}"))).collect();
    fixture.store.capture(Capture::new(dead, letters)).await.unwrap();
    projection.stop().await;
    let projection = fixture.start();
    until(&projection, |n| n.state == ProjectionState::Down && n.outbox_depth == 500).await;
    instance.resume().await;
    settled(&projection).await;
    fixture.assert_equal().await;
    projection.stop().await;
}
