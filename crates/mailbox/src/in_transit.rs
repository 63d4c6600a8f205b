//! Messages between a mailbox and a caller.

use std::sync::Arc;

use tokio::sync::watch;

/// Counts the calls that may have leased messages for a caller who does not have them, until the messages are handed over
/// or released. A program that ends before would leave them leased. Clones count together.
#[derive(Debug, Clone, Default)]
pub struct InTransit {
    calls: Arc<watch::Sender<usize>>,
}

impl InTransit {
    /// Counts a call until the guard is dropped.
    #[must_use]
    pub fn enter(&self) -> InTransitGuard {
        self.calls.send_modify(|calls| *calls += 1);
        InTransitGuard(self.clone())
    }

    /// Waits until there is no such call.
    pub async fn is_over(&self) {
        let mut calls = self.calls.subscribe();
        // The sender is kept alive by `self`.
        let _is_over = calls.wait_for(|calls| *calls == 0).await.is_ok();
    }
}

/// One call that [`InTransit`] counts.
#[derive(Debug)]
pub struct InTransitGuard(InTransit);

impl Drop for InTransitGuard {
    fn drop(&mut self) {
        self.0.calls.send_modify(|calls| *calls -= 1);
    }
}
