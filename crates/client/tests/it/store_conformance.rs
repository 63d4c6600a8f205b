//! The cases of the store's suite that are about items, with every operation that a remote store offers sent over the API.
//!
//! The other operations go to the server's own store, and so do the checks after each case.

use std::sync::Arc;

use async_trait::async_trait;
use redrive_client::RemoteStore;
use redrive_model::{ItemListKind, KeyWrite};
use redrive_store::conformance::{CASES, Harness, check};
use redrive_store::{ManualClock, Reply, Request, Store, StoreError};

use crate::test_server::{Storage, TestServer};

struct OverServer;

#[async_trait]
impl Harness for OverServer {
    async fn open(&self, clock: ManualClock) -> Arc<dyn Store> {
        let server = TestServer::at(Storage::Memory, clock).await;
        Arc::new(Both { remote: RemoteStore::new(server.client()), server })
    }

    async fn reopen(&self, _store: Arc<dyn Store>, _clock: ManualClock) -> Option<Arc<dyn Store>> {
        None
    }
}

#[derive(Debug)]
struct Both {
    remote: RemoteStore,
    server: TestServer,
}

#[async_trait]
impl Store for Both {
    async fn submit(&self, request: Request, along: Vec<KeyWrite>) -> Result<Reply, StoreError> {
        let is_offered = match &request {
            Request::Produce(_)
            | Request::Lease(_)
            | Request::LeaseByMessageId(_)
            | Request::Extend(_)
            | Request::Settle(_)
            | Request::Clear(_) => true,
            // A list over the API shows no letters.
            Request::ListItems(list) => list.which == ItemListKind::All,
            _ => false,
        };
        if let Request::GetStats(stats) = &request {
            // The remote ones have no counters, which the cases compare. Yet they must be answered.
            self.remote.submit(Request::GetStats(stats.clone()), Vec::new()).await?;
        }
        match is_offered && along.is_empty() {
            true => self.remote.submit(request, along).await,
            false => self.server.store().submit(request, along).await,
        }
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.remote.close().await?;
        self.server.store().close().await
    }
}

/// Runs the cases of a theme, except those that the API answers in another way.
async fn check_theme(theme: &str, except: &[&str]) {
    let cases: Vec<&str> = CASES.iter().filter(|case| case.theme == theme).map(|case| case.name).collect();
    for name in except {
        assert!(cases.contains(name), "there is no case {theme}::{name}");
    }
    for name in cases.into_iter().filter(|name| !except.contains(name)) {
        println!("{theme}::{name}");
        check(theme, name, OverServer).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn items_are_produced_as_the_store_produces_them() {
    // The store of a server has keys of its own.
    check_theme("produce", &["remembered_ids_are_not_keys_of_callers"]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn repeated_requests_are_recognised_as_by_the_store() {
    check_theme("request_ids", &[]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn items_are_leased_as_the_store_leases_them() {
    check_theme("lease", &[]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn leases_wait_as_at_the_store() {
    let except = [
        // It waits for an hour, which are several requests: a clock that jumps to the end of the hour ends the first one.
        "a_client_waits_once_on_a_queue",
        // The server notices a moment later that a client has vanished.
        "a_vanished_client_may_wait_again_at_once",
    ];
    check_theme("waiting", &except).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn items_are_settled_as_the_store_settles_them() {
    check_theme("settle", &[]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn items_are_cleared_as_the_store_clears_them() {
    check_theme("clear_and_delete", &[]).await;
}
