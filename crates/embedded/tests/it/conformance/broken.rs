//! Tests of the suite itself: a store that breaks one rule fails a case and a random history.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use redrive_core::{MonotonicTime, Span, Time};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_model::{KeyWrite, SettleAction, Settled, Settlement};
use redrive_store::conformance::model::naive::TieOrder;
use redrive_store::conformance::{CASES, Case, Harness, history};
use redrive_store::{Clock, ManualClock, Reply, Request, Store, StoreError, Wake};

/// A fault that is injected into a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    None,
    /// A late or repeated result is accepted.
    SettlesAnything,
    /// The last item of a produce is lost.
    LosesItems,
    /// A lease returns at once if there are no items.
    NeverWaits,
    /// Accompanying key writes are dropped.
    ForgetsKeys,
    /// A counter is not exact.
    MiscountsLeases,
    /// Completed items reappear.
    LosesCompletions,
    /// A letter is shown with an older revision.
    ShowsStaleRevisions,
    /// The newest attempt of a letter is not recorded.
    ForgetsAttempts,
    /// An item is leased for a shorter time than requested.
    LeasesTooShort,
    /// An item that is redelivered for its hand-over is delivered as ordinary work.
    ForgetsHandOver,
    /// A lease is extended for a shorter time than requested.
    ExtendsTooShort,
    /// A clear removes leased items, too.
    ClearsLeases,
    /// Of the items to be purged or deleted, only the first is removed.
    KeepsWhatIsRemoved,
    /// Everything happens an instant too late.
    LagsBehind,
}

#[derive(Debug)]
struct FaultyStore {
    store: EmbeddedStore,
    fault: Fault,
}

#[async_trait]
impl Store for FaultyStore {
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
struct WithFault(Fault);

#[async_trait]
impl Harness for WithFault {
    async fn open(&self, clock: ManualClock) -> Arc<dyn Store> {
        let clock: Arc<dyn Clock> = match self.0 {
            Fault::LagsBehind => Arc::new(LateClock(clock)),
            _ => Arc::new(clock),
        };
        let store = EmbeddedStore::in_memory(&EmbeddedOptions { clock, ..EmbeddedOptions::default() }).unwrap();
        Arc::new(FaultyStore { store, fault: self.0 })
    }

    fn tie_order(&self) -> TieOrder {
        TieOrder::BY_SLOT
    }
}

/// Whether a case of the theme detects the fault.
async fn is_detected(theme: &str, fault: Fault) -> bool {
    for case in CASES.iter().filter(|case| case.theme == theme) {
        if is_detected_by(case, fault).await {
            return true;
        }
    }
    false
}

async fn is_detected_by(case: &'static Case, fault: Fault) -> bool {
    let local = tokio::task::LocalSet::new();
    local.run_until(async { tokio::task::spawn_local(case.check(WithFault(fault))).await }).await.is_err()
}

#[tokio::test]
async fn a_store_without_a_fault_passes() {
    assert!(!is_detected("produce", Fault::None).await);
}

#[tokio::test]
async fn an_accepted_late_result_is_detected() {
    assert!(is_detected("settle", Fault::SettlesAnything).await);
}

#[tokio::test]
async fn a_lost_item_is_detected() {
    assert!(is_detected("produce", Fault::LosesItems).await);
}

#[tokio::test]
async fn a_lease_that_does_not_wait_is_detected() {
    assert!(is_detected("waiting", Fault::NeverWaits).await);
}

#[tokio::test]
async fn lost_keys_are_detected() {
    assert!(is_detected("keys", Fault::ForgetsKeys).await);
}

#[tokio::test]
async fn a_wrong_counter_is_detected() {
    assert!(is_detected("queues", Fault::MiscountsLeases).await);
}

/// The faults that histories can detect. They neither wait nor send accompanying keys: the cases cover that.
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
fn histories_detect_every_common_fault() {
    for fault in COMMON {
        let is_detected = (0..50).any(|seed| history(WithFault(fault), seed).is_err());
        assert!(is_detected, "{fault:?}");
    }
}

/// The name of each twins case, and a fault that it must detect.
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
async fn twins_cases_detect_the_faults_of_their_operations() {
    for (name, fault) in OF_TWINS {
        let case = CASES.iter().find(|case| case.theme == "twins" && case.name == name).unwrap();
        assert!(!is_detected_by(case, Fault::None).await, "{name}");
        assert!(is_detected_by(case, fault).await, "{name}: {fault:?}");
    }
}

#[test]
fn histories_pass_on_a_store_without_a_fault() {
    for seed in 0..5 {
        history(WithFault(Fault::None), seed).unwrap();
    }
}
