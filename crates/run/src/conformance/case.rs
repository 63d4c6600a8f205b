//! One rule, and how it is tried.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;

use super::SourceHarness;
use super::bed::SourceBed;
use super::random::soak;

/// A rule that every source keeps.
#[derive(Clone, Copy)]
pub struct SourceCase {
    pub theme: &'static str,
    pub name: &'static str,
    pub(super) run: for<'b> fn(&'b SourceBed) -> BoxFuture<'b, ()>,
}

impl fmt::Debug for SourceCase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}::{}", self.theme, self.name)
    }
}

/// A case that takes longer will not end: a hang becomes a failure that says so.
const CASE_MAX: Duration = Duration::from_secs(120);

impl SourceCase {
    /// Tries the rule on a fresh source. After it, whatever the case did: no work was lost, and none is two things.
    ///
    /// # Panics
    ///
    /// When the source breaks the rule.
    pub async fn check(&self, harness: impl SourceHarness) {
        let most = CASE_MAX.saturating_mul(u32::try_from(soak()).unwrap_or(u32::MAX));
        let tried = tokio::time::timeout(most, async {
            let bed = SourceBed::open(Arc::new(harness)).await;
            (self.run)(&bed).await;
            bed.audit().await;
        });
        assert!(tried.await.is_ok(), "{self:?}: no end in {most:?}");
    }
}
