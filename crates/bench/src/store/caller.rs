//! A caller of the store that waits for every reply.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};
use redrive_core::{ItemId, QueueName, Span, Time};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_model::{
    Content, CreateQueue, GetConservation, GetQueue, Lease, LeaseSpec, Leased, NewItem, Produce, ProducedItem,
    QueueSettings,
};
use redrive_store::Store;
use tokio::runtime::Runtime;

use crate::plain::PAYLOAD;

pub(super) struct Caller {
    pub(super) store: EmbeddedStore,
    pub(super) queue: QueueName,
    pub(super) runtime: Runtime,
    content: Arc<Content>,
}

impl Caller {
    pub(super) fn open(folder: &Path, options: &EmbeddedOptions) -> Result<Self> {
        let store = EmbeddedStore::open(&folder.join("store"), options)?;
        let runtime = tokio::runtime::Builder::new_current_thread().build()?;
        let queue = QueueName::new("orders")?;
        let mut settings = QueueSettings::new(queue.clone());
        settings.lease_timeout = Span::from_hours(1);
        if runtime.block_on(store.queue(GetQueue { name: queue.clone() })).is_err() {
            runtime.block_on(store.create_queue(CreateQueue { settings }))?;
        }
        Ok(Self { store, queue, runtime, content: Arc::new(Content::of_payload(PAYLOAD.to_vec())) })
    }

    pub(super) fn close(self) -> Result<()> {
        Ok(self.runtime.block_on(self.store.close())?)
    }

    pub(super) fn items(&self, count: u32, enqueue_at: Option<Time>) -> Produce {
        let item = || NewItem { content: Arc::clone(&self.content), enqueue_at, ..NewItem::default() };
        Produce::new(self.queue.clone(), (0..count).map(|_| item()).collect())
    }

    pub(super) fn produce(&self, count: u32) -> Result<Vec<ItemId>> {
        let produced = self.runtime.block_on(self.store.produce(self.items(count, None)))?;
        let ids = produced.items.into_iter().map(|item| match item {
            ProducedItem::New(id) | ProducedItem::Duplicate(id) => id,
        });
        Ok(ids.collect())
    }

    pub(super) fn lease(&self, count: u32) -> Result<Leased> {
        let spec = LeaseSpec { batch: u64::from(count), lease: None, notes_receipt: false };
        let wait = Span::from_secs(10);
        let lease = Lease { queue: self.queue.clone(), client_id: None, spec, wait };
        let leased = self.runtime.block_on(self.store.lease(lease))?;
        let first = leased.items.first().context("the lease returned no items")?;
        anyhow::ensure!(first.content.payload.len() == PAYLOAD.len(), "unexpected payload size");
        Ok(leased)
    }

    pub(super) fn complete(&self, leased: &Leased) -> Result<()> {
        let ids = leased.items.iter().map(|item| item.info.id).collect();
        Ok(self.runtime.block_on(self.store.complete(self.queue.clone(), leased.partition, ids))?)
    }

    /// Produce, lease and complete, one after the other.
    pub(super) fn cycle(&self, count: u32) -> Result<()> {
        self.produce(count)?;
        let leased = self.lease(count)?;
        self.complete(&leased)
    }

    /// Waits until the store has no background work.
    pub(super) fn until_idle(&self) -> Result<()> {
        while self.store.status().is_checkpointing {
            self.runtime.block_on(self.store.conservation(GetConservation))?;
            std::thread::park_timeout(std::time::Duration::from_millis(10));
        }
        Ok(())
    }

    /// Produces `count` items, in batches.
    pub(super) fn fill(&self, count: u32) -> Result<()> {
        const BATCH: u32 = 1000;
        for done in (0..count).step_by(BATCH as usize) {
            self.produce(BATCH.min(count - done))?;
        }
        Ok(())
    }
}
