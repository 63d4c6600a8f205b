//! The metric that counts capture requests by their outcome.

use std::path::Path;
use std::sync::Arc;

use metrics_exporter_prometheus::PrometheusBuilder;
use redrive_core::{Category, Failure, Policy, Strategy};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_journal::SimDisk;
use redrive_model::{CreateQueue, OnDuplicate};
use redrive_run::{Guard, StoreLetterBox};
use redrive_store::{ManualClock, Store, StoreError};

use super::fixture::{failure_of, guard, task};
use crate::fixture::{Fault, Fixture, START, dead, queue, run};

/// Runs a test and returns the lines of `redrive_dlq_persist_total` that it caused, sorted.
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

async fn raise(guard: &Guard, id: &str, category: Category) {
    let failure = failure_of(category);
    assert!(guard.run(task(id), || async { Err::<(), Failure>(failure) }).await.result.is_err());
}

#[test]
fn each_capture_is_counted_once_by_its_outcome() {
    let lines = counted(async {
        let fixture = Fixture::new().await;
        let automatic = guard(&fixture, Strategy::Automatic);
        raise(&automatic, "a", Category::Network).await;
        raise(&automatic, "b", Category::Network).await;
        raise(&automatic, "a", Category::Network).await;
        automatic.capture(task("c"), failure_of(Category::Permanent)).await;
        fixture.store.inject(|_| Fault::Fail(StoreError::Poisoned));
        raise(&automatic, "d", Category::Network).await;
    });
    let expected =
        [line("in_memory", "enqueued", 3), line("in_memory", "merged", 1), line("rejected", "persist_failed", 1)];
    assert_eq!(lines, expected);
}

#[test]
fn a_failure_that_the_strategy_skips_is_not_counted() {
    let lines = counted(async {
        let fixture = Fixture::new().await;
        raise(&guard(&fixture, Strategy::Manual), "a", Category::Network).await;
        raise(&guard(&fixture, Strategy::Selective), "b", Category::Permission).await;
        guard(&fixture, Strategy::Disabled).capture(task("c"), failure_of(Category::Network)).await;
    });
    assert!(lines.is_empty(), "{lines:?}");
}

#[test]
fn a_capture_in_a_durable_store_is_counted_as_persisted() {
    let lines = counted(async {
        let options = EmbeddedOptions { clock: Arc::new(ManualClock::new(START)), ..EmbeddedOptions::default() };
        let store = EmbeddedStore::open_on(Arc::new(SimDisk::new()), Path::new("/store"), &options).unwrap();
        let mut settings = queue("dead");
        settings.letters.on_duplicate = Some(OnDuplicate::Reject);
        store.create_queue(CreateQueue { settings }).await.unwrap();
        let store: Arc<dyn Store> = Arc::new(store);
        let guard = Guard::new(StoreLetterBox::new(store), dead(), Policy::builder().build().unwrap());
        raise(&guard, "a", Category::Network).await;
        raise(&guard, "a", Category::Network).await;
    });
    assert_eq!(lines, [line("persisted", "enqueued", 1), line("rejected", "duplicate", 1)]);
}
