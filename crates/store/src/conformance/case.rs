//! One rule, and how it is tried.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use super::bed::Bed;
use super::{Harness, audit};

/// A rule that every store keeps.
#[derive(Clone, Copy)]
pub struct Case {
    pub theme: &'static str,
    pub name: &'static str,
    pub(super) run: for<'b> fn(&'b Bed) -> Pin<Box<dyn Future<Output = ()> + 'b>>,
}

impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}::{}", self.theme, self.name)
    }
}

/// What is not answered in this time never will be: a hang becomes a failure that says so.
const ANSWER_AFTER_MAX: Duration = Duration::from_secs(120);

impl Case {
    /// Tries the rule on a fresh store. After it, whatever the case did: nothing was lost, every number is what
    /// counting gives, and all of it is still so in a store that was closed and opened again.
    ///
    /// # Panics
    ///
    /// When the store breaks the rule.
    pub async fn check(&self, harness: impl Harness + 'static) {
        let tried = tokio::time::timeout(ANSWER_AFTER_MAX, self.try_on(Arc::new(harness))).await;
        assert!(tried.is_ok(), "{self:?}: no answer in {ANSWER_AFTER_MAX:?}");
    }

    async fn try_on(&self, harness: Arc<dyn Harness>) {
        let bed = Bed::new(harness).await;
        (self.run)(&bed).await;
        if bed.is_closed() {
            return;
        }
        audit::check(&*bed.store()).await;
        let before = audit::Picture::of(&*bed.store()).await;
        if bed.reopen().await {
            audit::check(&*bed.store()).await;
            before.assert_same(&audit::Picture::of(&*bed.store()).await);
        }
        bed.close().await;
    }
}
