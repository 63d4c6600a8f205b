//! What a source implements for the suite: a view of its work, and events outside of the holder's control.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use redrive_core::Time;
use redrive_model::{Attempt, Content};
use redrive_store::ManualClock;

use super::Abilities;
use crate::Source;

/// Opens sources for the suite. Each case opens one source or several.
#[async_trait]
pub trait SourceHarness: Send + Sync + 'static {
    type Bench: SourceUnderTest;

    /// Opens a new, empty source on this clock.
    async fn open(&self, clock: ManualClock) -> Self::Bench;
}

/// A source under test, with a view of its work and control over events from outside.
///
/// The suite identifies work by its payload, which is unique within a case except for work whose [`Fate`] is not
/// queried. A case moves the clock by less than 12 h in total, and has at most 100 pieces of work open.
#[async_trait]
pub trait SourceUnderTest: Send + Sync + 'static {
    type Fence: Clone + Debug + Send + Sync + 'static;

    fn abilities(&self) -> Abilities;

    /// The source. After [`restart`](Self::restart) it is another one.
    fn source(&self) -> Arc<dyn Source<Fence = Self::Fence>>;

    /// Puts work into the source. Once this returns, a claim finds the work.
    async fn put(&self, work: NewWork);

    /// The state of the work with this payload.
    async fn fate(&self, payload: &Bytes) -> Fate;

    /// Called after the clock was moved. Returns when the source has noticed; a source that reads the clock needs no
    /// implementation.
    async fn clock_moved(&self) {}

    /// Ends the claim on this work without its holder: its partition is revoked, or an operator archives it. The source
    /// decides what happens to the work.
    async fn revoke(&self, _payload: &Bytes) {}

    /// Makes the next `settle` take effect and fail with [`SettleError::Unavailable`](crate::SettleError::Unavailable).
    async fn lose_next_answer(&self) {}

    /// Makes every hand-over of a letter fail, or succeed again.
    async fn refuse_letters(&self, _refuse: bool) {}

    /// Ends the source as a crash would, and opens it again.
    async fn restart(&self) {}

    /// A well-formed fence that was never issued.
    fn garbage_fence(&self) -> Option<Self::Fence> {
        None
    }

    /// How long the suite waits for an event before the case fails.
    fn patience(&self) -> Duration {
        Duration::from_secs(20)
    }
}

/// Work to be put into a source.
#[derive(Debug, Clone, Default)]
pub struct NewWork {
    /// Only payload, key and headers are set.
    pub content: Content,
    /// The destination, if the source has many. Any destination if unset.
    pub destination: Option<Arc<str>>,
    /// Set only if the source has [`Abilities::takes_parts`].
    pub parts: Vec<String>,
    /// Earliest delivery. Set only if the source has [`Abilities::takes_schedule`].
    pub due: Option<Time>,
}

/// The state of a piece of work. Work that is neither open nor a letter was finished or removed.
#[derive(Debug, Clone, PartialEq)]
pub struct Fate {
    /// The source has the work, claimed or not.
    pub is_open: bool,
    /// The letters of the work. More than one is an error.
    pub letters: Vec<FoundLetter>,
}

/// A letter in the dead queue.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundLetter {
    /// The content without additions of the hand-over.
    pub content: Content,
    /// The kept attempt records, oldest first.
    pub attempts: Vec<Attempt>,
}
