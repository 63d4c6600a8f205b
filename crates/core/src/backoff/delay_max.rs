//! The longest delay that can be configured.

use crate::Span;

/// The longest delay of a list, a custom function or a rule.
pub(super) const DELAY_MAX: Span = Span::from_days(30);
