//! The suite detects sources that break a rule: each fault fails a case of the named theme.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use redrive_core::{AttemptLimit, Span, Time};
use redrive_run::conformance::{Abilities, CASES, Fate, NewWork, SourceHarness, SourceUnderTest};
use redrive_run::{
    Cancel, ClaimSpec, Delivery, DestinationFilter, FinishedDelivery, Resolution, SettleError, Source, SourceError,
    Work, WorkId,
};
use redrive_store::{Clock, ManualClock};
use tokio::sync::oneshot;

use super::queues::QueueHarness;
use crate::keyed::KeyedHarness;

/// The rule that a source breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    None,
    /// Late and repeated results are reported as accepted.
    AcceptsStaleFences,
    /// Results after the first one that failed are not settled.
    StopsAtAnError,
    /// Every extension is reported as successful.
    ReportsEveryExtension,
    /// Extensions are reported as successful, and no lease is extended.
    ExtendsNothing,
    /// A claim yields one delivery more than its count.
    YieldsMore,
    /// A claim also yields work of destinations outside its scope.
    IgnoresScope,
    /// Work that a dropped claim had taken is lost.
    LosesDroppedClaims,
    /// Retried and deferred work is due immediately.
    IsEarly,
    /// A release counts as an attempt.
    ChargesReleases,
    /// Dead work is dropped without a letter.
    LosesLetters,
    /// Work that is redelivered for its hand-over is not marked as such, so that its handler would run again.
    ForgetsHandOver,
    /// The next attempt gets all parts instead of the failed ones.
    ForgetsParts,
    /// Each delivery of the same work has another id.
    RenamesWork,
    /// Holders of revoked work are not cancelled.
    NeverCancels,
    /// Work of one key is delivered out of order.
    IgnoresKeys,
    /// The same work is delivered to two holders at a time.
    YieldsTwice,
    /// A result whose answer was lost is applied a second time.
    RepeatsAfterLostAnswer,
}

struct BrokenSource<F> {
    source: Arc<dyn Source<Fence = F>>,
    fault: Fault,
    clock: ManualClock,
    lease: Span,
}

impl<F> std::fmt::Debug for BrokenSource<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} {:?}", self.fault, self.source)
    }
}

impl<F: Clone + std::fmt::Debug + Send + Sync + 'static> BrokenSource<F> {
    fn falsify_delivery(&self, mut delivery: Delivery<F>) -> Delivery<F> {
        let work = Work::clone(&delivery.work);
        match self.fault {
            Fault::ForgetsHandOver => delivery.is_hand_over_only = false,
            Fault::ForgetsParts => delivery.work = Arc::new(Work { parts: Vec::new(), ..work }),
            Fault::RenamesWork => {
                let id: Box<str> = format!("{:?}", delivery.fence).into();
                delivery.work = Arc::new(Work { id: WorkId::Own(id), ..work });
            }
            Fault::NeverCancels => delivery.cancel = Some(Cancel::new()),
            _ => {}
        }
        delivery
    }

    fn falsify_result(&self, settlement: &FinishedDelivery<F>) -> FinishedDelivery<F> {
        let resolution = match (&settlement.resolution, self.fault) {
            (Resolution::Retry { charged, .. }, Fault::IsEarly) => {
                Resolution::Retry { at: Time::MIN, charged: *charged }
            }
            (Resolution::Defer { .. }, Fault::IsEarly) => Resolution::Defer { until: Time::MIN },
            (Resolution::Release, Fault::ChargesReleases) => Resolution::Retry { at: Time::MIN, charged: true },
            (Resolution::DeadLetter(_), Fault::LosesLetters) => Resolution::Drop,
            (resolution, _) => resolution.clone(),
        };
        FinishedDelivery { resolution, ..settlement.clone() }
    }
}

