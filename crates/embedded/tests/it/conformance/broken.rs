//! The suite itself: a store that breaks one rule fails some case.

use std::sync::Arc;

use async_trait::async_trait;
use redrive_core::Span;
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_model::{KeyWrite, Settled};
use redrive_store::conformance::{CASES, Harness};
use redrive_store::{ManualClock, Reply, Request, Store, StoreError};

/// What is wrong with a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    None,
    /// A result that comes late or twice is taken.
    SettlesAnything,
    /// Of a produce, the last item gets lost.
    LosesItems,
    /// Nobody waits: what is not there is not there.
    NeverWaits,
    /// Keys that go along are dropped.
    ForgetsKeys,
    /// A counter is not exact.
    MiscountsLeases,
}

#[derive(Debug)]
struct Broken {
    store: EmbeddedStore,
    fault: Fault,
}

#[async_trait]
impl Store for Broken {
    async fn submit(&self, mut operation: Request, mut along: Vec<KeyWrite>) -> Result<Reply, StoreError> {
        match (&mut operation, self.fault) {
            (Request::Produce(produce), Fault::LosesItems) if produce.items.len() > 1 => {
                produce.items.pop();
            }
            (Request::Lease(lease), Fault::NeverWaits) => lease.wait = Span::ZERO,
            (_, Fault::ForgetsKeys) => along.clear(),
            _ => {}
        }
        let reply = self.store.submit(operation, along).await?;
        Ok(match (reply, self.fault) {
            (Reply::Settle(answers), Fault::SettlesAnything) => {
                Reply::Settle(answers.into_iter().map(|answer| Ok(answer.unwrap_or(Settled::Completed))).collect())
            }
            (Reply::GetStats(mut stats), Fault::MiscountsLeases) => {
                stats.partitions.iter_mut().for_each(|partition| partition.leased += 1);
                Reply::GetStats(stats)
            }
            (reply, _) => reply,
        })
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.store.close().await
    }
}

#[derive(Debug)]
struct With(Fault);

#[async_trait]
impl Harness for With {
    async fn open(&self, clock: ManualClock) -> Arc<dyn Store> {
        let store = EmbeddedStore::in_memory(&EmbeddedOptions { clock: Arc::new(clock), ..EmbeddedOptions::default() })
            .unwrap();
        Arc::new(Broken { store, fault: self.0 })
    }

    async fn reopen(&self, _store: Arc<dyn Store>, _clock: ManualClock) -> Option<Arc<dyn Store>> {
        None
    }
}

/// Whether some case of a theme notices.
async fn is_noticed(theme: &str, fault: Fault) -> bool {
    for case in CASES.iter().filter(|case| case.theme == theme) {
        let local = tokio::task::LocalSet::new();
        let tried = local.run_until(async { tokio::task::spawn_local(case.check(With(fault))).await }).await;
        if tried.is_err() {
            return true;
        }
    }
    false
}

#[tokio::test]
async fn a_store_without_a_fault_passes() {
    assert!(!is_noticed("produce", Fault::None).await);
}

#[tokio::test]
async fn a_late_result_that_is_taken_is_noticed() {
    assert!(is_noticed("settle", Fault::SettlesAnything).await);
}

#[tokio::test]
async fn a_lost_item_is_noticed() {
    assert!(is_noticed("produce", Fault::LosesItems).await);
}

#[tokio::test]
async fn a_lease_that_does_not_wait_is_noticed() {
    assert!(is_noticed("waiting", Fault::NeverWaits).await);
}

#[tokio::test]
async fn forgotten_keys_are_noticed() {
    assert!(is_noticed("keys", Fault::ForgetsKeys).await);
}

#[tokio::test]
async fn a_wrong_number_is_noticed() {
    assert!(is_noticed("queues", Fault::MiscountsLeases).await);
}
