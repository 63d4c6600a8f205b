//! Many who claim and finish at once, and a book that is kept about them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use redrive_core::Time;
use redrive_model::DestinationFilter;
use tokio::sync::Notify;
use tokio::task::JoinSet;

use super::bed::SourceBed;
use super::erased::AnyFence;
use super::random::{Seed, SeededRandom};
use super::waiter::Polled;
use super::words::{ACK, Got, bytes, dead_letter, payload, retry, retry_uncharged, settlement, work, work_of};
use crate::{ClaimSpec, FinishedDelivery, Resolution, Source};

/// How many they are, and what they are like.
#[derive(Debug, Clone, Copy)]
pub(super) struct Crowd {
    pub(super) claimers: usize,
    pub(super) works: usize,
    /// So many are claimed at a time, at most.
    pub(super) batch: usize,
    /// Some claims are dropped before they are answered.
    pub(super) gives_up: bool,
}

impl Default for Crowd {
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

/// What is known of a piece of work.
#[derive(Debug)]
struct TrackedWork {
    number: usize,
    key: Option<&'static str>,
    /// What the next delivery is to say.
    attempt: u32,
    deliveries: u32,
    is_hand_over_only: bool,
    holder: Option<usize>,
    end: Option<TrackedEnd>,
    /// The source has answered to that.
    is_over: bool,
}

struct Book {
    pieces: Mutex<BTreeMap<Bytes, TrackedWork>>,
    is_ordered: bool,
    /// Claims that were dropped may count as deliveries.
    counts_deliveries: bool,
    all_ended: Notify,
}

impl Crowd {
    /// Has them work until all is done, and looks whether it is.
    pub(super) async fn work(self, bed: &SourceBed, seed: &Seed) {
        let bed = &bed.another().await;
        let mut random = seed.numbers();
        let book = Arc::new(Book {
            pieces: Mutex::default(),
            is_ordered: bed.abilities.is_ordered,
            counts_deliveries: !self.gives_up,
            all_ended: Notify::new(),
        });
        // All of them are in the book first: nothing ends before the last has begun.
        let first = bed.abilities.first_attempt;
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
            book.pieces().insert(bytes(&name), piece);
            to_put.push(key.map_or_else(|| work(&name), |key| work_of(key, &name)));
        }
        let mut claimers = JoinSet::new();
        for number in 0..self.claimers {
            let claimer = Claimer {
                number,
                source: bed.source(),
                book: Arc::clone(&book),
                random: random.fork(),
                now: bed.now(),
                crowd: self,
            };
            claimers.spawn(claimer.run());
        }
        for work in to_put {
            bed.put_work(work).await;
            if random.one_in(3) {
                tokio::task::yield_now().await;
            }
        }
        let all_ended = async {
            tokio::select! {
                () = book.all_ended.notified() => {}
                Some(failed) = claimers.join_next() => match failed {
                    Ok(never) => match never {},
                    Err(panicked) => std::panic::resume_unwind(panicked.into_panic()),
                },
            }
        };
        bed.in_time("some work is never yielded, or never ends", all_ended).await;
        claimers.shutdown().await;
        book.compare(bed).await;
    }
}

impl Book {
    fn pieces(&self) -> MutexGuard<'_, BTreeMap<Bytes, TrackedWork>> {
        self.pieces.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Somebody was given this.
    fn taken(&self, holder: usize, got: &Got) {
        let mut pieces = self.pieces();
        let piece = pieces.get_mut(payload(got)).expect("work that was put in");
        assert_eq!(piece.holder, None, "it has a holder, and was given to {holder}: {got:?}");
        assert_eq!(piece.end, None, "it has ended, and was given to {holder}: {got:?}");
        assert_eq!(got.is_hand_over_only, piece.is_hand_over_only, "{got:?}");
        if piece.is_hand_over_only {
            assert!(got.work.attempt >= piece.attempt, "attempts went back: {got:?}");
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
            assert!(earlier.is_none(), "{got:?} came before {earlier:?}");
        }
    }

    /// Its holder is about to finish it so: whoever gets it next may be faster than the answer.
    fn given(&self, got: &Got, resolution: &Resolution) {
        let mut pieces = self.pieces();
        let piece = pieces.get_mut(payload(got)).expect("work that was put in");
        piece.holder = None;
        piece.deliveries += 1;
        match resolution {
            Resolution::Ack { .. } | Resolution::Drop => piece.end = Some(TrackedEnd::Finished),
            Resolution::DeadLetter(_) => piece.end = Some(TrackedEnd::Letter),
            Resolution::Retry { charged, .. } => piece.attempt += u32::from(*charged),
            Resolution::RedeliverForHandOver => piece.is_hand_over_only = true,
            Resolution::Defer { .. } | Resolution::Release => {}
        }
    }

    /// The source has answered for these. An answer to whoever gave a piece back says nothing of the end that the next
    /// holder is asking for meanwhile.
    fn answered<'g>(&self, all: impl Iterator<Item = (&'g Got, &'g Resolution)>) {
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

    /// Everything ended as it was said, and nothing is left.
    async fn compare(&self, bed: &SourceBed) {
        let ends: Vec<(Bytes, Option<TrackedEnd>)> =
            self.pieces().iter().map(|(name, piece)| (name.clone(), piece.end)).collect();
        for (name, end) in ends {
            match end {
                Some(TrackedEnd::Letter) => drop(bed.letter_of(&name).await),
                _ => bed.assert_finished(&name).await,
            }
        }
        bed.assert_nothing_to_claim().await;
    }
}

/// One who claims and finishes, until somebody stops it.
struct Claimer {
    number: usize,
    source: Arc<dyn Source<Fence = AnyFence>>,
    book: Arc<Book>,
    random: SeededRandom,
    now: Time,
    crowd: Crowd,
}

impl Claimer {
    async fn run(mut self) -> std::convert::Infallible {
        loop {
            let got = self.claim().await;
            got.iter().for_each(|got| self.book.taken(self.number, got));
            for _ in 0..self.random.below(4) {
                tokio::task::yield_now().await;
            }
            let settlements: Vec<FinishedDelivery<AnyFence>> =
                got.iter().map(|got| settlement(got, self.some_resolution(got.is_hand_over_only))).collect();
            for (got, settlement) in got.iter().zip(&settlements) {
                self.book.given(got, &settlement.resolution);
            }
            for (answer, settlement) in self.source.settle(&settlements).await.iter().zip(&settlements) {
                assert_eq!(*answer, Ok(()), "{settlement:?}");
            }
            self.book.answered(got.iter().zip(settlements.iter().map(|settlement| &settlement.resolution)));
        }
    }

    async fn claim(&mut self) -> Vec<Got> {
        let count = 1 + self.random.below(self.crowd.batch);
        while self.crowd.gives_up && self.random.one_in(2) {
            let polls = self.random.below(8);
            if let Some(got) = Polled::new(Arc::clone(&self.source), count).poll_times(polls).await {
                return got;
            }
        }
        self.source.claim(ClaimSpec { count, scope: DestinationFilter::all() }).await.expect("the source is there")
    }

    fn some_resolution(&mut self, is_hand_over_only: bool) -> Resolution {
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
            _ => Resolution::RedeliverForHandOver,
        }
    }
}
