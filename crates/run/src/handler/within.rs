//! Knowing that an attempt is being made: whoever fails inside of it fails it.
//!
//! A guard inside of a retry would make a letter about a letter, each time. Instead it leaves its failure with the
//! attempt, which has failed then, whatever its handler says.

use redrive_core::Failure;

use super::Call;

tokio::task_local! {
    static ATTEMPT: Call;
}

/// Runs a future as a part of an attempt.
pub(crate) async fn attempt<T>(call: Call, future: impl Future<Output = T>) -> T {
    ATTEMPT.scope(call, future).await
}

/// Leaves a failure with the attempt that is being made; whether there is one.
pub(crate) fn note(failure: &Failure) -> bool {
    ATTEMPT.try_with(|call| call.note(failure)).is_ok()
}
