//! The fixture of a case: a source, its clock, and shorthands for common steps and assertions.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use futures_util::future::BoxFuture;
use redrive_core::{Span, Time};
use redrive_model::{Content, DestinationFilter};
use redrive_store::{Clock, ManualClock};

use super::builders::{ACK, AnyDelivery, INSTANT, START, SettleAnswer, bytes, odd_content, payload, settlement, work};
use super::erased::{AnyFence, Erased};
use super::{Abilities, Fate, FoundLetter, NewWork, SourceHarness, SourceUnderTest};
use crate::{ClaimSpec, FinishedDelivery, Resolution, SettleError, Source};

type Opener = Arc<dyn Fn() -> BoxFuture<'static, SourceFixture> + Send + Sync>;

/// A source on a clock that only the case moves.
pub(super) struct SourceFixture {
    opener: Opener,
    bench: Arc<dyn SourceUnderTest<Fence = AnyFence>>,
    pub(super) clock: ManualClock,
    pub(super) abilities: Abilities,
    /// Work that was put in, by payload, and whether the case has requested its end.
    submitted: Mutex<BTreeMap<Bytes, bool>>,
    canaries: AtomicU64,
}

impl SourceFixture {
    pub(super) async fn open<H: SourceHarness>(harness: Arc<H>) -> Self {
        let opener = opener(&harness);
        let clock = ManualClock::new(START);
        let bench = Erased(harness.open(clock.clone()).await);
        let abilities = bench.abilities();
        let (submitted, canaries) = (Mutex::default(), AtomicU64::new(0));
        Self { opener, bench: Arc::new(bench), clock, abilities, submitted, canaries }
    }

    /// A new fixture of the same source, with its own clock.
    pub(super) async fn another(&self) -> Self {
        (self.opener)().await
    }

    pub(super) fn source(&self) -> Arc<dyn Source<Fence = AnyFence>> {
        self.bench.source()
    }

    // Time

    pub(super) fn now(&self) -> Time {
        self.clock.now()
    }

    /// The time after this span.
    pub(super) fn after(&self, span: Span) -> Time {
        self.now().saturating_add(span)
    }

    pub(super) async fn advance(&self, by: Span) {
        self.set_clock(self.after(by)).await;
    }

    pub(super) async fn set_clock(&self, now: Time) {
        self.clock.set(now);
        self.bench.clock_moved().await;
    }

    /// Advances the clock until claims of this length have expired.
    pub(super) async fn outlast(&self, lease: Span) {
        self.advance(lease.saturating_add(INSTANT)).await;
    }

    /// Waits for an event that must come, and panics with `or_else` if it does not.
    pub(super) async fn in_time<T>(&self, or_else: &str, awaited: impl Future<Output = T>) -> T {
        match tokio::time::timeout(self.bench.patience(), awaited).await {
            Ok(output) => output,
            Err(_) => panic!("{or_else}"),
        }
    }

    /// Yields to other tasks and queries the source a few times, so that its background work is usually done
    /// afterwards. This is no guarantee: use it only before asserting that something did not happen.
    pub(super) async fn let_source_run(&self) {
        for _ in 0..8 {
            tokio::task::yield_now().await;
            self.bench.fate(&bytes("unknown work")).await;
        }
    }

    // Work

    pub(super) async fn put(&self, payload: &str) {
        self.put_work(work(payload)).await;
    }

    pub(super) async fn put_work(&self, mut work: NewWork) {
        self.strip(&mut work.content);
        self.submitted().insert(work.content.payload.clone(), false);
        self.bench.put(work).await;
    }

    /// Edge cases of content, reduced to what the source carries.
    pub(super) fn contents(&self) -> [Content; 3] {
        let mut contents = [odd_content(), Content::default(), Content::of_payload(bytes("plain"))];
        contents.iter_mut().for_each(|content| self.strip(content));
        contents
    }

    fn strip(&self, content: &mut Content) {
        if !self.abilities.carries_keys {
            content.key = None;
        }
        if !self.abilities.carries_headers {
            content.headers.clear();
        }
    }

    pub(super) async fn fate_of(&self, payload: &Bytes) -> Fate {
        self.bench.fate(payload).await
    }

    pub(super) async fn assert_open(&self, payload: &Bytes) {
        let fate = self.fate_of(payload).await;
        assert_eq!(fate, Fate { is_open: true, letters: Vec::new() }, "{payload:?} must be open");
    }

    /// Asserts that the work is gone and has no letter.
    pub(super) async fn assert_finished(&self, payload: &Bytes) {
        let fate = self.fate_of(payload).await;
        assert_eq!(fate, Fate { is_open: false, letters: Vec::new() }, "{payload:?} must be finished");
    }

    /// The letter of the work. Asserts that the work is gone and has exactly one letter.
    pub(super) async fn letter_of(&self, payload: &Bytes) -> FoundLetter {
        let mut fate = self.fate_of(payload).await;
        assert!(!fate.is_open, "{payload:?} must not be open: {fate:?}");
        assert_eq!(fate.letters.len(), 1, "{payload:?} must have one letter: {fate:?}");
        fate.letters.remove(0)
    }

    // Claims

    /// Claims at least one delivery and at most `count`.
    pub(super) async fn claim(&self, count: usize) -> Vec<AnyDelivery> {
        self.claim_of(count, DestinationFilter::all()).await
    }

