//! The same cycle on an embedded store, without a server.

use std::sync::Arc;

use anyhow::{Result, ensure};
use redrive_core::{QueueName, Span};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_model::{Content, CreateQueue, Lease, LeaseSpec, NewItem, Produce, QueueSettings};
use redrive_store::Store;

use super::load::{Caller, Load};
use crate::folder::Folder;
use crate::plain::PAYLOAD;

/// The items per second through a separate durable store.
pub(super) async fn rate(load: Load) -> Result<f64> {
    let folder = Folder::new("in-process")?;
    let store = EmbeddedStore::open(&folder.path().join("data"), &EmbeddedOptions::default())?;
    let queue = QueueName::new("bench")?;
    let settings = QueueSettings { lease_timeout: Span::from_hours(1), ..QueueSettings::new(queue.clone()) };
    store.create_queue(CreateQueue { settings }).await?;
    let content = Arc::new(Content::of_payload(PAYLOAD.to_vec()));
    let caller =
        || InProcess { store: store.clone(), queue: queue.clone(), content: Arc::clone(&content), batch: load.batch };
    let rate = load.rate((0..load.connections).map(|_| caller()).collect()).await?;
    store.close().await?;
    Ok(rate)
}

struct InProcess {
    store: EmbeddedStore,
    queue: QueueName,
    content: Arc<Content>,
    batch: u16,
}

impl Caller for InProcess {
    async fn cycle(&mut self) -> Result<()> {
        let item = || NewItem { content: Arc::clone(&self.content), ..NewItem::default() };
        let items = (0..self.batch).map(|_| item()).collect();
        self.store.produce(Produce::new(self.queue.clone(), items)).await?;
        let spec = LeaseSpec { batch: u64::from(self.batch), lease: None, notes_receipt: false };
        let wait = Span::from_secs(10);
        let lease = Lease { queue: self.queue.clone(), client_id: None, spec, wait };
        let leased = self.store.lease(lease).await?;
        ensure!(leased.items.len() == usize::from(self.batch), "{} items of {}", leased.items.len(), self.batch);
        let ids = leased.items.iter().map(|item| item.info.id).collect();
        Ok(self.store.complete(self.queue.clone(), leased.partition, ids).await?)
    }
}
