//! The attempt that the current task is making: a failure inside of it fails the attempt.
//!
//! A guard inside of a retry would capture another letter for each retry of a letter. Instead it records its failure in
//! the attempt, which then counts as failed, whatever its handler returns.

use redrive_core::Failure;

use super::Call;

tokio::task_local! {
    static ATTEMPT: Call;
}

/// Runs a future as part of an attempt.
pub(crate) async fn scope<T>(call: Call, future: impl Future<Output = T>) -> T {
    ATTEMPT.scope(call, future).await
}

/// The same for a function.
pub(crate) fn sync_scope<T>(call: Call, function: impl FnOnce() -> T) -> T {
    ATTEMPT.sync_scope(call, function)
}

/// Records a failure in the current attempt. Returns false if there is none.
pub(crate) fn record_failure(failure: &Failure) -> bool {
    ATTEMPT.try_with(|call| call.record_failure(failure)).is_ok()
}
