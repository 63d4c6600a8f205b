//! The timeout of a request.

use redrive_core::{Span, SpanError};

use crate::api_error::ApiError;

const TIMEOUT_MIN: Span = Span::from_millis(10);
pub(crate) const TIMEOUT_MAX: Span = Span::from_mins(15);
/// The timeout of calls whose requests have no field for it, such as `queue.retry`.
pub(crate) const DEFAULT_TIMEOUT: Span = Span::from_mins(5);
/// Extra time for the store, which ends waiting requests itself, to return its answer.
pub(crate) const GRACE: Span = Span::from_secs(1);

/// The timeout that a request sets. Its checks are separate methods because their order differs from call to call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Timeout {
    span: Span,
    is_negative: bool,
}

impl Timeout {
    pub(crate) fn parse(text: &str) -> Result<Self, ApiError> {
        let parsed = if text.is_empty() { Ok(Span::ZERO) } else { text.parse() };
        match parsed {
            Ok(span) => Ok(Self { span, is_negative: false }),
            // In Go a negative duration is valid, so the API reports it as too short.
            Err(SpanError::Negative(text)) => {
                let span = text.trim_start_matches('-').parse().unwrap_or_default();
                Ok(Self { span, is_negative: true })
            }
            Err(error) => {
                let message = format!("request timeout is invalid; {error} - expected format: 900ms, 5m or 15m");
                Err(ApiError::bad(message))
            }
        }
    }

    pub(crate) fn required(self) -> Result<Self, ApiError> {
        if self.span.is_zero() {
            return Err(ApiError::bad("request timeout is required; '5m' is recommended, 15m is the maximum"));
        }
        Ok(self)
    }

    pub(crate) fn at_most(self) -> Result<Self, ApiError> {
        if self.span > TIMEOUT_MAX && !self.is_negative {
            let span = self.span;
            let message = format!("request timeout is invalid; maximum timeout is '15m' but '{span}' was requested");
            return Err(ApiError::bad(message));
        }
        Ok(self)
    }

    pub(crate) fn at_least(self) -> Result<Self, ApiError> {
        if self.span < TIMEOUT_MIN || self.is_negative {
            let (sign, span) = (if self.is_negative { "-" } else { "" }, self.span);
            let message =
                format!("request timeout is invalid; minimum timeout is '10ms' but '{sign}{span}' was requested");
            return Err(ApiError::bad(message));
        }
        Ok(self)
    }

    /// The timeout of a call that waits for items.
    pub(crate) fn of_wait(self) -> Result<Span, ApiError> {
        Ok(self.required()?.at_most()?.at_least()?.span())
    }

    pub(crate) const fn span(self) -> Span {
        self.span
    }
}
