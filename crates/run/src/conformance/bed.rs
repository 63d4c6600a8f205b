//! What a case works with: a source, its clock, and short ways to say what most cases say.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use futures_util::future::BoxFuture;
use redrive_core::{Span, Time};
use redrive_model::{Content, DestinationFilter};
use redrive_store::{Clock, ManualClock};

use super::erased::{AnyFence, Erased};
use super::words::{ACK, Got, INSTANT, START, SettleAnswer, bytes, odd_content, payload, settlement, work};
use super::{Abilities, Fate, FoundLetter, NewWork, SourceBench, SourceHarness};
use crate::{ClaimSpec, FinishedDelivery, Resolution, SettleError, Source};

type Opener = Arc<dyn Fn() -> BoxFuture<'static, SourceBed> + Send + Sync>;

/// A source on a clock that stands still.
pub(super) struct SourceBed {
    opener: Opener,
    bench: Arc<dyn SourceBench<Fence = AnyFence>>,
    pub(super) clock: ManualClock,
    pub(super) abilities: Abilities,
    /// What was put in, and whether somebody has asked for its end.
    known: Mutex<BTreeMap<Bytes, bool>>,
    canaries: AtomicU64,
}

impl SourceBed {
    pub(super) async fn open<H: SourceHarness>(harness: Arc<H>) -> Self {
        let opener = opener(&harness);
        let clock = ManualClock::new(START);
        let bench = Erased(harness.open(clock.clone()).await);
        let abilities = bench.abilities();
        let (known, canaries) = (Mutex::default(), AtomicU64::new(0));
        Self { opener, bench: Arc::new(bench), clock, abilities, known, canaries }
    }

    /// A fresh source, on a clock of its own.
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

    /// In so long from now.
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

    /// Lets claims of this length end.
    pub(super) async fn outlast(&self, lease: Span) {
        self.advance(lease.saturating_add(INSTANT)).await;
    }

    /// Waits for what must come.
    pub(super) async fn in_time<T>(&self, or_else: &str, awaited: impl Future<Output = T>) -> T {
        match tokio::time::timeout(self.bench.patience(), awaited).await {
            Ok(came) => came,
            Err(_) => panic!("{or_else}"),
        }
    }

    /// Lets others have their turn, and the source answer a few questions: whatever it does by itself, it has done by
    /// then. As a rule; only what must not happen is looked for after this.
    pub(super) async fn settle_down(&self) {
        for _ in 0..8 {
            tokio::task::yield_now().await;
            self.bench.fate(&bytes("nobody knows this one")).await;
        }
    }

    // Work

    pub(super) async fn put(&self, payload: &str) {
        self.put_work(work(payload)).await;
    }

    pub(super) async fn put_work(&self, mut work: NewWork) {
        self.strip(&mut work.content);
        self.known().insert(work.content.payload.clone(), false);
        self.bench.put(work).await;
    }