#[async_trait]
impl<F: Clone + std::fmt::Debug + Send + Sync + 'static> Source for BrokenSource<F> {
    type Fence = F;

    fn name(&self) -> &Arc<str> {
        self.source.name()
    }

    async fn limit(&self) -> Result<AttemptLimit, SourceError> {
        self.source.limit().await
    }

    async fn claim(&self, mut claim: ClaimSpec) -> Result<Vec<Delivery<F>>, SourceError> {
        let count = claim.count;
        match self.fault {
            Fault::YieldsMore => claim.count += 1,
            Fault::IgnoresScope => claim.scope = DestinationFilter::all(),
            _ => {}
        }
        let claimed = if self.fault == Fault::LosesDroppedClaims {
            let (tx, rx) = oneshot::channel();
            let source = Arc::clone(&self.source);
            tokio::spawn(async move {
                // The fault itself: if the claim was dropped, its work is lost here.
                let _lost = tx.send(source.claim(claim).await);
            });
            rx.await.unwrap()?
        } else {
            self.source.claim(claim).await?
        };
        let mut claimed: Vec<_> = claimed.into_iter().map(|delivery| self.falsify_delivery(delivery)).collect();
        if self.fault == Fault::YieldsTwice && claimed.len() < count {
            claimed.extend_from_within(..1);
        }
        Ok(claimed)
    }

    async fn settle(&self, settlements: &[FinishedDelivery<F>]) -> Vec<Result<(), SettleError>> {
        let results: Vec<_> = settlements.iter().map(|settlement| self.falsify_result(settlement)).collect();
        let mut answers = Vec::new();
        match self.fault {
            Fault::StopsAtAnError => {
                for settlement in &results {
                    if answers.iter().all(Result::is_ok) {
                        answers.extend(self.source.settle(std::slice::from_ref(settlement)).await);
                    } else {
                        answers.push(Err(SettleError::Stale));
                    }
                }
            }
            _ => answers = self.source.settle(&results).await,
        }
        if self.fault == Fault::AcceptsStaleFences {
            answers.iter_mut().filter(|answer| **answer == Err(SettleError::Stale)).for_each(|answer| *answer = Ok(()));
        }
        if let (
            Fault::RepeatsAfterLostAnswer,
            [again @ FinishedDelivery { resolution: Resolution::Release, .. }],
            [Err(_)],
        ) = (self.fault, &*results, &*answers)
            && let Ok(back) = self.source.claim(ClaimSpec { count: 1, scope: DestinationFilter::all() }).await
        {
            self.source.settle(&[FinishedDelivery { fence: back[0].fence.clone(), ..again.clone() }]).await;
        }
        answers
    }

    async fn extend(&self, fences: &[F]) -> Vec<Result<Option<Time>, SettleError>> {
        match self.fault {
            Fault::ExtendsNothing => vec![Ok(Some(self.clock.now().saturating_add(self.lease))); fences.len()],
            Fault::ReportsEveryExtension => {
                self.source.extend(fences).await.into_iter().map(|answer| answer.or(Ok(None))).collect()
            }
            _ => self.source.extend(fences).await,
        }
    }
}

/// Opens sources of another harness and adds a fault.
struct BrokenHarness<H>(H, Fault);

#[async_trait]
impl<H: SourceHarness> SourceHarness for BrokenHarness<H> {
    type Bench = BrokenBench<H::Bench>;

    async fn open(&self, clock: ManualClock) -> BrokenBench<H::Bench> {
        BrokenBench { bench: self.0.open(clock.clone()).await, fault: self.1, clock }
    }
}

struct BrokenBench<B> {
    bench: B,
    fault: Fault,
    clock: ManualClock,
}

#[async_trait]
impl<B: SourceUnderTest> SourceUnderTest for BrokenBench<B> {
    type Fence = B::Fence;

    fn abilities(&self) -> Abilities {
        self.bench.abilities()
    }

    fn source(&self) -> Arc<dyn Source<Fence = B::Fence>> {
        let lease = self.abilities().lease.unwrap_or_default();
        Arc::new(BrokenSource { source: self.bench.source(), fault: self.fault, clock: self.clock.clone(), lease })
    }

