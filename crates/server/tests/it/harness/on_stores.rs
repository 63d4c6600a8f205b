//! Runs a test in a runtime of its own: on each store, or on one store if its behaviour does not depend on the store.

use std::sync::Arc;
use std::time::Duration;

use redrive_journal::SimDisk;
use redrive_server::Settings;
use serde_json::json;
use tokio::runtime::Builder;

use super::{Caller, Gate, StoreKind, Target, TestServer};

/// A test that takes longer is considered hung.
const TEST_TIMEOUT: Duration = Duration::from_secs(300);

/// Runs `work`; panics if it takes longer than [`TEST_TIMEOUT`], so that a hung test fails.
pub(crate) fn run<T>(work: impl Future<Output = T>) -> T {
    run_in(&mut Builder::new_current_thread(), work)
}

fn run_in<T>(runtime: &mut Builder, work: impl Future<Output = T>) -> T {
    let runtime = runtime.enable_all().build().unwrap();
    let done = runtime.block_on(async { tokio::time::timeout(TEST_TIMEOUT, work).await });
    done.unwrap_or_else(|_| panic!("the test did not finish within five minutes"))
}

/// Runs a test on every store, each time with a new server.
pub(crate) fn on_each_store<F: Future<Output = ()>>(test: impl Fn(TestServer) -> F) {
    for store_kind in StoreKind::ALL {
        on_store(store_kind, &test);
    }
}

/// Like [`on_each_store`], with two worker threads, so that requests really are concurrent.
pub(crate) fn on_each_store_multi_threaded<F: Future<Output = ()>>(test: impl Fn(TestServer) -> F) {
    for store_kind in StoreKind::ALL {
        run_in(Builder::new_multi_thread().worker_threads(2), async {
            test(TestServer::new(store_kind).await).await;
        });
    }
}

/// Like [`on_each_store`], with a caller of the server.
pub(crate) fn on_each_store_with_caller<F: Future<Output = ()>>(test: impl Fn(TestServer, Caller) -> F) {
    for store_kind in StoreKind::ALL {
        on_store_with_caller(store_kind, &test);
    }
}

/// Like [`on_each_store_with_caller`], with a queue that has the settings of [`Caller::create`].
pub(crate) fn on_each_store_with_queue<F: Future<Output = ()>>(queue: &str, test: impl Fn(TestServer, Caller) -> F) {
    for store_kind in StoreKind::ALL {
        on_store_with_queue(store_kind, queue, &test);
    }
}

/// Runs a test on every store, with a server that retries the letters of the queue `dead`, which exists.
pub(crate) fn on_each_store_with_target<F: Future<Output = ()>>(test: impl Fn(TestServer, Caller, Target) -> F) {
    for store_kind in StoreKind::ALL {
        on_store_with_target(store_kind, &test);
    }
}

pub(crate) fn on_store<F: Future<Output = ()>>(store_kind: StoreKind, test: impl FnOnce(TestServer) -> F) {
    run(async { test(TestServer::new(store_kind).await).await });
}

pub(crate) fn on_store_with_caller<F: Future<Output = ()>>(
    store_kind: StoreKind,
    test: impl FnOnce(TestServer, Caller) -> F,
) {
    run(async {
        let server = TestServer::new(store_kind).await;
        let caller = server.caller().await;
        test(server, caller).await;
    });
}

pub(crate) fn on_store_with_queue<F: Future<Output = ()>>(
    store_kind: StoreKind,
    queue: &str,
    test: impl FnOnce(TestServer, Caller) -> F,
) {
    run(async {
        let server = TestServer::new(store_kind).await;
        let mut caller = server.caller().await;
        caller.create(queue, json!({})).await;
        test(server, caller).await;
    });
}

pub(crate) fn on_store_with_target<F: Future<Output = ()>>(
    store_kind: StoreKind,
    test: impl FnOnce(TestServer, Caller, Target) -> F,
) {
    run(async {
        let (server, target) = TestServer::retrying(store_kind).await;
        let caller = with_dead_queue(&server).await;
        test(server, caller, target).await;
    });
}

/// Runs a test on a journal on a simulated disk.
pub(crate) fn on_simulated_disk<F: Future<Output = ()>>(test: impl FnOnce(SimDisk, TestServer, Caller) -> F) {
    run(async {
        let disk = SimDisk::new();
        let server = TestServer::on_disk(Arc::new(disk.clone())).await;
        let caller = server.caller().await;
        test(disk, server, caller).await;
    });
}

/// Like [`on_store_with_target`], on a journal on a simulated disk.
pub(crate) fn on_simulated_disk_with_target<F: Future<Output = ()>>(
    test: impl FnOnce(SimDisk, TestServer, Caller, Target) -> F,
) {
    run(async {
        let disk = SimDisk::new();
        let (server, target) = TestServer::retrying_on_disk(Arc::new(disk.clone())).await;
        let caller = with_dead_queue(&server).await;
        test(disk, server, caller, target).await;
    });
}

/// A caller that has created the queue `dead`. Its letters do not expire while a test advances the clock.
async fn with_dead_queue(server: &TestServer) -> Caller {
    let mut caller = server.caller().await;
    caller.create("dead", json!({ "expire_timeout": "10000h" })).await;
    caller
}

/// Runs a test on a journal on a simulated disk whose syncs the test blocks, with the queue `q`.
pub(crate) fn on_gated_disk<F: Future<Output = ()>>(test: impl FnOnce(Gate, TestServer, Caller) -> F) {
    run(async {
        let gate = Gate::default();
        let server = TestServer::on_disk(gate.disk(&SimDisk::new())).await;
        let mut caller = server.caller().await;
        caller.create("q", json!({})).await;
        test(gate, server, caller).await;
    });
}

/// Waits until a sync is blocked by the gate.
pub(crate) async fn until_blocked(gate: &Gate) {
    let gate = gate.clone();
    tokio::task::spawn_blocking(move || gate.until_blocked()).await.unwrap();
}

/// Runs a test in memory, on a server with these settings.
pub(crate) fn with_settings<F: Future<Output = ()>>(settings: Settings, test: impl FnOnce(TestServer, Caller) -> F) {
    run(async {
        let server = TestServer::with(StoreKind::Memory, settings).await;
        let caller = server.caller().await;
        test(server, caller).await;
    });
}
