//! One case of the suite.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use super::fixture::StoreFixture;
use super::{Harness, audit};

/// A rule that every store must keep, with the code that checks it.
#[derive(Clone, Copy)]
pub struct Case {
    pub theme: &'static str,
    pub name: &'static str,
    pub(super) run: for<'b> fn(&'b StoreFixture) -> Pin<Box<dyn Future<Output = ()> + 'b>>,
}

impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}::{}", self.theme, self.name)
    }
}

/// The timeout of a case, which turns a hang into a failure.
const ANSWER_AFTER_MAX: Duration = Duration::from_secs(120);

impl Case {
    /// Checks the rule on a new store. Afterwards checks that nothing is lost, that every counter is exact, and that
    /// all of this still holds after the store is closed and reopened.
    ///
    /// # Panics
    ///
    /// If the store breaks the rule.
    pub async fn check(&self, harness: impl Harness + 'static) {
        let tried = tokio::time::timeout(ANSWER_AFTER_MAX, self.try_on(Arc::new(harness))).await;
        assert!(tried.is_ok(), "{self:?}: no answer in {ANSWER_AFTER_MAX:?}");
    }

    async fn try_on(&self, harness: Arc<dyn Harness>) {
        let fixture = StoreFixture::new(harness).await;
        (self.run)(&fixture).await;
        if fixture.is_closed() {
            return;
        }
        audit::check(&*fixture.store()).await;
        let before = audit::Snapshot::of(&*fixture.store()).await;
        if fixture.reopen().await {
            audit::check(&*fixture.store()).await;
            before.assert_same(&audit::Snapshot::of(&*fixture.store()).await);
        }
        fixture.close().await;
    }
}
