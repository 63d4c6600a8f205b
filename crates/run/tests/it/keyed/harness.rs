//! The keyed log in the conformance suite.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use async_trait::async_trait;
use bytes::Bytes;
use redrive_core::QueueName;
use redrive_model::{CreateQueue, DeleteQueue, QueueSettings};
use redrive_run::Source;
use redrive_run::conformance::{Abilities, Fate, NewWork, Records, SourceHarness, SourceUnderTest};
use redrive_store::{Clock, ManualClock, Store};

use super::Fence;
use super::dead_queue::DeadQueue;
use super::source::KeyedSource;
use crate::conformance::stores;

#[derive(Debug)]
pub(crate) struct KeyedHarness;

#[async_trait]
impl SourceHarness for KeyedHarness {
    type Bench = KeyedBench;

    async fn open(&self, clock: ManualClock) -> KeyedBench {
        let store: Arc<dyn Store> = Arc::new(stores::in_memory(&clock));
        let dead = DeadQueue { store, queue: QueueName::new("orders-dead").unwrap() };
        dead.store.create_queue(CreateQueue { settings: QueueSettings::new(dead.queue.clone()) }).await.unwrap();
        let source = Arc::new(KeyedSource::new("orders", clock.clone(), dead.clone()));
        KeyedBench { source, dead, clock }
    }
}

#[derive(Debug)]
pub(crate) struct KeyedBench {
    source: Arc<KeyedSource>,
    dead: DeadQueue,
    clock: ManualClock,
}

#[async_trait]
impl SourceUnderTest for KeyedBench {
    type Fence = Fence;

    fn abilities(&self) -> Abilities {
        Abilities {
            is_ordered: true,
            takes_schedule: true,
            records: Records::Newest,
            can_revoke: true,
            signals_revocation: true,
            can_lose_answers: true,
            can_refuse_letters: true,
            can_restart: true,
            ..Abilities::default()
        }
    }

    fn source(&self) -> Arc<dyn Source<Fence = Fence>> {
        Arc::clone(&self.source) as Arc<dyn Source<Fence = Fence>>
    }

    async fn put(&self, work: NewWork) {
        let destination = work.destination.unwrap_or_else(|| Arc::from("warehouse"));
        self.source.change(|log| log.append(work.content, destination, self.clock.now(), work.due));
    }

    async fn fate(&self, payload: &Bytes) -> Fate {
        let is_open = self.source.log().holds(payload);
        // While letters are refused there is no dead queue to read.
        let letters = stores::letters(&*self.dead.store, &self.dead.queue, payload).await.unwrap_or_default();
        Fate { is_open, letters: letters.into_iter().map(stores::found).collect() }
    }

    async fn revoke(&self, _payload: &Bytes) {
        self.source.change(super::log::Log::reassign);
    }

    async fn lose_next_answer(&self) {
        self.source.loses_next_answer.store(true, Ordering::Relaxed);
    }

    /// Deletes the dead queue, so that the store accepts no letter. Existing letters are deleted with it: no case
    /// refuses letters after it made some.
    async fn refuse_letters(&self, refuse: bool) {
        if refuse {
            self.dead.store.delete_queue(DeleteQueue { name: self.dead.queue.clone(), force: true }).await.unwrap();
        } else {
            self.dead
                .store
                .create_queue(CreateQueue { settings: QueueSettings::new(self.dead.queue.clone()) })
                .await
                .unwrap();
        }
    }

    async fn restart(&self) {
        self.source.change(super::log::Log::reassign);
    }

    fn garbage_fence(&self) -> Option<Fence> {
        Some(Fence { offset: 0, epoch: u64::MAX })
    }
}