    /// Contents that a source may get wrong, without what it does not carry.
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
        assert_eq!(fate, Fate { is_open: true, letters: Vec::new() }, "{payload:?} is to be open");
    }

    /// It is gone, and is no letter.
    pub(super) async fn assert_finished(&self, payload: &Bytes) {
        let fate = self.fate_of(payload).await;
        assert_eq!(fate, Fate { is_open: false, letters: Vec::new() }, "{payload:?} is to be finished");
    }

    /// It is gone, and its one letter is there.
    pub(super) async fn letter_of(&self, payload: &Bytes) -> FoundLetter {
        let mut fate = self.fate_of(payload).await;
        assert!(!fate.is_open, "{payload:?} is a letter, or open, and not both: {fate:?}");
        assert_eq!(fate.letters.len(), 1, "{payload:?} is to be one letter: {fate:?}");
        fate.letters.remove(0)
    }

    // Claims

    /// At least one, and at most so many.
    pub(super) async fn claim(&self, count: usize) -> Vec<Got> {
        self.claim_of(count, DestinationFilter::all()).await
    }

    pub(super) async fn claim_of(&self, count: usize, scope: DestinationFilter) -> Vec<Got> {
        let source = self.source();
        let claimed =
            self.in_time("nothing is yielded, although there is work", source.claim(ClaimSpec { count, scope }));
        let got = claimed.await.expect("the source is there");
        assert!(!got.is_empty(), "a claim is answered with work, or not yet");
        assert!(got.len() <= count, "{} were yielded, where {count} were asked for", got.len());
        for delivery in &got {
            let is_told = |cancel: &crate::Cancel| cancel.is_cancelled();
            assert!(!delivery.cancel.as_ref().is_some_and(is_told), "a claim that ended before it began");
            let is_later = delivery.deadline.is_none_or(|deadline| deadline > self.now());
            assert!(is_later, "a claim that ended before it began");
        }
        got
    }

    /// So many, in as many claims as it takes.
    pub(super) async fn claim_all(&self, count: usize) -> Vec<Got> {
        let mut all = Vec::new();
        while all.len() < count {
            all.extend(self.claim(count - all.len()).await);
        }
        all
    }

    /// The work with this payload, which is the next.
    pub(super) async fn claim_one(&self, wanted: &Bytes) -> Got {
        let got = self.claim(1).await.remove(0);
        assert_eq!(payload(&got), wanted, "other work was yielded");
        got
    }

    pub(super) async fn put_and_claim(&self, payload: &str) -> Got {
        self.put(payload).await;
        self.claim_one(&bytes(payload)).await
    }

    /// Nothing may be claimed now. A claim would wait for ever, so a piece of work is put in that may, and nothing else
    /// comes with it or before it.
    pub(super) async fn assert_nothing_to_claim(&self) {
        for _ in 0..2 {
            let number = self.canaries.fetch_add(1, Ordering::Relaxed);
            let canary = bytes(&format!("canary {number}"));
            self.put_work(NewWork { content: Content::of_payload(canary.clone()), ..work("") }).await;
            for got in self.claim(100).await {
                assert_eq!(payload(&got), &canary, "it was yielded, and should not be: {got:?}");
                self.ack(&got).await;
            }
        }
    }

    // Ends

    pub(super) async fn settle(&self, got: &Got, resolution: Resolution) -> SettleAnswer {
        self.settle_as(got, settlement(got, resolution)).await
    }

    pub(super) async fn settle_as(&self, got: &Got, settlement: FinishedDelivery<AnyFence>) -> SettleAnswer {
        self.note(got, &settlement.resolution);
        self.settle_many(&[settlement]).await.remove(0)
    }

    pub(super) async fn settle_many(&self, settlements: &[FinishedDelivery<AnyFence>]) -> Vec<SettleAnswer> {
        let answers = self.source().settle(settlements).await;
        assert_eq!(answers.len(), settlements.len(), "one answer for each");
        answers
    }

    pub(super) async fn ack(&self, got: &Got) {
        assert_eq!(self.settle(got, ACK).await, Ok(()), "{got:?}");
    }

    /// Acknowledges all, so that the next part of a case begins with nothing.
    pub(super) async fn ack_all(&self, all: &[Got]) {
        for got in all {
            self.ack(got).await;
        }
    }

    pub(super) async fn extend(&self, got: &Got) -> Result<Option<Time>, SettleError> {
        self.extend_many(&[got]).await.remove(0)
    }

    pub(super) async fn extend_many(&self, all: &[&Got]) -> Vec<Result<Option<Time>, SettleError>> {
        let fences: Vec<_> = all.iter().map(|got| got.fence.clone()).collect();
        let answers = self.source().extend(&fences).await;
        assert_eq!(answers.len(), all.len(), "one answer for each");
        answers
    }

    // Behind the holder's back

    pub(super) async fn revoke(&self, got: &Got) {
        self.known().insert(payload(got).clone(), true);
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

    // What holds after every case

    /// Somebody asks for the end of this work, if the resolution is one.
    pub(super) fn note(&self, got: &Got, resolution: &Resolution) {
        if matches!(resolution, Resolution::Ack { .. } | Resolution::Drop | Resolution::DeadLetter(_)) {
            self.known().insert(payload(got).clone(), true);
        }
    }

    /// No work is two things, and none is nothing without anybody having ended it.
    pub(super) async fn audit(&self) {
        let known = self.known().clone();
        for (payload, may_have_ended) in known {
            let fate = self.fate_of(&payload).await;
            let things = usize::from(fate.is_open) + fate.letters.len();
            assert!(things <= 1, "{payload:?} is more than one thing: {fate:?}");
            assert!(things == 1 || may_have_ended, "{payload:?} is lost");
        }
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<Bytes, bool>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn opener<H: SourceHarness>(harness: &Arc<H>) -> Opener {
    let harness = Arc::clone(harness);
    Arc::new(move || Box::pin(SourceBed::open(Arc::clone(&harness))))
}
