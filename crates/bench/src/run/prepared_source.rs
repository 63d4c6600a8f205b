//! A source that costs nothing: prepared work, no lease, no store.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use redrive_core::{AttemptLimit, Time};
use redrive_model::Content;
use redrive_run::{ClaimSpec, Delivery, FinishedDelivery, SettleError, Source, SourceError, Work, WorkId};
use tokio::sync::Notify;

/// Yields a number of deliveries, as many at a time as are asked for, and accepts every settlement at once. Clones
/// share the deliveries.
#[derive(Debug, Clone)]
pub(super) struct PreparedSource {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    name: Arc<str>,
    /// Yielded in turn: more of them than a runner holds at a time, so that no two deliveries share one.
    works: Vec<Arc<Work>>,
    deliveries: usize,
    yielded: AtomicUsize,
    settled: AtomicUsize,
    all_settled: Notify,
}

const WORKS: usize = 8192;

impl PreparedSource {
    pub(super) fn new(deliveries: usize) -> Self {
        let name: Arc<str> = Arc::from("prepared");
        let works = (0..WORKS).map(|number| Arc::new(work(&name, number))).collect();
        let (yielded, settled, all_settled) = (AtomicUsize::new(0), AtomicUsize::new(0), Notify::new());
        Self { inner: Arc::new(Inner { name, works, deliveries, yielded, settled, all_settled }) }
    }

    /// Waits until every delivery is settled.
    pub(super) async fn until_settled(&self) {
        self.inner.all_settled.notified().await;
    }
}

fn work(source: &Arc<str>, number: usize) -> Work {
    let id = WorkId::Own(format!("prepared/{number}").into());
    let content = Arc::new(Content::of_payload(vec![7; 1024]));
    Work::new(id, Arc::clone(source), Arc::clone(source), content, Time::EPOCH)
}

#[async_trait]
impl Source for PreparedSource {
    type Fence = usize;

    fn name(&self) -> &Arc<str> {
        &self.inner.name
    }

    fn keeps_successes(&self) -> bool {
        false
    }

    async fn limit(&self) -> Result<AttemptLimit, SourceError> {
        Ok(AttemptLimit::Unlimited)
    }

    async fn claim(&self, claim: ClaimSpec) -> Result<Vec<Delivery<usize>>, SourceError> {
        let Inner { works, deliveries, yielded, .. } = &*self.inner;
        let first = yielded.fetch_add(claim.count, Ordering::Relaxed).min(*deliveries);
        let end = (first + claim.count).min(*deliveries);
        if first == end {
            return std::future::pending().await;
        }
        let delivery = |fence| Delivery::new(fence, Arc::clone(&works[fence % WORKS]), None);
        Ok((first..end).map(delivery).collect())
    }

    async fn settle(&self, settlements: &[FinishedDelivery<usize>]) -> Vec<Result<(), SettleError>> {
        let Inner { deliveries, settled, all_settled, .. } = &*self.inner;
        let count = settlements.len();
        if settled.fetch_add(count, Ordering::Relaxed) + count == *deliveries {
            all_settled.notify_one();
        }
        vec![Ok(()); count]
    }

    async fn extend(&self, fences: &[usize]) -> Vec<Result<Option<Time>, SettleError>> {
        vec![Ok(None); fences.len()]
    }
}
