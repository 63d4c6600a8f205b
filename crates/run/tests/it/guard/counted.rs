//! What others are told of requests to keep letters.

use std::path::Path;
use std::sync::Arc;

use metrics_exporter_prometheus::PrometheusBuilder;
use redrive_core::{Category, Failure, Policy, Strategy};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_journal::SimDisk;
use redrive_model::{CreateQueue, OnDuplicate};
use redrive_run::{Guard, StoreLetterBox};
use redrive_store::{ManualClock, Store, StoreError};

use super::captured::{guard, of, task};
use crate::rig::{Act, START, World, dead, queue, run};

/// What is counted of requests while something is done.
fn counted(work: impl Future<Output = ()>) -> Vec<String> {
    let recorder = PrometheusBuilder::new().build_recorder();
    metrics::with_local_recorder(&recorder, || run(work));
    let page = recorder.handle().render();
    let lines = page.lines().filter_map(|line| line.strip_prefix("redrive_dlq_persist_total"));
    let mut lines: Vec<String> = lines.map(str::to_owned).collect();
    lines.sort();
    lines
}

fn line(outcome: &str, reason: &str, count: u32) -> String {
    format!("{{outcome=\"{outcome}\",reason=\"{reason}\"}} {count}")
}

async fn fails(guard: &Guard, id: &str, category: Category) {
    let failure = of(category);
    assert!(guard.run(task(id), || async { Err::<(), Failure>(failure) }).await.result.is_err());
}

#[test]
fn each_request_is_counted_once_by_what_became_of_it() {
    let lines = counted(async {
        let world = World::new().await;
        let automatic = guard(&world, Strategy::Automatic);
        fails(&automatic, "a", Category::Network).await;
        fails(&automatic, "b", Category::Network).await;
        fails(&automatic, "a", Category::Network).await;
        automatic.capture(task("c"), of(Category::Permanent)).await;
        world.store.rule(|_| Act::Refuse(StoreError::Poisoned));
        fails(&automatic, "d", Category::Network).await;
    });
    let expected =
        [line("in_memory", "enqueued", 3), line("in_memory", "merged", 1), line("rejected", "persist_failed", 1)];
    assert_eq!(lines, expected);
}

#[test]
fn what_was_skipped_before_a_request_is_none() {
    let lines = counted(async {
        let world = World::new().await;
        fails(&guard(&world, Strategy::Manual), "a", Category::Network).await;
        fails(&guard(&world, Strategy::Selective), "b", Category::Permission).await;
        guard(&world, Strategy::Disabled).capture(task("c"), of(Category::Network)).await;
    });
    assert!(lines.is_empty(), "{lines:?}");
}

#[test]
fn a_store_that_survives_a_crash_has_persisted_what_it_took() {
    let lines = counted(async {
        let options = EmbeddedOptions { clock: Arc::new(ManualClock::new(START)), ..EmbeddedOptions::default() };
        let store = EmbeddedStore::open_on(Arc::new(SimDisk::new()), Path::new("/store"), &options).unwrap();
        let mut settings = queue("dead");
        settings.letters.on_duplicate = Some(OnDuplicate::Reject);
        store.create_queue(CreateQueue { settings }).await.unwrap();
        let store: Arc<dyn Store> = Arc::new(store);
        let guard = Guard::new(StoreLetterBox::new(store), dead(), Policy::builder().build().unwrap());
        fails(&guard, "a", Category::Network).await;
        fails(&guard, "a", Category::Network).await;
    });
    assert_eq!(lines, [line("persisted", "enqueued", 1), line("rejected", "duplicate", 1)]);
}
