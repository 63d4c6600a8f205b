//! The interface between the suite and an implementation.

use std::sync::Arc;

use async_trait::async_trait;

use super::model::naive::TieOrder;
use crate::{ManualClock, Store};

/// Creates stores for the suite. Each case has a separate harness, and so a separate store.
///
/// The suite advances the clock and sends requests. A request must see the timed transitions that were due when it
/// arrived, at least up to ten; if more are due at once, a store may do the others later. No request is larger than 128
/// KiB, or captures or claims more than 16 letters.
#[async_trait]
pub trait Harness: Send + Sync {
    /// Creates an empty store that uses this clock.
    async fn open(&self, clock: ManualClock) -> Arc<dyn Store>;

    /// The order in which items change that are due at the same instant, or that one request names. Only the model of
    /// the histories uses it.
    fn tie_order(&self) -> TieOrder {
        TieOrder::BY_ID
    }

    /// Closes a store and reopens it. `None` if the store is not durable.
    async fn reopen(&self, _store: Arc<dyn Store>, _clock: ManualClock) -> Option<Arc<dyn Store>> {
        None
    }
}
