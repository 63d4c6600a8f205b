//! The suite itself: a store that breaks one rule fails some case, and some random history.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use redrive_core::{MonotonicTime, Span, Time};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_model::{KeyWrite, SettleAction, Settled, Settlement};
use redrive_store::conformance::model::naive::TieOrder;
use redrive_store::conformance::{CASES, Case, Harness, history};
use redrive_store::{Clock, ManualClock, Reply, Request, Store, StoreError, Wake};

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
    /// An extension is shorter than it was asked for.
    ExtendsTooShort,
    /// Items that somebody holds are cleared away, too.
    ClearsLeases,
    /// Of what is purged or deleted, all but the first stays.
    KeepsWhatIsRemoved,
    /// Everything happens an instant too late.
    LagsBehind,
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
            (Request::Extend(extend), Fault::ExtendsTooShort) => extend.lease = Some(Span::from_secs(21)),
            (Request::Clear(clear), Fault::ClearsLeases) => clear.destructive = true,
            (Request::Purge(purge), Fault::KeepsWhatIsRemoved) => purge.letters.truncate(1),
            (Request::DeleteItems(delete), Fault::KeepsWhatIsRemoved) => delete.ids.truncate(1),
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

/// A clock that is an instant late.
#[derive(Debug)]
struct LateClock(ManualClock);

impl Clock for LateClock {
    fn now(&self) -> Time {
        self.0.now().saturating_sub(Span::from_micros(1))
    }

    fn monotonic(&self) -> MonotonicTime {
        self.0.monotonic()
    }

    fn until(&self, at: Time) -> Option<Duration> {
        self.0.until(at)
    }

    fn until_monotonic(&self, at: MonotonicTime) -> Option<Duration> {
        self.0.until_monotonic(at)
    }

    fn on_move(&self, wake: Wake) {
        self.0.on_move(wake);
    }
}

#[derive(Debug)]
struct With(Fault);

#[async_trait]
impl Harness for With {
    async fn open(&self, clock: ManualClock) -> Arc<dyn Store> {
        let clock: Arc<dyn Clock> = match self.0 {
            Fault::LagsBehind => Arc::new(LateClock(clock)),
            _ => Arc::new(clock),
        };
        let store = EmbeddedStore::in_memory(&EmbeddedOptions { clock, ..EmbeddedOptions::default() }).unwrap();
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
        if is_noticed_by(case, fault).await {
            return true;
        }
    }
    false
}

async fn is_noticed_by(case: &'static Case, fault: Fault) -> bool {
    let local = tokio::task::LocalSet::new();
    local.run_until(async { tokio::task::spawn_local(case.check(With(fault))).await }).await.is_err()
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
const COMMON: [Fault; 12] = [
    Fault::SettlesAnything,
    Fault::LosesItems,
    Fault::MiscountsLeases,
    Fault::LosesCompletions,
    Fault::ShowsStaleRevisions,
    Fault::ForgetsAttempts,
    Fault::LeasesTooShort,
    Fault::ForgetsHandOver,
    Fault::ExtendsTooShort,
    Fault::ClearsLeases,
    Fault::KeepsWhatIsRemoved,
    Fault::LagsBehind,
];

#[test]
fn histories_find_every_common_fault() {
    for fault in COMMON {
        let is_noticed = (0..50).any(|seed| history(With(fault), seed).is_err());
        assert!(is_noticed, "{fault:?}");
    }
}

/// Each twin, and a fault of its verb.
const OF_TWINS: [(&str, Fault); 13] = [
    ("a_produce_is_the_rule", Fault::LosesItems),
    ("a_produce_is_the_rule", Fault::LagsBehind),
    ("a_lease_is_the_rule", Fault::LeasesTooShort),
    ("a_lease_is_the_rule", Fault::ForgetsHandOver),
    ("an_extension_is_the_rule", Fault::ExtendsTooShort),
    ("a_complete_is_the_rule", Fault::LosesCompletions),
    ("a_complete_is_the_rule", Fault::ForgetsAttempts),
    ("a_complete_is_the_rule", Fault::ShowsStaleRevisions),
    ("a_complete_is_the_rule", Fault::SettlesAnything),
    ("a_clear_of_ready_items_is_the_rule", Fault::ClearsLeases),
    ("a_purge_is_the_rule", Fault::KeepsWhatIsRemoved),
    ("a_deletion_is_the_rule", Fault::KeepsWhatIsRemoved),
    ("what_time_does_is_the_rule", Fault::LagsBehind),
];

#[tokio::test]
async fn twins_find_the_faults_of_their_verbs() {
    for (name, fault) in OF_TWINS {
        let case = CASES.iter().find(|case| case.theme == "twins" && case.name == name).unwrap();
        assert!(!is_noticed_by(case, Fault::None).await, "{name}");
        assert!(is_noticed_by(case, fault).await, "{name}: {fault:?}");
    }
}

#[test]
fn histories_do_not_suspect_a_store_without_a_fault() {
    for seed in 0..5 {
        history(With(Fault::None), seed).unwrap();
    }
}
