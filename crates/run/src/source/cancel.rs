//! The signals of a source to the holder of a claim.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

/// Signals that a claim is taken back: it was revoked, archived or lost. Clones share the signals, and a source may
/// share them among claims that end together.
#[derive(Debug, Clone, Default)]
pub struct Cancel {
    shared: Arc<Signals>,
}

#[derive(Debug, Default)]
struct Signals {
    withdrawn: CancellationToken,
    ended: CancellationToken,
}

impl Cancel {
    pub fn new() -> Self {
        Self::default()
    }

    /// From now on, work that has not begun must not begin. Work that has begun may still be settled.
    pub fn withdraw(&self) {
        self.shared.withdrawn.cancel();
    }

    /// Ends the claim.
    pub fn cancel(&self) {
        self.withdraw();
        self.shared.ended.cancel();
    }

    pub fn is_withdrawn(&self) -> bool {
        self.shared.withdrawn.is_cancelled()
    }

    pub fn is_cancelled(&self) -> bool {
        self.shared.ended.is_cancelled()
    }

    /// Waits until work that has not begun must not begin.
    pub async fn withdrawn(&self) {
        self.shared.withdrawn.cancelled().await;
    }

    /// Whether both share their signals.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }

    /// Waits for the end of the claim.
    pub async fn cancelled(&self) {
        self.shared.ended.cancelled().await;
    }
}