    pub(super) async fn claim_of(&self, count: usize, scope: DestinationFilter) -> Vec<AnyDelivery> {
        let source = self.source();
        let claimed =
            self.in_time("a claim is not answered although there is work", source.claim(ClaimSpec { count, scope }));
        let got = claimed.await.expect("the source is available");
        assert!(!got.is_empty(), "a claim was answered without work");
        assert!(got.len() <= count, "{} deliveries for a claim of {count}", got.len());
        for delivery in &got {
            let is_cancelled = |cancel: &crate::Cancel| cancel.is_cancelled();
            assert!(!delivery.cancel.as_ref().is_some_and(is_cancelled), "a new claim is cancelled");
            let is_valid = delivery.deadline.is_none_or(|deadline| deadline > self.now());
            assert!(is_valid, "a new claim has expired");
        }
        got
    }

    /// Claims exactly `count` deliveries, in as many claims as needed.
    pub(super) async fn claim_all(&self, count: usize) -> Vec<AnyDelivery> {
        let mut all = Vec::new();
        while all.len() < count {
            all.extend(self.claim(count - all.len()).await);
        }
        all
    }

    /// Claims one delivery. Asserts that it has this payload.
    pub(super) async fn claim_one(&self, expected: &Bytes) -> AnyDelivery {
        let got = self.claim(1).await.remove(0);
        assert_eq!(payload(&got), expected, "other work was yielded");
        got
    }

    pub(super) async fn put_and_claim(&self, payload: &str) -> AnyDelivery {
        self.put(payload).await;
        self.claim_one(&bytes(payload)).await
    }

    /// Asserts that nothing can be claimed now. A claim would wait forever, so the fixture puts in a canary and asserts
    /// that only the canary is yielded.
    pub(super) async fn assert_nothing_to_claim(&self) {
        for _ in 0..2 {
            let number = self.canaries.fetch_add(1, Ordering::Relaxed);
            let canary = bytes(&format!("canary {number}"));
            self.put_work(NewWork { content: Content::of_payload(canary.clone()), ..work("") }).await;
            for got in self.claim(100).await {
                assert_eq!(payload(&got), &canary, "unexpected delivery: {got:?}");
                self.ack(&got).await;
            }
        }
    }

    // Settling

    pub(super) async fn settle(&self, got: &AnyDelivery, resolution: Resolution) -> SettleAnswer {
        self.settle_as(got, settlement(got, resolution)).await
    }

    pub(super) async fn settle_as(&self, got: &AnyDelivery, settlement: FinishedDelivery<AnyFence>) -> SettleAnswer {
        self.expect_end(got, &settlement.resolution);
        self.settle_many(&[settlement]).await.remove(0)
    }

    pub(super) async fn settle_many(&self, settlements: &[FinishedDelivery<AnyFence>]) -> Vec<SettleAnswer> {
        let answers = self.source().settle(settlements).await;
        assert_eq!(answers.len(), settlements.len(), "one answer per settlement");
        answers
    }

    pub(super) async fn ack(&self, got: &AnyDelivery) {
        assert_eq!(self.settle(got, ACK).await, Ok(()), "{got:?}");
    }

    /// Acknowledges all deliveries, so that the next step of a case starts with an empty source.
    pub(super) async fn ack_all(&self, all: &[AnyDelivery]) {
        for got in all {
            self.ack(got).await;
        }
    }

    pub(super) async fn extend(&self, got: &AnyDelivery) -> Result<Option<Time>, SettleError> {
        self.extend_many(&[got]).await.remove(0)
    }

    pub(super) async fn extend_many(&self, all: &[&AnyDelivery]) -> Vec<Result<Option<Time>, SettleError>> {
        let fences: Vec<_> = all.iter().map(|got| got.fence.clone()).collect();
        let answers = self.source().extend(&fences).await;
        assert_eq!(answers.len(), all.len(), "one answer per fence");
        answers
    }

    // Events outside of the holder's control

    pub(super) async fn revoke(&self, got: &AnyDelivery) {
        self.submitted().insert(payload(got).clone(), true);
        self.bench.revoke(payload(got)).await;
    }

    pub(super) async fn lose_next_answer(&self) {
        self.bench.lose_next_answer().await;
    }

    pub(super) async fn refuse_letters(&self, refuse: bool) {
        self.bench.refuse_letters(refuse).await;
    }

    pub(super) async fn restart(&self) {
        self.bench.restart().await;
    }

    pub(super) fn garbage_fence(&self) -> Option<AnyFence> {
        self.bench.garbage_fence()
    }

    // The check after every case

    /// Notes that the work may be gone from now on, if the resolution is final.
    pub(super) fn expect_end(&self, got: &AnyDelivery, resolution: &Resolution) {
        if matches!(resolution, Resolution::Ack { .. } | Resolution::Drop | Resolution::DeadLetter(_)) {
            self.submitted().insert(payload(got).clone(), true);
        }
    }

    /// Asserts that no work was duplicated (open and a letter, or two letters), and that none was lost: work is gone
    /// only if the case requested its end.
    pub(super) async fn audit(&self) {
        let submitted = self.submitted().clone();
        for (payload, may_have_ended) in submitted {
            let fate = self.fate_of(&payload).await;
            let copies = usize::from(fate.is_open) + fate.letters.len();
            assert!(copies <= 1, "{payload:?} is duplicated: {fate:?}");
            assert!(copies == 1 || may_have_ended, "{payload:?} is lost");
        }
    }

    fn submitted(&self) -> MutexGuard<'_, BTreeMap<Bytes, bool>> {
        self.submitted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn opener<H: SourceHarness>(harness: &Arc<H>) -> Opener {
    let harness = Arc::clone(harness);
    Arc::new(move || Box::pin(SourceFixture::open(Arc::clone(&harness))))
}
