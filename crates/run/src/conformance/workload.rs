//! Concurrent claimers that settle at random, and a tracker that checks their deliveries.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use redrive_core::Time;
use redrive_model::DestinationFilter;
use redrive_testkit::Seed;
use tokio::sync::Notify;
use tokio::task::JoinSet;

use super::builders::{
    ACK, AnyDelivery, bytes, dead_letter, payload, retry, retry_uncharged, settlement, work, work_of,
};
use super::erased::AnyFence;
use super::fixture::SourceFixture;
use super::random::SeededRandom;
use super::waiter::Polled;
use crate::{ClaimSpec, FinishedDelivery, Resolution, Source};

/// The parameters of a concurrent workload.
#[derive(Debug, Clone, Copy)]
pub(super) struct ConcurrentWorkload {
    pub(super) claimers: usize,
    pub(super) works: usize,
    /// Maximum number of deliveries per claim.
    pub(super) batch: usize,
    /// Drop some claims before they are answered.
    pub(super) gives_up: bool,
}

impl Default for ConcurrentWorkload {
    fn default() -> Self {
        Self { claimers: 6, works: 60, batch: 3, gives_up: false }
    }
}

/// How a piece of work ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TrackedEnd {
    Finished,
    Letter,
}

/// The expected state of a piece of work.
#[derive(Debug)]
struct TrackedWork {
    number: usize,
    key: Option<&'static str>,
    /// The expected attempt number of the next delivery.
    attempt: u32,
    deliveries: u32,
    is_hand_over_only: bool,
    holder: Option<usize>,
    end: Option<TrackedEnd>,
    /// The source has acknowledged the end.
    is_over: bool,
}

/// Checks every delivery and settlement against the expected state.
struct WorkTracker {
    pieces: Mutex<BTreeMap<Bytes, TrackedWork>>,
    is_ordered: bool,
    /// False if claims are dropped, which may count as deliveries.
    counts_deliveries: bool,
    counts_releases: bool,
    all_ended: Notify,
}

impl ConcurrentWorkload {
    /// Runs the claimers until all work has ended, and checks the result.
    pub(super) async fn run(self, fixture: &SourceFixture, seed: &Seed) {
        let fixture = &fixture.another().await;
        let mut random = SeededRandom::new(seed);
        let tracker = Arc::new(WorkTracker {
            pieces: Mutex::default(),
            is_ordered: fixture.abilities.is_ordered,
            counts_deliveries: !self.gives_up,
            counts_releases: !fixture.abilities.uncounts_releases,
            all_ended: Notify::new(),
        });
        // All work is tracked before the first claim: otherwise the workload could look finished too early.
        let first = fixture.abilities.first_attempt;
        let mut to_put = Vec::with_capacity(self.works);
        for number in 0..self.works {
            let name = format!("work {number}");
            let key = random.one_of(&[None, Some("k"), Some("l"), Some("m"), Some("")]);
            let (attempt, deliveries) = (first, first);
            let piece = TrackedWork {
                number,
                key,
                attempt,
                deliveries,
                is_hand_over_only: false,
                holder: None,
                end: None,
                is_over: false,
            };
            tracker.pieces().insert(bytes(&name), piece);
            to_put.push(key.map_or_else(|| work(&name), |key| work_of(key, &name)));
        }
        let mut claimers = JoinSet::new();
        for number in 0..self.claimers {
            let claimer = Claimer {
                number,
                source: fixture.source(),
                tracker: Arc::clone(&tracker),
                random: random.fork(),
                now: fixture.now(),
                workload: self,
            };
            claimers.spawn(claimer.run());
        }
        for work in to_put {
            fixture.put_work(work).await;
            if random.one_in(3) {
                tokio::task::yield_now().await;
            }
        }
        let all_ended = async {
            tokio::select! {
                () = tracker.all_ended.notified() => {}
                Some(failed) = claimers.join_next() => match failed {
                    Ok(never) => match never {},
                    Err(panicked) => std::panic::resume_unwind(panicked.into_panic()),
                },
            }
        };
        fixture.in_time("some work was not yielded or did not end", all_ended).await;
        claimers.shutdown().await;
        tracker.compare(fixture).await;
    }
}

impl WorkTracker {
    fn pieces(&self) -> MutexGuard<'_, BTreeMap<Bytes, TrackedWork>> {
        self.pieces.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Checks a new delivery.
    fn delivered(&self, holder: usize, got: &AnyDelivery) {
        let mut pieces = self.pieces();
        let piece = pieces.get_mut(payload(got)).expect("work that was put in");
        assert_eq!(piece.holder, None, "claimed work was delivered to {holder}: {got:?}");
        assert_eq!(piece.end, None, "finished work was delivered to {holder}: {got:?}");
        assert_eq!(got.is_hand_over_only, piece.is_hand_over_only, "{got:?}");
        if piece.is_hand_over_only {
            assert!(got.work.attempt >= piece.attempt, "the attempt number decreased: {got:?}");
        } else {
            assert_eq!(got.work.attempt, piece.attempt, "{got:?}");
        }
        if self.counts_deliveries {
            assert_eq!(got.work.deliveries, piece.deliveries, "{got:?}");
        }
        piece.holder = Some(holder);
        let (number, key) = (piece.number, piece.key);
        if self.is_ordered && key.is_some() {
            let is_earlier = |piece: &&TrackedWork| piece.key == key && piece.number < number && piece.end.is_none();
            let earlier = pieces.values().find(is_earlier);
            assert!(earlier.is_none(), "{got:?} was delivered before {earlier:?}");
        }
    }

