//! What a source answered, for the work that it is about.

use redrive_core::{MonotonicTime, Span, Time};

use crate::{FinishedDelivery, SettleError};

/// Results that the source has answered.
pub(super) struct SettleAnswers<F> {
    pub(super) sent_at: MonotonicTime,
    /// Whose they are, and whether they were sent before.
    pub(super) owners: Vec<(usize, bool)>,
    pub(super) settlements: Vec<FinishedDelivery<F>>,
    pub(super) answers: Vec<Result<(), SettleError>>,
}

/// Claims that were extended: whose they are, and what the source said.
pub(super) type Extended = (Vec<(usize, u64)>, Vec<Result<Option<Time>, SettleError>>);

/// How often a claim of this length is extended: a failed extension leaves time for another.
pub(super) const fn interval(lease: Span) -> Span {
    let third = Span::from_micros(lease.as_micros() / 3);
    if third.is_zero() { Span::from_millis(1) } else { third }
}
