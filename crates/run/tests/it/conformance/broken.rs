//! The suite itself: a source that breaks one rule fails some case.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use redrive_core::{AttemptLimit, Span, Time};
use redrive_run::conformance::{Abilities, CASES, Fate, NewWork, SourceBench, SourceHarness};
use redrive_run::{
    Cancel, ClaimSpec, Delivery, DestinationFilter, FinishedDelivery, Resolution, SettleError, Source, SourceError,
    Work, WorkId,
};
use redrive_store::{Clock, ManualClock};
use tokio::sync::oneshot;

use super::queues::Queues;
use crate::keyed::Keyed;

/// What is wrong with a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    None,
    /// A result that comes late or twice is answered as if it were taken.
    WelcomesOldFences,
    /// The first result that is refused ends the call.
    StopsAtARefusal,
    /// Whoever extends is told that all is well.
    ExtendsAnything,
    /// Whoever extends is told so, and nothing is extended.
    ExtendsNothing,
    /// One more than was asked for.
    YieldsMore,
    /// Held destinations are yielded, too.
    IgnoresScope,
    /// What a dropped claim had, nobody gets.
    LosesDroppedClaims,
    /// What should wait, does not.
    IsEarly,
    /// Giving work back untried costs an attempt.
    ChargesReleases,
    /// The work is let go of, and there is no letter.
    LosesLetters,
    /// The handler would run again.
    ForgetsCondemned,
    /// All of the work is to be done again.
    ForgetsParts,
    /// Each attempt is other work to whoever looks at names.
    RenamesWork,
    /// Whoever works on what was taken away is not told.
    NeverTells,
    /// Keys mean nothing.
    IgnoresKeys,
    /// Work is given to two at a time.
    YieldsTwice,
    /// What nobody heard of is done once more.
    RepeatsWhenUnheard,
}

/// A source with a fault.
struct Broken<F> {
    source: Arc<dyn Source<Fence = F>>,
    fault: Fault,
    clock: ManualClock,
    lease: Span,
}

impl<F> std::fmt::Debug for Broken<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} {:?}", self.fault, self.source)
    }
}

impl<F: Clone + std::fmt::Debug + Send + Sync + 'static> Broken<F> {
    fn told(&self, mut delivery: Delivery<F>) -> Delivery<F> {
        let work = Work::clone(&delivery.work);
        match self.fault {
            Fault::ForgetsCondemned => delivery.is_hand_over_only = false,
            Fault::ForgetsParts => delivery.work = Arc::new(Work { parts: Vec::new(), ..work }),
            Fault::RenamesWork => {
                let id: Box<str> = format!("{:?}", delivery.fence).into();
                delivery.work = Arc::new(Work { id: WorkId::Own(id), ..work });
            }
            Fault::NeverTells => delivery.cancel = Some(Cancel::new()),
            _ => {}
        }
        delivery
    }

    fn asked(&self, settlement: &FinishedDelivery<F>) -> FinishedDelivery<F> {
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
impl<F: Clone + std::fmt::Debug + Send + Sync + 'static> Source for Broken<F> {
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
            let (tell, hear) = oneshot::channel();
            let source = Arc::clone(&self.source);
            tokio::spawn(async move {
                // That nobody hears it is the very fault.
                let _unheard = tell.send(source.claim(claim).await);
            });
            hear.await.unwrap()?
        } else {
            self.source.claim(claim).await?
        };
        let mut claimed: Vec<_> = claimed.into_iter().map(|delivery| self.told(delivery)).collect();
        if self.fault == Fault::YieldsTwice && claimed.len() < count {
            claimed.extend_from_within(..1);
        }
        Ok(claimed)
    }

    async fn settle(&self, settlements: &[FinishedDelivery<F>]) -> Vec<Result<(), SettleError>> {
        let asked: Vec<_> = settlements.iter().map(|settlement| self.asked(settlement)).collect();
        let mut answers = Vec::new();
        match self.fault {
            Fault::StopsAtARefusal => {
                for settlement in &asked {
                    if answers.iter().all(Result::is_ok) {
                        answers.extend(self.source.settle(std::slice::from_ref(settlement)).await);
                    } else {
                        answers.push(Err(SettleError::Stale));
                    }
                }
            }
            _ => answers = self.source.settle(&asked).await,
        }
        if self.fault == Fault::WelcomesOldFences {
            answers.iter_mut().filter(|answer| **answer == Err(SettleError::Stale)).for_each(|answer| *answer = Ok(()));
        }
        if let (Fault::RepeatsWhenUnheard, [again @ FinishedDelivery { resolution: Resolution::Release, .. }], [Err(_)]) =
            (self.fault, &*asked, &*answers)
            && let Ok(back) = self.source.claim(ClaimSpec { count: 1, scope: DestinationFilter::all() }).await
        {
            self.source.settle(&[FinishedDelivery { fence: back[0].fence.clone(), ..again.clone() }]).await;
        }
        answers
    }

    async fn extend(&self, fences: &[F]) -> Vec<Result<Option<Time>, SettleError>> {
        match self.fault {
            Fault::ExtendsNothing => vec![Ok(Some(self.clock.now().saturating_add(self.lease))); fences.len()],
            Fault::ExtendsAnything => {
                self.source.extend(fences).await.into_iter().map(|answer| answer.or(Ok(None))).collect()
            }
            _ => self.source.extend(fences).await,
        }
    }
}

