//! What the suite needs to know about an implementation.

use std::sync::Arc;

use async_trait::async_trait;

use super::model::naive::TieOrder;
use crate::{ManualClock, Store};

/// Makes stores for the suite. Each case has a harness, and so a store, of its own.
///
/// The suite moves the clock and asks: a request sees what was due when it came, up to ten things at least (where
/// more fall due at once, a store may take its time). None of its requests is larger than 128 KiB, or makes or takes
/// more than 16 letters.
#[async_trait]
pub trait Harness: Send + Sync {
    /// A fresh, empty store on this clock.
    async fn open(&self, clock: ManualClock) -> Arc<dyn Store>;

    /// In which order items change that fall due at the same instant, or that one request names: only the model that the
    /// histories compare with asks for it.
    fn tie_order(&self) -> TieOrder {
        TieOrder::BY_ID
    }

    /// Closes a store, and opens what it kept. `None` where nothing is kept.
    async fn reopen(&self, store: Arc<dyn Store>, clock: ManualClock) -> Option<Arc<dyn Store>>;
}
