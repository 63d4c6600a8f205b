//! The conformance suite of sources, over a queue of a server.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use async_trait::async_trait;
use bytes::Bytes;
use redrive_client::{Client, RemoteStore, remote_queue};
use redrive_core::{ItemId, Ksuid, QueueName, Span};
use redrive_model::{
    CreateQueue, DeleteItems, GetLetter, GetQueue, ItemListKind, KeyWrite, ListItems, ListLetters, NewItem, Produce,
    QueueSettings, StoredItem,
};
use redrive_run::conformance::{
    Abilities, Destinations, Fate, FoundLetter, NewWork, Records, SourceHarness, SourceUnderTest,
};
use redrive_run::{Source, StoreQueue};
use redrive_store::{ManualClock, Reply, Request, Store, StoreError};
use tokio::sync::Mutex;

use crate::test_server::{Storage, TestServer};

mod remote_queue_in_memory {
    redrive_run::source_conformance_tests!(crate::conformance::Remote(crate::test_server::Storage::Memory), transport);
}

mod remote_queue_on_disk {
    redrive_run::source_conformance_tests!(crate::conformance::Remote(crate::test_server::Storage::Journal), transport);
}

const LEASE: Span = Span::from_mins(2);
const PARTITIONS: u32 = 3;

/// A server with this storage and a queue.
pub(crate) struct Remote(pub(crate) Storage);

#[async_trait]
impl SourceHarness for Remote {
    type Bench = RemoteBench;

    async fn open(&self, clock: ManualClock) -> RemoteBench {
        let server = TestServer::at(self.0, clock).await;
        let client = server.client();
        let (queue, dead) = (QueueName::new("orders").unwrap(), QueueName::new("orders-dead").unwrap());
        let store = Arc::clone(server.store());
        store.create_queue(CreateQueue { settings: QueueSettings::new(dead.clone()) }).await.unwrap();
        let settings = QueueSettings {
            dead_queue: Some(dead.clone()),
            partitions: if self.0 == Storage::Journal { PARTITIONS } else { 1 },
            ..QueueSettings::new(queue.clone())
        };
        store.create_queue(CreateQueue { settings }).await.unwrap();
        let loses_next_answer = Arc::new(AtomicBool::new(false));
        RemoteBench {
            server: Mutex::new(server),
            client,
            storage: self.0,
            queue,
            dead,
            loses_next_answer,
            names: AtomicU64::new(0),
        }
    }
}

pub(crate) struct RemoteBench {
    server: Mutex<TestServer>,
    client: Client,
    storage: Storage,
    queue: QueueName,
    dead: QueueName,
    loses_next_answer: Arc<AtomicBool>,
    names: AtomicU64,
}

impl RemoteBench {
    /// The server's own store, so that the suite does not inspect results through the code under test.
    async fn store(&self) -> Arc<dyn Store> {
        Arc::clone(self.server.lock().await.store())
    }

    async fn items(&self, payload: &Bytes) -> Vec<StoredItem> {
        let store = self.store().await;
        let mut found = Vec::new();
        for partition in 0..store.queue(GetQueue { name: self.queue.clone() }).await.unwrap().partitions {
            for which in [ItemListKind::Items, ItemListKind::Scheduled] {
                let list = ListItems { queue: self.queue.clone(), partition, which, pivot: None, limit: 10_000 };
                found.extend(store.items(list).await.unwrap());
            }
        }
        found.retain(|item| item.content.payload == *payload);
        found
    }

    async fn letters(&self, payload: &Bytes) -> Vec<FoundLetter> {
        let store = self.store().await;
        let list = ListLetters { queue: self.dead.clone(), statuses: Vec::new(), after: None, limit: 10_000 };
        let mut found = Vec::new();
        for stored in store.letters(list).await.unwrap() {
            if stored.content.payload == *payload {
                let letter = stored.info.letter.unwrap().id;
                let record = store.letter(GetLetter { queue: self.dead.clone(), letter }).await.unwrap();
                found.push(FoundLetter { content: (*record.content).clone(), attempts: record.attempts });
            }
        }
        found
    }
}

#[async_trait]
impl SourceUnderTest for RemoteBench {
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
            can_restart: self.storage == Storage::Journal,
            remembers: true,
            ..Abilities::default()
        }
    }

    fn source(&self) -> Arc<dyn Source<Fence = ItemId>> {
        let store = RemoteStore::new(self.client.clone());
        let lossy = Lossy { store, loses_next_answer: Arc::clone(&self.loses_next_answer) };
        Arc::new(StoreQueue::new(Arc::new(lossy), self.queue.clone(), LEASE).to("warehouse"))
    }

    async fn put(&self, work: NewWork) {
        let name = || format!("message-{}", self.names.fetch_add(1, Ordering::Relaxed)).into();
        let item = NewItem {
            content: Arc::new(work.content),
            enqueue_at: work.due,
            message_id: (self.storage == Storage::Journal).then(name),
            ..NewItem::default()
        };
        let produce = Produce::new(self.queue.clone(), vec![item]);
        RemoteStore::new(self.client.clone()).produce(produce).await.unwrap();
    }

    async fn fate(&self, payload: &Bytes) -> Fate {
        // An item moves from the queue to its dead queue, and never back.
        let is_open = !self.items(payload).await.is_empty();
        Fate { is_open, letters: self.letters(payload).await }
    }

    /// Deletes the item.
    async fn revoke(&self, payload: &Bytes) {
        let store = self.store().await;
        for StoredItem { info, .. } in self.items(payload).await {
            let delete = DeleteItems { queue: self.queue.clone(), partition: info.partition, ids: vec![info.id] };
            assert_eq!(store.delete_items(delete).await.unwrap(), 1);
        }
    }

    async fn lose_next_answer(&self) {
        self.loses_next_answer.store(true, Ordering::Relaxed);
    }

    async fn restart(&self) {
        let mut server = self.server.lock().await;
        server.stop().await;
        server.start().await;
    }

    fn garbage_fence(&self) -> Option<ItemId> {
        Some(ItemId::new(Ksuid::MIN))
    }
}

/// A store whose answers to settlements can be lost.
#[derive(Debug)]
struct Lossy {
    store: RemoteStore,
    loses_next_answer: Arc<AtomicBool>,
}

#[async_trait]
impl Store for Lossy {
    async fn submit(&self, operation: Request, along: Vec<KeyWrite>) -> Result<Reply, StoreError> {
        let is_result = matches!(operation, Request::Settle(_));
        let reply = self.store.submit(operation, along).await;
        if is_result && self.loses_next_answer.swap(false, Ordering::Relaxed) {
            return Err(StoreError::Unavailable("the answer was lost".to_owned()));
        }
        reply
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.store.close().await
    }
}

#[tokio::test]
async fn remote_queue_returns_the_source_of_the_suite() {
    let server = TestServer::new(Storage::Memory).await;
    let source = remote_queue(server.client(), QueueName::new("orders").unwrap(), LEASE);
    assert_eq!(&**source.name(), "orders");
}
