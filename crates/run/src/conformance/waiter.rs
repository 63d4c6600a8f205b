//! Waiting claims: in a separate task, or polled and dropped by a case.

use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;

use redrive_model::DestinationFilter;
use tokio::task::JoinHandle;

use super::builders::AnyDelivery;
use super::erased::AnyFence;
use super::fixture::SourceFixture;
use crate::{ClaimSpec, Source, SourceError};

impl SourceFixture {
    /// Starts a claim for work of any destination.
    pub(super) async fn wait(&self, count: usize) -> ClaimWaiter {
        ClaimWaiter::begin(self, count, DestinationFilter::all()).await
    }

    pub(super) fn polled(&self, count: usize) -> Polled {
        Polled::new(self.source(), count)
    }
}

type ClaimAnswer = Result<Vec<AnyDelivery>, SourceError>;

/// A claim that waits in a separate task.
pub(super) struct ClaimWaiter(JoinHandle<ClaimAnswer>);

impl ClaimWaiter {
    /// Starts the claim. When this returns, the source has usually received it.
    pub(super) async fn begin(fixture: &SourceFixture, count: usize, scope: DestinationFilter) -> Self {
        let source = fixture.source();
        let task = tokio::spawn(async move { source.claim(ClaimSpec { count, scope }).await });
        fixture.let_source_run().await;
        Self(task)
    }

    /// The answer of the claim.
    pub(super) async fn got(self, fixture: &SourceFixture) -> Vec<AnyDelivery> {
        let claimed = fixture.in_time("a waiting claim was not woken", self.0).await;
        claimed.expect("the claim did not panic").expect("the source is available")
    }

    pub(super) async fn assert_waits(&self, fixture: &SourceFixture) {
        fixture.let_source_run().await;
        assert!(!self.0.is_finished(), "a claim was answered although there is no work for it");
    }

    /// Cancels the claim.
    pub(super) async fn cancel(self) {
        self.0.abort();
        let is_cancelled = self.0.await.is_err_and(|end| end.is_cancelled());
        assert!(is_cancelled, "a claim was answered although there is no work for it");
    }
}

/// A claim that a case polls and drops.
pub(super) struct Polled(Pin<Box<dyn Future<Output = ClaimAnswer> + Send>>);

impl Polled {
    pub(super) fn new(source: Arc<dyn Source<Fence = AnyFence>>, count: usize) -> Self {
        Self(Box::pin(async move { source.claim(ClaimSpec { count, scope: DestinationFilter::all() }).await }))
    }

    /// Polls the claim once. After it returned work, it must not be polled again.
    pub(super) async fn poll(&mut self) -> Option<Vec<AnyDelivery>> {
        let polled = std::future::poll_fn(|context| Poll::Ready(self.0.as_mut().poll(context))).await;
        match polled {
            Poll::Ready(claimed) => Some(claimed.expect("the source is available")),
            Poll::Pending => None,
        }
    }

    /// Polls the claim up to `times` times, and then drops it.
    pub(super) async fn poll_times(mut self, times: usize) -> Option<Vec<AnyDelivery>> {
        for _ in 0..times {
            if let Some(got) = self.poll().await {
                return Some(got);
            }
            tokio::task::yield_now().await;
        }
        None
    }
}
