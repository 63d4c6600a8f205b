//! What the suite needs to know about a source, and to do with it behind its user's back.

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

/// Makes sources for the suite. Each case has a source of its own, or several.
#[async_trait]
pub trait SourceHarness: Send + Sync + 'static {
    type Bench: SourceBench;

    /// A fresh, empty source on this clock.
    async fn open(&self, clock: ManualClock) -> Self::Bench;
}

/// A source, with all that happens to it from outside.
///
/// The suite tells work by its payload: within a case no two are the same, apart from work whose fate is not asked for.
/// A case moves the clock by less than twelve hours in all, and has no more than a hundred pieces of work open.
#[async_trait]
pub trait SourceBench: Send + Sync + 'static {
    type Fence: Clone + Debug + Send + Sync + 'static;

    fn abilities(&self) -> Abilities;

    /// The source; after a restart, another one.
    fn source(&self) -> Arc<dyn Source<Fence = Self::Fence>>;

    /// Puts work into the source. Once it is answered, claims find the work without further ado.
    async fn put(&self, work: NewWork);

    /// What became of the work with this payload.
    async fn fate(&self, payload: &Bytes) -> Fate;

    /// Called when the clock was moved: returns when the source knows. One that looks at the clock knows by itself.
    async fn clock_moved(&self) {}

    /// Ends the claim on this work behind its holder's back: its partition is taken away, somebody archives it. What
    /// becomes of the work is the source's own business.
    async fn revoke(&self, _payload: &Bytes) {}

    /// The next settling takes effect, but its caller hears that the source is not available.
    async fn lose_next_answer(&self) {}

    /// From now on the place for letters takes none; or it does again.
    async fn refuse_letters(&self, _refuse: bool) {}

    /// Ends the source as a crash would, and opens what it kept.
    async fn restart(&self) {}

    /// A fence that looks like one and was never given to anybody.
    fn garbage_fence(&self) -> Option<Self::Fence> {
        None
    }

    /// What must come, comes within this time, or never will.
    fn patience(&self) -> Duration {
        Duration::from_secs(20)
    }
}

/// Work to be put into a source.
#[derive(Debug, Clone, Default)]
pub struct NewWork {
    /// With payload, key and headers alone.
    pub content: Content,
    /// Where the source has many: the one it is for; any, if nothing is said.
    pub destination: Option<Arc<str>>,
    /// Where the source takes them.
    pub parts: Vec<String>,
    /// Not before; where the source takes a schedule.
    pub due: Option<Time>,
}

/// What became of a piece of work. One that is neither open nor a letter was finished, or taken away.
#[derive(Debug, Clone, PartialEq)]
pub struct Fate {
    /// The source has it: it waits, or somebody holds it.
    pub is_open: bool,
    /// The letters that it became. More than one is one too many.
    pub letters: Vec<FoundLetter>,
}

/// A letter as it was found where letters go.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundLetter {
    /// Without what the hand-over added.
    pub content: Content,
    /// As far as they are kept, oldest first.
    pub attempts: Vec<Attempt>,
}
