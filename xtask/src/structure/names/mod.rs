//! One type per name: a search for a type name finds one definition.

mod definition;
mod rules;

pub(super) use definition::definitions;
pub(super) use rules::findings;