    async fn put(&self, mut work: NewWork) {
        if self.fault == Fault::IgnoresKeys {
            work.content.key = None;
        }
        self.bench.put(work).await;
    }

    async fn fate(&self, payload: &Bytes) -> Fate {
        self.bench.fate(payload).await
    }

    async fn revoke(&self, payload: &Bytes) {
        self.bench.revoke(payload).await;
    }

    async fn lose_next_answer(&self) {
        self.bench.lose_next_answer().await;
    }

    async fn refuse_letters(&self, refuse: bool) {
        self.bench.refuse_letters(refuse).await;
    }

    async fn restart(&self) {
        self.bench.restart().await;
    }

    fn garbage_fence(&self) -> Option<B::Fence> {
        self.bench.garbage_fence()
    }

    /// Short for broken sources, since cases often wait for work that never arrives.
    fn patience(&self) -> Duration {
        if self.fault == Fault::None { self.bench.patience() } else { Duration::from_secs(2) }
    }
}

/// Whether a case of the theme fails.
async fn is_detected<H: SourceHarness>(theme: &str, fault: Fault, harness: fn() -> H) -> bool {
    for case in CASES.iter().filter(|case| case.theme == theme) {
        if tokio::spawn(case.check(BrokenHarness(harness(), fault))).await.is_err() {
            return true;
        }
    }
    false
}

#[tokio::test]
async fn a_source_without_a_fault_passes_every_case() {
    for case in CASES {
        case.check(BrokenHarness(KeyedHarness, Fault::None)).await;
    }
    assert!(!is_detected("leases", Fault::None, || QueueHarness::InMemory).await);
}

macro_rules! detected {
    ($($test:ident: $fault:ident by $theme:ident on $harness:expr;)*) => {
        $(#[tokio::test]
        async fn $test() {
            assert!(is_detected(stringify!($theme), Fault::$fault, || $harness).await);
        })*
    };
}

detected! {
    detects_a_late_result_that_is_accepted: AcceptsStaleFences by fences on KeyedHarness;
    detects_a_result_that_is_accepted_twice: AcceptsStaleFences by lost_answers on KeyedHarness;
    detects_an_accepted_result_of_revoked_work: AcceptsStaleFences by revoked on KeyedHarness;
    detects_results_that_are_not_settled_after_an_error: StopsAtAnError by fences on KeyedHarness;
    detects_a_reported_extension_of_a_lost_claim: ReportsEveryExtension by fences on KeyedHarness;
    detects_an_extension_without_effect: ExtendsNothing by leases on QueueHarness::InMemory;
    detects_more_deliveries_than_requested: YieldsMore by claims on KeyedHarness;
    detects_work_of_a_destination_outside_the_scope: IgnoresScope by claims on KeyedHarness;
    detects_lost_work_of_a_dropped_claim: LosesDroppedClaims by dropped_claims on KeyedHarness;
    detects_work_that_is_delivered_early: IsEarly by redelivery on KeyedHarness;
    detects_a_release_that_counts_as_an_attempt: ChargesReleases by attempts on KeyedHarness;
    detects_a_charged_release: ChargesReleases by redelivery on KeyedHarness;
    detects_a_lost_letter: LosesLetters by dead_letters on KeyedHarness;
    detects_a_lost_letter_among_many: LosesLetters by concurrency on KeyedHarness;
    detects_a_forgotten_hand_over: ForgetsHandOver by hand_over on KeyedHarness;
    detects_forgotten_parts: ForgetsParts by parts on KeyedHarness;
    detects_a_changed_id_of_the_same_work: RenamesWork by identity on KeyedHarness;
    detects_a_changed_id_after_a_restart: RenamesWork by restart on KeyedHarness;
    detects_a_holder_that_is_not_cancelled: NeverCancels by revoked on KeyedHarness;
    detects_work_out_of_order: IgnoresKeys by order on KeyedHarness;
    detects_two_holders_of_the_same_work: YieldsTwice by concurrency on KeyedHarness;
    detects_a_result_that_is_applied_twice: RepeatsAfterLostAnswer by lost_answers on KeyedHarness;
}
