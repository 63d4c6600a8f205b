//! One type name, one type: a reader who searches for a name finds one definition.

mod definition;
mod rules;

pub(super) use definition::definitions;
pub(super) use rules::findings;
