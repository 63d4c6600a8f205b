//! A queue of a store in the conformance suite.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use bytes::Bytes;
use redrive_core::{ItemId, Ksuid, QueueName, Span};
use redrive_model::{
    CreateQueue, DeleteItems, GetQueue, ItemListKind, ListItems, NewItem, Produce, QueueSettings, StoredItem,
};
use redrive_run::conformance::{Abilities, Destinations, Fate, NewWork, Records, SourceHarness, SourceUnderTest};
use redrive_run::{Source, StoreQueue};
use redrive_store::{ManualClock, Store};
use redrive_testkit::{TempDir, folder};

use super::stores::{self, LossyStore};

const LEASE: Span = Span::from_mins(2);
const PARTITIONS: u32 = 3;

/// The kind of store, and whether items have message ids.
#[derive(Debug)]
pub(crate) enum QueueHarness {
    /// In memory; items without message ids.
    InMemory,
    /// On disk, several partitions; items with message ids.
    NamedOnDisk,
}

#[async_trait]
impl SourceHarness for QueueHarness {
    type Bench = QueueBench;

    async fn open(&self, clock: ManualClock) -> QueueBench {
        let directory = matches!(self, Self::NamedOnDisk).then(|| folder("source"));
        let store = Arc::new(LossyStore::new(
            directory
                .as_ref()
                .map_or_else(|| stores::in_memory(&clock), |directory| stores::on_disk(directory.path(), &clock)),
        ));
        let (queue, dead) = (QueueName::new("orders").unwrap(), QueueName::new("orders-dead").unwrap());
        store.create_queue(CreateQueue { settings: QueueSettings::new(dead.clone()) }).await.unwrap();
        let settings = QueueSettings {
            dead_queue: Some(dead.clone()),
            partitions: if directory.is_some() { PARTITIONS } else { 1 },
            ..QueueSettings::new(queue.clone())
        };
        store.create_queue(CreateQueue { settings }).await.unwrap();
        QueueBench { store: Mutex::new(store), queue, dead, clock, directory, names: AtomicU64::new(0) }
    }
}

#[derive(Debug)]
pub(crate) struct QueueBench {
    store: Mutex<Arc<LossyStore>>,
    queue: QueueName,
    dead: QueueName,
    clock: ManualClock,
    directory: Option<TempDir>,
    names: AtomicU64,
}

impl QueueBench {
    fn store(&self) -> Arc<LossyStore> {
        Arc::clone(&self.store.lock().unwrap())
    }

    /// The items with this payload.
    async fn items(&self, payload: &Bytes) -> Vec<StoredItem> {
        let mut found = Vec::new();
        let partitions = self.store().queue(GetQueue { name: self.queue.clone() }).await.unwrap().partitions;
        for partition in 0..partitions {
            for which in [ItemListKind::Items, ItemListKind::Scheduled] {
                let list = ListItems { queue: self.queue.clone(), partition, which, pivot: None, limit: 10_000 };
                found.extend(self.store().items(list).await.unwrap());
            }
        }
        found.retain(|item| item.content.payload == *payload);
        found
    }
}

#[async_trait]
impl SourceUnderTest for QueueBench {
    type Fence = ItemId;

    fn abilities(&self) -> Abilities {
        Abilities {
            lease: Some(LEASE),
            destinations: Destinations::One(Arc::from("warehouse")),
            uncounts_releases: true,
            takes_schedule: true,
            records: Records::All,
            can_revoke: true,
            can_lose_answers: true,
            can_restart: self.directory.is_some(),
            remembers: true,
            ..Abilities::default()
        }
    }

    fn source(&self) -> Arc<dyn Source<Fence = ItemId>> {
        Arc::new(StoreQueue::new(self.store(), self.queue.clone(), LEASE).to("warehouse"))
    }

    async fn put(&self, work: NewWork) {
        let name = || format!("message-{}", self.names.fetch_add(1, Ordering::Relaxed)).into();
        let item = NewItem {
            content: Arc::new(work.content),
            enqueue_at: work.due,
            message_id: self.directory.is_some().then(name),
            ..NewItem::default()
        };
        self.store().produce(Produce::new(self.queue.clone(), vec![item])).await.unwrap();
    }

    async fn fate(&self, payload: &Bytes) -> Fate {
        // Read in this order: an item moves from the queue to its dead queue, and never back.
        let is_open = !self.items(payload).await.is_empty();
        let letters = stores::letters(&*self.store(), &self.dead, payload).await.unwrap();
        Fate { is_open, letters: letters.into_iter().map(stores::found).collect() }
    }

    /// An operator deletes the item.
    async fn revoke(&self, payload: &Bytes) {
        for StoredItem { info, .. } in self.items(payload).await {
            let delete = DeleteItems { queue: self.queue.clone(), partition: info.partition, ids: vec![info.id] };
            assert_eq!(self.store().delete_items(delete).await.unwrap(), 1);
        }
    }

    async fn lose_next_answer(&self) {
        self.store().loses_next_answer.store(true, Ordering::Relaxed);
    }

    async fn restart(&self) {
        let Some(directory) = &self.directory else { return };
        self.store().close().await.unwrap();
        let store = Arc::new(LossyStore::new(stores::on_disk(directory.path(), &self.clock)));
        *self.store.lock().unwrap() = store;
    }

    fn garbage_fence(&self) -> Option<ItemId> {
        Some(ItemId::new(Ksuid::MIN))
    }
}
