//! A call that has failed.

use crate::Span;

/// A call that the destination has not served.
#[derive(Debug, Clone, Copy)]
pub struct FailedCall<'a, W> {
    pub work: &'a W,
    /// Whether it was sent.
    pub was_sent: bool,
    /// What the destination has asked for.
    pub retry_after: Option<Span>,
}

impl<'a, W> FailedCall<'a, W> {
    pub const fn sent(work: &'a W) -> Self {
        Self { work, was_sent: true, retry_after: None }
    }
}
