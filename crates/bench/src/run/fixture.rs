//! A store in memory with one queue, and runners over it.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use redrive_core::{Policy, QueueName, Span};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_model::{CreateQueue, GetStats, Lease, LeaseSpec, NewItem, Produce, QueueSettings};
use redrive_run::{Handler, Runner, RunnerSettings, StoreQueue};
use redrive_store::Store;

use super::CONCURRENCY;

pub(super) struct Fixture {
    pub(super) store: Arc<dyn Store>,
    pub(super) queue: QueueName,
}

const LEASE: Span = Span::from_mins(1);

impl Fixture {
    pub(super) async fn new() -> Result<Self> {
        let store: Arc<dyn Store> = Arc::new(EmbeddedStore::in_memory(&EmbeddedOptions::default())?);
        let queue = QueueName::new("bench")?;
        store.create_queue(CreateQueue { settings: QueueSettings::new(queue.clone()) }).await?;
        Ok(Self { store, queue })
    }

    pub(super) async fn fill(&self, mut count: usize) -> Result<()> {
        while count > 0 {
            let batch = count.min(1000);
            count -= batch;
            let items = (0..batch).map(|_| NewItem::of_payload(vec![7; 1024])).collect();
            self.store.produce(Produce::new(self.queue.clone(), items)).await?;
        }
        Ok(())
    }

    pub(super) fn source(&self) -> StoreQueue {
        StoreQueue::new(Arc::clone(&self.store), self.queue.clone(), LEASE)
    }

    pub(super) fn runner(&self, handler: impl Handler) -> Result<Runner<StoreQueue>> {
        let settings = RunnerSettings { concurrency: CONCURRENCY, ..RunnerSettings::default() };
        Ok(Runner::new(self.source(), handler, Policy::builder().build()?, settings)?)
    }

    /// Waits until the queue is empty. Polls rarely, so that the cost is negligible in the measurement.
    pub(super) async fn until_empty(&self) -> Result<()> {
        let stats = async || self.store.stats(GetStats { queue: self.queue.clone() }).await;
        while stats().await?.partitions.iter().any(|partition| partition.total > 0) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        Ok(())
    }

    /// The bare loop: leases and completes until `count` items are done.
    pub(super) async fn lease_and_complete(&self, mut count: usize) -> Result<()> {
        while count > 0 {
            let spec = LeaseSpec { batch: CONCURRENCY as u64, lease: Some(LEASE), notes_receipt: false };
            let request = Lease { queue: self.queue.clone(), client_id: None, spec, wait: LEASE };
            let leased = self.store.lease(request).await?;
            count -= leased.items.len().min(count);
            let ids = leased.items.iter().map(|item| item.info.id).collect();
            self.store.complete(self.queue.clone(), leased.partition, ids).await?;
        }
        Ok(())
    }
}
