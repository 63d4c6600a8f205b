//! The contract of a source.

use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;
use redrive_core::{AttemptLimit, Time};
use redrive_model::DestinationFilter;

use super::{Delivery, FinishedDelivery, SettleError, SourceError};

/// Yields work that is due.
///
/// A source owns the order, the due times, the attempt counts and the destinations of its work; a holder owns only its
/// claim. To a holder, a leased queue item, a due letter, a message with a visibility timeout and a record of a log
/// with committed offsets are the same:
///
/// - **A claim counts.** A delivery that is never settled (a crash) has used its attempt, as far as the source counts
///   attempts. Only the holder gives the attempt back, by a release, a deferral or an uncharged retry.
/// - **One holder.** While a claim is valid, no other claim gets the work. The fence identifies the claim; a resolution
///   with an old fence fails with [`SettleError::Stale`] and changes nothing.
/// - **Settled once.** Any resolution that took effect invalidates its fence.
/// - **Never early.** Work is not yielded before its due time.
/// - **In order**, if the source is ordered: the next work of a key is yielded when the earlier one is done or its
///   letter is durable, and not while the earlier one waits for its next attempt.
/// - **Durable**: a letter is durable when its settlement is answered. The end of other work is durable then, or with
///   the source's next commit ([`Durability`]).
#[async_trait]
pub trait Source: Debug + Send + Sync + 'static {
    /// Identifies one claim of one piece of work.
    type Fence: Clone + Debug + Send + Sync + 'static;

    /// The name in logs and metrics. It comes from the configuration, not from the data.
    fn name(&self) -> &Arc<str>;

    /// Whether the source keeps the records of successful attempts.
    fn keeps_successes(&self) -> bool {
        true
    }

    /// When the end of work without a letter is durable.
    fn durability(&self) -> Durability {
        Durability::WhenSettled
    }

    /// The source's own attempt limit: the backstop for work that crashes its holder.
    async fn limit(&self) -> Result<AttemptLimit, SourceError>;

    /// Claims due work: waits until there is some, and returns at most `claim.count` deliveries. After an error it may
    /// return none, to say that the source is available again.
    ///
    /// Dropping the future cancels the claim: work that it had taken is released without a charge.
    async fn claim(&self, claim: ClaimSpec) -> Result<Vec<Delivery<Self::Fence>>, SourceError>;

    /// Settles deliveries, each by one resolution and independently of the others. Returns one answer for each, in the
    /// same order. After `Ok` the resolution is durable, as far as [`durability`](Self::durability) says.
    async fn settle(&self, settlements: &[FinishedDelivery<Self::Fence>]) -> Vec<Result<(), SettleError>>;

    /// Extends claims, and never shortens them. Returns one answer for each, with the new deadline; `None` if claims of
    /// this source do not expire.
    async fn extend(&self, fences: &[Self::Fence]) -> Vec<Result<Option<Time>, SettleError>>;
}

/// When the end of work is durable.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Durability {
    /// When its settlement is answered.
    #[default]
    WhenSettled,
    /// With a later commit of the source: work that ended shortly before a crash is delivered again.
    AtNextCommit,
}

/// The size and the scope of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimSpec {
    /// Maximum number of deliveries, at least 1.
    pub count: usize,
    pub scope: DestinationFilter,
}
