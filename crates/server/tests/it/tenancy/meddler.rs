//! A store in which something happens just before a change is made: between a server's decision and the deed.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use redrive_model::KeyWrite;
use redrive_server::Server;
use redrive_store::{Reply, Request, Store, StoreError};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::bed::{Bed, Caller};

type Call = (&'static str, Value);

/// Has another server do a call before the first change that comes with keys.
#[derive(Debug)]
pub(crate) struct Meddler {
    store: Arc<dyn Store>,
    server: SocketAddr,
    call: Mutex<Option<Call>>,
}

impl Meddler {
    /// A server on such a store, beside the one of the bed.
    pub(crate) async fn serve(bed: &Bed) -> (Arc<Self>, Caller) {
        let (store, server) = (Arc::new(bed.store().clone()), bed.address());
        let meddler = Arc::new(Self { store, server, call: Mutex::new(None) });
        let (settings, clock) = (bed.settings.clone(), Arc::new(bed.clock.clone()));
        let server = Server::bind(settings, Arc::clone(&meddler) as Arc<dyn Store>, clock).await.unwrap();
        let caller = Caller::connect(server.address()).await;
        tokio::spawn(server.serve(CancellationToken::new()));
        (meddler, caller)
    }

    pub(crate) fn before_the_next(&self, path: &'static str, body: Value) {
        *self.call.lock().unwrap() = Some((path, body));
    }
}

#[async_trait]
impl Store for Meddler {
    async fn submit(&self, operation: Request, along: Vec<KeyWrite>) -> Result<Reply, StoreError> {
        let call = if along.is_empty() { None } else { self.call.lock().unwrap().take() };
        if let Some((path, body)) = call {
            Caller::connect(self.server).await.ok(path, body).await;
        }
        self.store.submit(operation, along).await
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.store.close().await
    }
}
