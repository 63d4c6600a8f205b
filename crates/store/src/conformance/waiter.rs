//! A request that waits, in a task of its own.

use redrive_queue::Conservation;
use tokio::task::JoinHandle;

use super::bed::Bed;
use crate::StoreError;

/// A lease or a claim that waits.
pub(super) struct Waiter<T> {
    task: JoinHandle<Result<T, StoreError>>,
}

/// A task that was given so many turns has sent its request.
const TURNS: usize = 32;

impl<T: Send + 'static> Waiter<T> {
    /// Sends the request, and returns when the store has it.
    pub(super) async fn begin(bed: &Bed, request: impl Future<Output = Result<T, StoreError>> + Send + 'static) -> Self {
        let task = tokio::spawn(request);
        pass(bed).await;
        Self { task }
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

    pub(super) async fn assert_waits(&self, bed: &Bed) {
        pass(bed).await;
        assert!(!self.task.is_finished(), "it does not wait any more");
    }

    /// Whoever waited is gone, without a word.
    pub(super) async fn vanish(self) {
        self.task.abort();
        assert!(self.task.await.is_err_and(|end| end.is_cancelled()), "it had its answer already");
    }
}

/// Lets the store deal with what it was sent: nothing tells that a request waits, but whatever is asked behind it is
/// answered behind it.
async fn pass(bed: &Bed) -> Conservation {
    for _ in 0..TURNS {
        tokio::task::yield_now().await;
    }
    let sum = bed.store().conservation().await.unwrap();
    for _ in 0..TURNS {
        tokio::task::yield_now().await;
    }
    sum
}
