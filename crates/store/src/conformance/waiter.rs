//! A request that waits, in a task of its own.

use redrive_core::{QueueName, Span};
use redrive_model::{Lease, Leased, StoredItem};
use tokio::task::JoinHandle;

use super::bed::{Bed, claim_of, lease_of};
use crate::StoreError;

impl Bed {
    /// Waits an hour for items, in a task of its own.
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

/// A lease or a claim that waits.
pub(super) struct Waiter<T> {
    queue: QueueName,
    task: JoinHandle<Result<T, StoreError>>,
}

/// After so many questions a request that was sent has come.
const QUESTIONS: usize = 10_000;

impl<T: Send + 'static> Waiter<T> {
    /// Sends the request, and returns when the store has it.
    pub(super) async fn begin(
        bed: &Bed,
        queue: QueueName,
        request: impl Future<Output = Result<T, StoreError>> + Send + 'static,
    ) -> Self {
        let before = bed.stats(&queue).await.waiting;
        let task = tokio::spawn(request);
        for _ in 0..QUESTIONS {
            tokio::task::yield_now().await;
            if task.is_finished() || bed.stats(&queue).await.waiting > before {
                return Self { queue, task };
            }
        }
        panic!("nobody waits on {queue}");
    }

    /// What it waited for.
    pub(super) async fn got(self) -> T {
        self.answer().await.unwrap()
    }

    /// What it was told instead.
    pub(super) async fn refused(self) -> StoreError {
        match self.answer().await {
            Ok(_) => panic!("it got something"),
            Err(error) => error,
        }
    }

    pub(super) async fn answer(self) -> Result<T, StoreError> {
        self.task.await.unwrap()
    }

    /// It still waits, after everything that the store was asked before.
    pub(super) async fn assert_waits(&self, bed: &Bed) {
        let waiting = bed.stats(&self.queue).await.waiting;
        assert!(waiting > 0 && !self.task.is_finished(), "it does not wait any more");
    }

    /// Whoever waited is gone, without a word; returns when the store has noticed.
    pub(super) async fn vanish(self, bed: &Bed) {
        let queue = self.queue.clone();
        let before = bed.stats(&queue).await.waiting;
        self.vanish_unnoticed().await;
        for _ in 0..QUESTIONS {
            if bed.stats(&queue).await.waiting < before {
                return;
            }
            tokio::task::yield_now().await;
        }
        panic!("somebody who is gone still waits on {queue}");
    }

    /// Whoever waited is gone, and the store may not know yet.
    pub(super) async fn vanish_unnoticed(self) {
        self.task.abort();
        assert!(self.task.await.is_err_and(|end| end.is_cancelled()), "it had its answer already");
    }
}