    /// Notes a resolution before it is sent: the next delivery may come before the answer.
    fn resolving(&self, got: &AnyDelivery, resolution: &Resolution) {
        let mut pieces = self.pieces();
        let piece = pieces.get_mut(payload(got)).expect("work that was put in");
        piece.holder = None;
        piece.deliveries += u32::from(self.counts_releases || !matches!(resolution, Resolution::Release));
        match resolution {
            Resolution::Ack { .. } | Resolution::Drop => piece.end = Some(TrackedEnd::Finished),
            Resolution::DeadLetter(_) => piece.end = Some(TrackedEnd::Letter),
            Resolution::Retry { charged, .. } => piece.attempt += u32::from(*charged),
            Resolution::RedeliverForHandOver { .. } => piece.is_hand_over_only = true,
            Resolution::Defer { .. } | Resolution::Release => {}
        }
    }

    /// Notes the answers to final resolutions. The answer to another resolution does not count: the next holder may be
    /// settling the work by now.
    fn answered<'g>(&self, all: impl Iterator<Item = (&'g AnyDelivery, &'g Resolution)>) {
        let mut pieces = self.pieces();
        for (got, resolution) in all {
            let piece = pieces.get_mut(payload(got)).expect("work that was put in");
            piece.is_over |=
                matches!(resolution, Resolution::Ack { .. } | Resolution::Drop | Resolution::DeadLetter(_));
        }
        if pieces.values().all(|piece| piece.is_over) {
            self.all_ended.notify_one();
        }
    }

    /// Asserts that all work ended as it was resolved, and that nothing is left.
    async fn compare(&self, fixture: &SourceFixture) {
        let ends: Vec<(Bytes, Option<TrackedEnd>)> =
            self.pieces().iter().map(|(name, piece)| (name.clone(), piece.end)).collect();
        for (name, end) in ends {
            match end {
                Some(TrackedEnd::Letter) => drop(fixture.letter_of(&name).await),
                _ => fixture.assert_finished(&name).await,
            }
        }
        fixture.assert_nothing_to_claim().await;
    }
}

/// A task that claims and settles until it is aborted.
struct Claimer {
    number: usize,
    source: Arc<dyn Source<Fence = AnyFence>>,
    tracker: Arc<WorkTracker>,
    random: SeededRandom,
    now: Time,
    workload: ConcurrentWorkload,
}

impl Claimer {
    async fn run(mut self) -> std::convert::Infallible {
        loop {
            let got = self.claim().await;
            got.iter().for_each(|got| self.tracker.delivered(self.number, got));
            for _ in 0..self.random.below(4) {
                tokio::task::yield_now().await;
            }
            let settlements: Vec<FinishedDelivery<AnyFence>> =
                got.iter().map(|got| settlement(got, self.random_resolution(got.is_hand_over_only))).collect();
            for (got, settlement) in got.iter().zip(&settlements) {
                self.tracker.resolving(got, &settlement.resolution);
            }
            for (answer, settlement) in self.source.settle(&settlements).await.iter().zip(&settlements) {
                assert_eq!(*answer, Ok(()), "{settlement:?}");
            }
            self.tracker.answered(got.iter().zip(settlements.iter().map(|settlement| &settlement.resolution)));
        }
    }

    async fn claim(&mut self) -> Vec<AnyDelivery> {
        let count = 1 + self.random.below(self.workload.batch);
        while self.workload.gives_up && self.random.one_in(2) {
            let polls = self.random.below(8);
            if let Some(got) = Polled::new(Arc::clone(&self.source), count).poll_times(polls).await {
                return got;
            }
        }
        self.source.claim(ClaimSpec { count, scope: DestinationFilter::all() }).await.expect("the source is available")
    }

    fn random_resolution(&mut self, is_hand_over_only: bool) -> Resolution {
        if is_hand_over_only {
            return dead_letter();
        }
        match self.random.below(20) {
            0..=7 => ACK,
            8 => Resolution::Drop,
            9..=10 => dead_letter(),
            11..=13 => retry(self.now),
            14..=15 => retry_uncharged(self.now),
            16..=17 => Resolution::Release,
            18 => Resolution::Defer { until: self.now },
            _ => Resolution::RedeliverForHandOver { at: self.now },
        }
    }
}
