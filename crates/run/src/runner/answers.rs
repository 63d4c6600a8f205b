//! Answers of the source, with the entries that they belong to.

use redrive_core::{MonotonicTime, Span, Time};

use crate::{FinishedDelivery, SettleError};

/// Settlements that the source has answered.
pub(super) struct SettleAnswers<F> {
    /// Whether the settlements are letters.
    pub(super) are_letters: bool,
    pub(super) sent_at: MonotonicTime,
    /// The entry of each settlement, and whether the settlement was sent before.
    pub(super) owners: Vec<(usize, bool)>,
    pub(super) settlements: Vec<FinishedDelivery<F>>,
    pub(super) answers: Vec<Result<(), SettleError>>,
}

/// An answered extension: the entry and sequence number of each claim, and the answer for each.
pub(super) type Extended = (Vec<(usize, u64)>, Vec<Result<Option<Time>, SettleError>>);

/// How often a claim of this length is extended: after a third of it, so that a failed extension leaves time for
/// another.
pub(super) const fn interval(lease: Span) -> Span {
    let third = Span::from_micros(lease.as_micros() / 3);
    if third.is_zero() { Span::from_millis(1) } else { third }
}
