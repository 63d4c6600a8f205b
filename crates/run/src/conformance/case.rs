//! A case of the suite.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;

use super::SourceHarness;
use super::fixture::SourceFixture;

/// A rule that every source must follow, with its test.
#[derive(Clone, Copy)]
pub struct SourceCase {
    pub theme: &'static str,
    pub name: &'static str,
    pub(super) run: for<'b> fn(&'b SourceFixture) -> BoxFuture<'b, ()>,
}

impl fmt::Debug for SourceCase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}::{}", self.theme, self.name)
    }
}

/// Time limit of a case, which turns a hang into a failure.
const CASE_MAX: Duration = Duration::from_secs(120);

impl SourceCase {
    /// Runs the case on a new source, and then checks that no work was lost or duplicated.
    ///
    /// # Panics
    ///
    /// When the source violates the rule.
    pub async fn check(&self, harness: impl SourceHarness) {
        let most = CASE_MAX.saturating_mul(u32::try_from(redrive_testkit::soak_factor()).unwrap_or(u32::MAX));
        let run = tokio::time::timeout(most, async {
            let fixture = SourceFixture::open(Arc::new(harness)).await;
            (self.run)(&fixture).await;
            fixture.audit().await;
        });
        assert!(run.await.is_ok(), "{self:?}: not finished after {most:?}");
    }
}
