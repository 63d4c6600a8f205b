//! The longest delay that can be configured.

use crate::Span;

/// No delay of a list, of a custom function or of a rule is longer.
pub(super) const DELAY_MAX: Span = Span::from_days(30);
