//! The suite for sources, over a queue of a server.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use async_trait::async_trait;
use bytes::Bytes;
use redrive_client::{Client, RemoteStore, remote_queue};
use redrive_core::{ItemId, Ksuid, QueueName, Span};
use redrive_model::{
    CreateQueue, DeleteItems, GetLetter, GetQueue, KeyWrite, ListItems, ListLetters, NewItem, Produce, QueueSettings,
    StoredItem, Which,
};
use redrive_run::conformance::{
    Abilities, Destinations, Fate, FoundLetter, NewWork, Records, SourceBench, SourceHarness,
};
use redrive_run::{Source, StoreQueue};
use redrive_store::{ManualClock, Reply, Request, Store, StoreError};
use tokio::sync::Mutex;

use crate::bed::{Bed, Ground};

mod remote_queue_in_memory {
    redrive_run::source_conformance_tests!(crate::conformance::Remote(crate::bed::Ground::Memory));
}

mod remote_queue_on_disk {
    redrive_run::source_conformance_tests!(crate::conformance::Remote(crate::bed::Ground::Journal));
}

const LEASE: Span = Span::from_mins(2);
const PARTITIONS: u32 = 3;

/// A server on this ground, with a queue.
pub(crate) struct Remote(pub(crate) Ground);

#[async_trait]
impl SourceHarness for Remote {
    type Bench = RemoteBench;

    async fn open(&self, clock: ManualClock) -> RemoteBench {
        let bed = Bed::at(self.0, clock).await;
        let client = bed.client();
        let (queue, dead) = (QueueName::new("orders").unwrap(), QueueName::new("orders-dead").unwrap());
        let store = RemoteStore::new(client.clone());
        store.create_queue(CreateQueue { settings: QueueSettings::new(dead.clone()) }).await.unwrap();
        let settings = QueueSettings {
            dead_queue: Some(dead.clone()),
            partitions: if self.0 == Ground::Journal { PARTITIONS } else { 1 },
            ..QueueSettings::new(queue.clone())
        };
        store.create_queue(CreateQueue { settings }).await.unwrap();
        let loses_next_answer = Arc::new(AtomicBool::new(false));
        RemoteBench {
            bed: Mutex::new(bed),
            client,
            ground: self.0,
            queue,
            dead,
            loses_next_answer,
            names: AtomicU64::new(0),
        }
    }
}

pub(crate) struct RemoteBench {
    bed: Mutex<Bed>,
    client: Client,
    ground: Ground,
    queue: QueueName,
    dead: QueueName,
    loses_next_answer: Arc<AtomicBool>,
    names: AtomicU64,
}

impl RemoteBench {
    /// The server's own store: what the suite looks at is not seen through what it tries.
    async fn store(&self) -> Arc<dyn Store> {
        Arc::clone(self.bed.lock().await.store())
    }

    async fn items(&self, payload: &Bytes) -> Vec<StoredItem> {
        let store = self.store().await;
        let mut found = Vec::new();
        for partition in 0..store.queue(GetQueue { name: self.queue.clone() }).await.unwrap().partitions {
            for which in [Which::Items, Which::Scheduled] {
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
impl SourceBench for RemoteBench {
    type Fence = ItemId;

    fn abilities(&self) -> Abilities {
        Abilities {
            lease: Some(LEASE),
            destinations: Destinations::One(Arc::from("warehouse")),
            takes_schedule: true,
            records: Records::All,
            can_revoke: true,
            can_lose_answers: true,
            can_restart: self.ground == Ground::Journal,
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
            message_id: (self.ground == Ground::Journal).then(name),
            ..NewItem::default()
        };
        let produce = Produce::new(self.queue.clone(), vec![item]);
        RemoteStore::new(self.client.clone()).produce(produce).await.unwrap();
    }

    async fn fate(&self, payload: &Bytes) -> Fate {
        // An item goes from the queue to its dead queue, and not back.
        let is_open = !self.items(payload).await.is_empty();
        Fate { is_open, letters: self.letters(payload).await }
    }

    /// Somebody deletes the item.
    async fn revoke(&self, payload: &Bytes) {
        let store = RemoteStore::new(self.client.clone());
        for StoredItem { info, .. } in self.items(payload).await {
            let delete = DeleteItems { queue: self.queue.clone(), partition: info.partition, ids: vec![info.id] };
            assert_eq!(store.delete_items(delete).await.unwrap(), 1);
        }
    }

    async fn lose_next_answer(&self) {
        self.loses_next_answer.store(true, Ordering::Relaxed);
    }

    async fn restart(&self) {
        let mut bed = self.bed.lock().await;
        bed.stop().await;
        bed.start().await;
    }

    fn garbage_fence(&self) -> Option<ItemId> {
        Some(ItemId::new(Ksuid::MIN))
    }
}

/// A store whose answers to results may get lost on their way.
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
async fn the_source_that_users_get_is_the_one_of_the_suite() {
    let bed = Bed::new(Ground::Memory).await;
    let source = remote_queue(bed.client(), QueueName::new("orders").unwrap(), LEASE);
    assert_eq!(&**source.name(), "orders");
}
