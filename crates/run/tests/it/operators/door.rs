//! A store behind a door at which everything that is asked and told is written down.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use redrive_embedded::EmbeddedStore;
use redrive_model::KeyWrite;
use redrive_store::{Reply, Request, Store, StoreError};

use super::log::{Log, Ticket};

#[derive(Debug)]
pub(super) struct Door {
    pub(super) local: EmbeddedStore,
    log: Arc<Log>,
    /// The process has ended: nobody gets through any more.
    is_shut: AtomicBool,
}

impl Door {
    pub(super) const fn new(local: EmbeddedStore, log: Arc<Log>) -> Self {
        Self { local, log, is_shut: AtomicBool::new(false) }
    }

    pub(super) fn shut(&self) {
        self.is_shut.store(true, Ordering::Relaxed);
        self.log.end_all();
    }
}

/// A request of which nobody may hear the answer.
struct Open<'l> {
    log: &'l Log,
    ticket: Option<Ticket>,
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        if let Some(ticket) = self.ticket.take() {
            self.log.end(ticket, None);
        }
    }
}

#[async_trait]
impl Store for Door {
    async fn submit(&self, request: Request, along: Vec<KeyWrite>) -> Result<Reply, StoreError> {
        if self.is_shut.load(Ordering::Relaxed) {
            return Err(StoreError::Closed);
        }
        let mut open = Open { log: &self.log, ticket: Some(self.log.begin(request.clone())) };
        let answer = self.local.submit(request, along).await;
        // Nobody of a process that has ended hears anything.
        if self.is_shut.load(Ordering::Relaxed) {
            return Err(StoreError::Closed);
        }
        if let Some(ticket) = open.ticket.take() {
            self.log.end(ticket, Some(&answer));
        }
        answer
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.local.close().await
    }
}
