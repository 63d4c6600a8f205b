//! An index of letters by category, status and fingerprint.

use redrive_core::{Category, Fingerprint, Status};
use redrive_model::Letter;

use crate::sorted::Sorted;

/// The slots of a queue's letters by category, status and fingerprint. There may be millions, so only a prefix of the
/// fingerprint is stored; the caller compares the rest with the letter.
#[derive(Debug, PartialEq, Eq, Default)]
pub(crate) struct FailureIndex([[Sorted<Entry>; Status::ALL.len()]; Category::ALL.len()]);

/// A prefix of a fingerprint, and a slot.
type Entry = (u32, u32);

impl FailureIndex {
    pub(crate) fn add(&mut self, slot: u32, letter: &Letter) {
        self.kind(letter).insert((prefix(letter.fingerprint), slot));
    }

    pub(crate) fn remove(&mut self, slot: u32, letter: &Letter) {
        self.kind(letter).remove(&(prefix(letter.fingerprint), slot));
    }

    fn kind(&mut self, letter: &Letter) -> &mut Sorted<Entry> {
        &mut self.0[letter.category as usize][letter.status as usize]
    }

    /// The number of letters. An empty list of statuses means all statuses.
    pub(crate) fn count(&self, category: Category, statuses: &[Status]) -> usize {
        let statuses = Status::ALL.iter().filter(|one| statuses.is_empty() || statuses.contains(one));
        statuses.map(|status| self.0[category as usize][*status as usize].len()).sum()
    }

    /// The slots that may match. An empty list of statuses means all statuses.
    pub(crate) fn slots(
        &self,
        category: Option<Category>,
        statuses: &[Status],
        fingerprint: Option<Fingerprint>,
    ) -> impl Iterator<Item = u32> {
        let categories = Category::ALL.iter().filter(move |one| category.is_none_or(|only| only == **one));
        let kinds = categories.flat_map(move |category| {
            let statuses = Status::ALL.iter().filter(|one| statuses.is_empty() || statuses.contains(one));
            statuses.map(|status| &self.0[*category as usize][*status as usize])
        });
        let (first, last) = fingerprint.map(prefix).map_or((0, u32::MAX), |only| (only, only));
        kinds.flat_map(move |kind| {
            kind.from((first, 0)).take_while(move |(prefix, _)| *prefix <= last).map(|(_, slot)| slot)
        })
    }
}

fn prefix(fingerprint: Fingerprint) -> u32 {
    let [a, b, c, d, ..] = *fingerprint.as_bytes();
    u32::from_be_bytes([a, b, c, d])
}
