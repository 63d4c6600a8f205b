//! The contract.

use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;
use redrive_core::{AttemptLimit, Time};
use redrive_model::DestinationFilter;

use super::{Delivery, FinishedDelivery, SettleError, SourceError};

/// What yields work that may run now.
///
/// A source owns order, due times, the count of attempts and the destination of its work; whoever claims from it
/// owns nothing but the claim. A queue item under lease, a letter that is due, a message under a visibility timeout
/// and a record of a log with committed offsets are all the same to its user:
///
/// - **Claimed is counted.** A delivery that is never finished (a crash) has used its attempt up, as far as the source
///   keeps counts at all. Only the holder's own release or deferral gives it back.
/// - **One holder.** While a claim is valid, nobody else gets the work. The fence names the claim; every resolution of an
///   old fence answers [`SettleError::Stale`] and changes nothing.
/// - **Finished once.** A resolution that took effect makes its fence old, whichever it is.
/// - **Never early.** Nothing is yielded before its due time.
/// - **In order**, where the source has one: the next of a key is yielded when the earlier one is done or its letter is
///   durable; not while it waits for its next attempt.
#[async_trait]
pub trait Source: Debug + Send + Sync + 'static {
    /// Names one claim of one piece of work.
    type Fence: Clone + Debug + Send + Sync + 'static;

    /// What it is called in logs and metrics: from the configuration, not from the data.
    fn name(&self) -> &Arc<str>;

    /// Whether it keeps the record of an attempt that succeeded.
    fn keeps_successes(&self) -> bool {
        true
    }

    /// How many attempts the source itself allows: the backstop for work that kills whoever claims it.
    async fn limit(&self) -> Result<AttemptLimit, SourceError>;

    /// Takes work that may run now: as soon as there is any, and no more than was asked for.
    ///
    /// It waits for as long as there is nothing. A claim that is dropped has taken nothing: what it had, goes back
    /// uncharged.
    async fn claim(&self, claim: ClaimSpec) -> Result<Vec<Delivery<Self::Fence>>, SourceError>;

    /// Finishes deliveries, each by one resolution, independently of each other: one answer for each, in their order. An
    /// answer of success tells of something durable.
    async fn settle(&self, settlements: &[FinishedDelivery<Self::Fence>]) -> Vec<Result<(), SettleError>>;

    /// Moves the end of claims on, never back: one answer for each, with the time until which it holds; `None` where
    /// claims do not end by themselves.
    async fn extend(&self, fences: &[Self::Fence]) -> Vec<Result<Option<Time>, SettleError>>;
}

/// What is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimSpec {
    /// At most so many; one or more.
    pub count: usize,
    pub scope: DestinationFilter,
}
