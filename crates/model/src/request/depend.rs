//! The limits of dependencies between letters.

use std::collections::BTreeSet;

use redrive_core::LetterId;

use crate::Rejection;

/// The maximum number of letters that a letter may wait for: each record of the letter contains them.
pub const DEPENDENCIES_MAX: usize = 32;
/// The maximum number of letters that may wait for one letter: its completion releases all of them, and the records
/// must fit the smallest segment.
pub const DEPENDENTS_MAX: usize = 100;

pub fn check_dependencies_count(depends_on: &[LetterId]) -> Result<(), Rejection> {
    let (count, most) = (depends_on.len(), DEPENDENCIES_MAX);
    if count > most { Err(Rejection::TooMany { what: "depends_on", count, most }) } else { Ok(()) }
}

pub fn each_once(letters: &[LetterId]) -> Vec<LetterId> {
    letters.iter().copied().collect::<BTreeSet<LetterId>>().into_iter().collect()
}
