//! A store that records every request and reply in the log.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use redrive_embedded::EmbeddedStore;
use redrive_model::KeyWrite;
use redrive_store::{Reply, Request, Store, StoreError};

use super::log::{RequestLog, RequestNumber};

#[derive(Debug)]
pub(super) struct RecordingStore {
    pub(super) local: EmbeddedStore,
    log: Arc<RequestLog>,
    /// The process has crashed: every request fails.
    is_crashed: AtomicBool,
}

impl RecordingStore {
    pub(super) const fn new(local: EmbeddedStore, log: Arc<RequestLog>) -> Self {
        Self { local, log, is_crashed: AtomicBool::new(false) }
    }

    pub(super) fn crash(&self) {
        self.is_crashed.store(true, Ordering::Relaxed);
        self.log.end_all();
    }
}

/// A request without a reply. If it is dropped, the log records that the reply was not received.
struct OpenRequest<'l> {
    log: &'l RequestLog,
    number: Option<RequestNumber>,
}

impl Drop for OpenRequest<'_> {
    fn drop(&mut self) {
        if let Some(number) = self.number.take() {
            self.log.end(number, None);
        }
    }
}

#[async_trait]
impl Store for RecordingStore {
    async fn submit(&self, request: Request, along: Vec<KeyWrite>) -> Result<Reply, StoreError> {
        if self.is_crashed.load(Ordering::Relaxed) {
            return Err(StoreError::Closed);
        }
        let mut open = OpenRequest { log: &self.log, number: Some(self.log.begin(request.clone())) };
        let answer = self.local.submit(request, along).await;
        // A crashed process receives no replies.
        if self.is_crashed.load(Ordering::Relaxed) {
            return Err(StoreError::Closed);
        }
        if let Some(number) = open.number.take() {
            self.log.end(number, Some(&answer));
        }
        answer
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.local.close().await
    }
}
