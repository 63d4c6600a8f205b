//! The suite itself: a store that breaks one rule fails some case, and some random history.

use std::sync::Arc;

use async_trait::async_trait;
use redrive_core::Span;
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_model::{KeyWrite, SettleAction, Settled, Settlement};
use redrive_store::conformance::model::naive::TieOrder;
use redrive_store::conformance::{CASES, Harness, history};
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
    /// What is completed is there again.
    LosesCompletions,
    /// A letter seems to be older than it is.
    ShowsStaleRevisions,
    /// The newest attempt of a letter is not kept.
    ForgetsAttempts,
    /// An item is leased for less than it was asked for.
    LeasesTooShort,
    /// What is delivered for its hand-over is delivered as work.
    ForgetsHandOver,
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
            (Request::Lease(lease), Fault::LeasesTooShort) => lease.spec.lease = Some(Span::from_millis(900)),
            (Request::Settle(settle), Fault::LosesCompletions) => settle.items.iter_mut().for_each(release_instead),
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
            (Reply::Settle(answers), Fault::LosesCompletions) => {
                let completed = |answer: Result<Settled, _>| answer.map(|_| Settled::Completed);
                Reply::Settle(answers.into_iter().map(completed).collect())
            }
            (Reply::GetLetter(mut letter), Fault::ShowsStaleRevisions) => {
                letter.info.letter.iter_mut().for_each(|letter| letter.revision -= 1);
                Reply::GetLetter(letter)
            }
            (Reply::GetLetter(mut letter), Fault::ForgetsAttempts) => {
                letter.attempts.pop();
                Reply::GetLetter(letter)
            }
            (Reply::ListItems(mut items), Fault::ForgetsHandOver) => {
                items.iter_mut().for_each(|item| item.info.is_hand_over_only = false);
                Reply::ListItems(items)
            }
            (reply, _) => reply,
        })
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.store.close().await
    }
}

fn release_instead(settlement: &mut Settlement) {
    if matches!(settlement.action, SettleAction::Complete { .. }) {
        settlement.action = SettleAction::Release;
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

    fn tie_order(&self) -> TieOrder {
        TieOrder::BY_SLOT
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

/// Those that any user meets. Histories do not wait and send no keys along: that is for the cases.
const COMMON: [Fault; 8] = [
    Fault::SettlesAnything,
    Fault::LosesItems,
    Fault::MiscountsLeases,
    Fault::LosesCompletions,
    Fault::ShowsStaleRevisions,
    Fault::ForgetsAttempts,
    Fault::LeasesTooShort,
    Fault::ForgetsHandOver,
];

#[test]
fn histories_find_every_common_fault() {
    for fault in COMMON {
        let is_noticed = (0..50).any(|seed| history(With(fault), seed).is_err());
        assert!(is_noticed, "{fault:?}");
    }
}

#[test]
fn histories_do_not_suspect_a_store_without_a_fault() {
    for seed in 0..5 {
        history(With(Fault::None), seed).unwrap();
    }
}
