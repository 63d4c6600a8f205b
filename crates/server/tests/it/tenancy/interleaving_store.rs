//! A store that lets another server make a call just before a write, between a server's check and its write.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use redrive_model::KeyWrite;
use redrive_server::Server;
use redrive_store::{Reply, Request, Store, StoreError};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::harness::{Caller, TestServer};

type Call = (&'static str, Value);

/// Runs a call on another server before the next operation that also writes keys.
#[derive(Debug)]
pub(crate) struct InterleavingStore {
    store: Arc<dyn Store>,
    other_server: SocketAddr,
    call: Mutex<Option<Call>>,
}

impl InterleavingStore {
    /// Starts a second server on such a store; returns the store and a caller of the second server.
    pub(crate) async fn serve(server: &TestServer) -> (Arc<Self>, Caller) {
        let (store, other_server) = (Arc::new(server.store().clone()), server.address());
        let interleaving = Arc::new(Self { store, other_server, call: Mutex::new(None) });
        let (settings, clock) = (server.settings.clone(), Arc::new(server.clock.clone()));
        let second = Server::bind(settings, Arc::clone(&interleaving) as Arc<dyn Store>, clock).await.unwrap();
        let caller = Caller::connect(second.address()).await;
        tokio::spawn(second.serve(CancellationToken::new()));
        (interleaving, caller)
    }

    pub(crate) fn before_next_write(&self, path: &'static str, body: Value) {
        *self.call.lock().unwrap() = Some((path, body));
    }
}

#[async_trait]
impl Store for InterleavingStore {
    async fn submit(&self, operation: Request, along: Vec<KeyWrite>) -> Result<Reply, StoreError> {
        let call = if along.is_empty() { None } else { self.call.lock().unwrap().take() };
        if let Some((path, body)) = call {
            Caller::connect(self.other_server).await.ok(path, body).await;
        }
        self.store.submit(operation, along).await
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.store.close().await
    }
}
