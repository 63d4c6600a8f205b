//! How long a request may take.

use redrive_core::{Span, SpanError};

use crate::fault::Fault;

const LEAST: Span = Span::from_millis(10);
pub(crate) const MOST: Span = Span::from_mins(15);
/// What a retry has, which says nothing about it.
pub(crate) const USUAL: Span = Span::from_mins(5);
/// A store that ends waiting requests itself is given so much longer to say so.
pub(crate) const GRACE: Span = Span::from_secs(1);

/// A request's own word about it, whose faults are told in an order that differs from call to call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Timeout {
    span: Span,
    is_negative: bool,
}

impl Timeout {
    pub(crate) fn parse(text: &str) -> Result<Self, Fault> {
        let parsed = if text.is_empty() { Ok(Span::ZERO) } else { text.parse() };
        match parsed {
            Ok(span) => Ok(Self { span, is_negative: false }),
            // To Go it is a duration like any other, and too short.
            Err(SpanError::Negative(text)) => {
                let span = text.trim_start_matches('-').parse().unwrap_or_default();
                Ok(Self { span, is_negative: true })
            }
            Err(error) => {
                let message = format!("request timeout is invalid; {error} - expected format: 900ms, 5m or 15m");
                Err(Fault::bad(message))
            }
        }
    }

    pub(crate) fn required(self) -> Result<Self, Fault> {
        if self.span.is_zero() {
            return Err(Fault::bad("request timeout is required; '5m' is recommended, 15m is the maximum"));
        }
        Ok(self)
    }

    pub(crate) fn at_most(self) -> Result<Self, Fault> {
        if self.span > MOST && !self.is_negative {
            let span = self.span;
            let message = format!("request timeout is invalid; maximum timeout is '15m' but '{span}' was requested");
            return Err(Fault::bad(message));
        }
        Ok(self)
    }

    pub(crate) fn at_least(self) -> Result<Self, Fault> {
        if self.span < LEAST || self.is_negative {
            let (sign, span) = (if self.is_negative { "-" } else { "" }, self.span);
            let message =
                format!("request timeout is invalid; minimum timeout is '10ms' but '{sign}{span}' was requested");
            return Err(Fault::bad(message));
        }
        Ok(self)
    }

    pub(crate) const fn span(self) -> Span {
        self.span
    }
}
