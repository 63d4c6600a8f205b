//! How many letters a letter may wait for.

use std::collections::BTreeSet;

use redrive_core::LetterId;

use crate::Rejection;

/// The most letters that a letter may wait for: they are in each of its records.
pub const DEPENDENCIES_MAX: usize = 32;
/// The most letters that may wait for one: its completion releases them all, within the room of the smallest segment.
pub const DEPENDENTS_MAX: usize = 100;

pub fn check_dependencies_count(depends_on: &[LetterId]) -> Result<(), Rejection> {
    let (count, most) = (depends_on.len(), DEPENDENCIES_MAX);
    if count > most { Err(Rejection::TooMany { what: "depends_on", count, most }) } else { Ok(()) }
}

pub fn each_once(letters: &[LetterId]) -> Vec<LetterId> {
    letters.iter().copied().collect::<BTreeSet<LetterId>>().into_iter().collect()
}
