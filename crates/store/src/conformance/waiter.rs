//! A waiting request in a separate task.

use redrive_core::{QueueName, Span};
use redrive_model::{Lease, Leased, StoredItem};
use tokio::task::JoinHandle;

use super::fixture::{StoreFixture, claim_of, lease_of};
use crate::StoreError;

impl StoreFixture {
    /// Starts a lease that waits up to an hour, in a separate task.
    pub(super) async fn wait(&self, queue: &QueueName, batch: u64) -> Waiter<Leased> {
        self.wait_with(lease_of(queue, batch, Span::from_hours(1))).await
    }

    pub(super) async fn wait_with(&self, lease: Lease) -> Waiter<Leased> {
        let (store, queue) = (self.store(), lease.queue.clone());
        Waiter::begin(self, queue, async move { store.lease(lease).await }).await
    }

    pub(super) async fn wait_for_letters(&self, queue: &QueueName, held: &[&str]) -> Waiter<Vec<StoredItem>> {
        let (store, claim) = (self.store(), claim_of(queue, 1, held, Span::from_days(1)));
        Waiter::begin(self, queue.clone(), async move { store.claim_due(claim).await.map(|claimed| claimed.letters) })
            .await
    }
}

/// A waiting lease or claim.
pub(super) struct Waiter<T> {
    queue: QueueName,
    task: JoinHandle<Result<T, StoreError>>,
}

/// How often the statistics are polled until the store has received a request.
const POLLS: usize = 10_000;

impl<T: Send + 'static> Waiter<T> {
    /// Sends the request, and returns when the store has received it.
    pub(super) async fn begin(
        fixture: &StoreFixture,
        queue: QueueName,
        request: impl Future<Output = Result<T, StoreError>> + Send + 'static,
    ) -> Self {
        let before = fixture.stats(&queue).await.waiting;
        let task = tokio::spawn(request);
        for _ in 0..POLLS {
            tokio::task::yield_now().await;
            if task.is_finished() || fixture.stats(&queue).await.waiting > before {
                return Self { queue, task };
            }
        }
        panic!("no request waits on {queue}");
    }

    /// Waits for the reply.
    pub(super) async fn reply(self) -> T {
        self.answer().await.unwrap()
    }

    /// Waits for an error.
    pub(super) async fn error(self) -> StoreError {
        match self.answer().await {
            Ok(_) => panic!("the request succeeded"),
            Err(error) => error,
        }
    }

    pub(super) async fn answer(self) -> Result<T, StoreError> {
        self.task.await.unwrap()
    }

    /// Checks that the request still waits after the store has processed all earlier requests.
    pub(super) async fn assert_waits(&self, fixture: &StoreFixture) {
        let waiting = fixture.stats(&self.queue).await.waiting;
        assert!(waiting > 0 && !self.task.is_finished(), "the request no longer waits");
    }

    /// Disconnects the caller, and returns when the store has noticed.
    pub(super) async fn disconnect(self, fixture: &StoreFixture) {
        let queue = self.queue.clone();
        let before = fixture.stats(&queue).await.waiting;
        self.disconnect_unnoticed().await;
        for _ in 0..POLLS {
            if fixture.stats(&queue).await.waiting < before {
                return;
            }
            tokio::task::yield_now().await;
        }
        panic!("a disconnected caller still waits on {queue}");
    }

    /// Disconnects the caller; the store may not have noticed yet.
    pub(super) async fn disconnect_unnoticed(self) {
        self.task.abort();
        assert!(self.task.await.is_err_and(|end| end.is_cancelled()), "the request was already answered");
    }
}
