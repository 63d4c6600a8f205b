//! Where a guard puts letters.

use std::sync::Arc;

use async_trait::async_trait;
use redrive_model::{Capture, Captured};
use redrive_store::{Store, StoreError};

/// Takes letters: a store in the same process, or a server.
#[async_trait]
pub trait LetterBox: Send + Sync {
    async fn capture(&self, capture: Capture) -> Result<Vec<Captured>, StoreError>;

    /// Whether what it took survives a crash.
    fn is_durable(&self) -> bool;
}

#[async_trait]
impl LetterBox for Arc<dyn Store> {
    async fn capture(&self, capture: Capture) -> Result<Vec<Captured>, StoreError> {
        Store::capture(&**self, capture).await
    }

    fn is_durable(&self) -> bool {
        Store::is_durable(&**self)
    }
}
