//! Claims that wait: in a task of their own, or in the hands of a case that polls and drops them.

use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;

use redrive_model::DestinationFilter;
use tokio::task::JoinHandle;

use super::bed::SourceBed;
use super::erased::AnyFence;
use super::words::Got;
use crate::{ClaimSpec, Source, SourceError};

impl SourceBed {
    /// Begins to wait for work of any destination.
    pub(super) async fn wait(&self, count: usize) -> ClaimWaiter {
        ClaimWaiter::begin(self, count, DestinationFilter::all()).await
    }

    pub(super) fn polled(&self, count: usize) -> Polled {
        Polled::new(self.source(), count)
    }
}

type ClaimAnswer = Result<Vec<Got>, SourceError>;

/// A claim that waits in a task of its own.
pub(super) struct ClaimWaiter(JoinHandle<ClaimAnswer>);

impl ClaimWaiter {
    /// Begins to wait; as a rule, the source knows when this returns.
    pub(super) async fn begin(bed: &SourceBed, count: usize, scope: DestinationFilter) -> Self {
        let source = bed.source();
        let task = tokio::spawn(async move { source.claim(ClaimSpec { count, scope }).await });
        bed.settle_down().await;
        Self(task)
    }

    /// What it waited for.
    pub(super) async fn got(self, bed: &SourceBed) -> Vec<Got> {
        let claimed = bed.in_time("a claim that waits was not woken", self.0).await;
        claimed.expect("the claim did not panic").expect("the source is there")
    }

    pub(super) async fn assert_waits(&self, bed: &SourceBed) {
        bed.settle_down().await;
        assert!(!self.0.is_finished(), "a claim was answered although there is nothing for it");
    }

    /// Whoever waited is gone.
    pub(super) async fn vanish(self) {
        self.0.abort();
        assert!(self.0.await.is_err_and(|end| end.is_cancelled()), "it was answered although there is nothing for it");
    }
}

/// A claim that is polled and dropped by hand.
pub(super) struct Polled(Pin<Box<dyn Future<Output = ClaimAnswer> + Send>>);

impl Polled {
    pub(super) fn new(source: Arc<dyn Source<Fence = AnyFence>>, count: usize) -> Self {
        Self(Box::pin(async move { source.claim(ClaimSpec { count, scope: DestinationFilter::all() }).await }))
    }

    /// Whether it is answered by now. Once it is, it must not be asked again.
    pub(super) async fn poll(&mut self) -> Option<Vec<Got>> {
        let polled = std::future::poll_fn(|context| Poll::Ready(self.0.as_mut().poll(context))).await;
        match polled {
            Poll::Ready(claimed) => Some(claimed.expect("the source is there")),
            Poll::Pending => None,
        }
    }

    /// Polls so often, and then gives up.
    pub(super) async fn poll_times(mut self, times: usize) -> Option<Vec<Got>> {
        for _ in 0..times {
            if let Some(got) = self.poll().await {
                return Some(got);
            }
            tokio::task::yield_now().await;
        }
        None
    }
}
