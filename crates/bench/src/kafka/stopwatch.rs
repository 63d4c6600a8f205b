//! Counts the records of one run, and measures from the first to the last of them.

use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use tokio::sync::Notify;

/// The time limit of a run. A slower run is measured by what it did until then.
pub(super) const RUN_MAX: Duration = Duration::from_secs(30);

/// Starts with the first record, so that it does not include the time in which the group is joined. Clones share the
/// counts.
#[derive(Clone)]
pub(super) struct Stopwatch {
    shared: Arc<Counts>,
}

#[derive(Default)]
struct Counts {
    records: u64,
    begun: OnceLock<Instant>,
    ended: OnceLock<Instant>,
    done: AtomicU64,
    work_micros: AtomicU64,
    work_count: AtomicU64,
    all_done: Notify,
}

impl Stopwatch {
    /// Ends when this number of records is done.
    pub(super) fn new(records: u64) -> Self {
        Self { shared: Arc::new(Counts { records, ..Counts::default() }) }
    }

    pub(super) fn begin(&self) {
        self.shared.begun.get_or_init(Instant::now);
    }

    pub(super) fn done(&self) {
        let Counts { records, ended, done, all_done, .. } = &*self.shared;
        if done.fetch_add(1, Ordering::Relaxed) + 1 == *records {
            ended.get_or_init(Instant::now);
            all_done.notify_one();
        }
    }

    pub(super) fn is_over(&self) -> bool {
        self.shared.ended.get().is_some()
    }

    /// Does the work of a handler and measures it.
    pub(super) async fn work(&self, work: Duration) {
        self.begin();
        let begin = Instant::now();
        tokio::time::sleep(work).await;
        let micros = u64::try_from(begin.elapsed().as_micros()).unwrap_or(u64::MAX);
        self.shared.work_micros.fetch_add(micros, Ordering::Relaxed);
        self.shared.work_count.fetch_add(1, Ordering::Relaxed);
    }

    /// The mean duration of the work. The timers of the runtime have a resolution of a millisecond, so that it is
    /// longer than what was asked for.
    pub(super) fn work_seconds(&self) -> f64 {
        let Counts { work_micros, work_count, .. } = &*self.shared;
        work_micros.load(Ordering::Relaxed) as f64 / 1e6 / work_count.load(Ordering::Relaxed) as f64
    }

    /// Waits until all records are done, or the time limit.
    pub(super) async fn until_over(&self) -> Result<f64> {
        if tokio::time::timeout(RUN_MAX, self.shared.all_done.notified()).await.is_err() {
            eprintln!("  only {} records of {}", self.shared.done.load(Ordering::Relaxed), self.shared.records);
        }
        self.rate()
    }

    /// The records per second so far.
    pub(super) fn rate(&self) -> Result<f64> {
        let Counts { begun, ended, done, .. } = &*self.shared;
        let begun = begun.get().context("no record arrived")?;
        let (ended, done) = match ended.get() {
            Some(ended) => (*ended, self.shared.records),
            None => (Instant::now(), done.load(Ordering::Relaxed)),
        };
        Ok(done as f64 / ended.duration_since(*begun).as_secs_f64())
    }
}