/// Sources of some kind, with a fault.
struct With<H>(H, Fault);

#[async_trait]
impl<H: SourceHarness> SourceHarness for With<H> {
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
impl<B: SourceBench> SourceBench for BrokenBench<B> {
    type Fence = B::Fence;

    fn abilities(&self) -> Abilities {
        self.bench.abilities()
    }

    fn source(&self) -> Arc<dyn Source<Fence = B::Fence>> {
        let lease = self.abilities().lease.unwrap_or_default();
        Arc::new(Broken { source: self.bench.source(), fault: self.fault, clock: self.clock.clone(), lease })
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

    /// Much of what is broken never comes.
    fn patience(&self) -> Duration {
        if self.fault == Fault::None { self.bench.patience() } else { Duration::from_secs(2) }
    }
}

/// Whether some case of a theme notices.
async fn is_noticed<H: SourceHarness>(theme: &str, fault: Fault, harness: fn() -> H) -> bool {
    for case in CASES.iter().filter(|case| case.theme == theme) {
        if tokio::spawn(case.check(With(harness(), fault))).await.is_err() {
            return true;
        }
    }
    false
}

#[tokio::test]
async fn a_source_without_a_fault_passes() {
    for case in CASES {
        case.check(With(Keyed, Fault::None)).await;
    }
    assert!(!is_noticed("leases", Fault::None, || Queues::InMemory).await);
}

macro_rules! noticed {
    ($($test:ident: $fault:ident by $theme:ident on $harness:expr;)*) => {
        $(#[tokio::test]
        async fn $test() {
            assert!(is_noticed(stringify!($theme), Fault::$fault, || $harness).await);
        })*
    };
}

noticed! {
    a_late_result_that_is_taken: WelcomesOldFences by fences on Keyed;
    a_result_that_is_taken_twice: WelcomesOldFences by lost_answers on Keyed;
    a_late_result_of_revoked_work: WelcomesOldFences by revoked on Keyed;
    results_after_one_that_was_refused: StopsAtARefusal by fences on Keyed;
    an_extension_of_what_is_lost: ExtendsAnything by fences on Keyed;
    an_extension_that_is_none: ExtendsNothing by leases on Queues::InMemory;
    more_than_was_asked_for: YieldsMore by claims on Keyed;
    work_of_a_held_destination: IgnoresScope by claims on Keyed;
    the_work_of_a_dropped_claim: LosesDroppedClaims by dropped_claims on Keyed;
    work_before_its_time: IsEarly by give_back on Keyed;
    an_attempt_that_was_none: ChargesReleases by attempts on Keyed;
    a_release_that_costs: ChargesReleases by give_back on Keyed;
    a_lost_letter: LosesLetters by dead_letters on Keyed;
    a_lost_letter_among_many: LosesLetters by many on Keyed;
    a_forgotten_verdict: ForgetsCondemned by condemned on Keyed;
    forgotten_parts: ForgetsParts by parts on Keyed;
    another_name_for_the_same_work: RenamesWork by identity on Keyed;
    another_name_after_a_restart: RenamesWork by restart on Keyed;
    a_holder_who_is_not_told: NeverTells by revoked on Keyed;
    work_out_of_order: IgnoresKeys by order on Keyed;
    two_holders_of_one_work: YieldsTwice by many on Keyed;
    an_effect_that_happens_twice: RepeatsWhenUnheard by lost_answers on Keyed;
}
