//! The contract of a handler.

use async_trait::async_trait;
use redrive_core::Span;

use super::{Call, Handled, IntoHandled};

/// Does the user's work, one attempt at a time.
///
/// A handler never retries: it returns the result, and the runner calls it again if the policy decides so. Its future
/// is dropped when the attempt times out, when the claim is lost, or at the end of a shutdown. A panic is a failed
/// attempt.
///
/// Every async closure from a [`Call`] to a result is a handler:
///
/// ```
/// use redrive_core::Failure;
/// use redrive_run::{Call, Handler};
///
/// fn takes_a_handler(_handler: impl Handler) {}
///
/// takes_a_handler(|call: Call| async move {
///     if call.content.payload.is_empty() { Err(Failure::new("validation: nothing in it")) } else { Ok(()) }
/// });
/// ```
#[async_trait]
pub trait Handler: Send + Sync + 'static {
    async fn handle(&self, call: Call) -> Handled;

    /// Maximum duration of an attempt, where it is shorter than the runner's. The runner applies it.
    fn timeout(&self) -> Option<Span> {
        None
    }

    /// What it calls, for people: the kind and the address, without secrets. Empty if it does not say.
    fn target(&self) -> String {
        String::new()
    }
}

#[async_trait]
impl<F, Fut> Handler for F
where
    F: Fn(Call) -> Fut + Send + Sync + 'static,
    Fut: Future + Send,
    Fut::Output: IntoHandled,
{
    async fn handle(&self, call: Call) -> Handled {
        self(call).await.into_handled()
    }
}
