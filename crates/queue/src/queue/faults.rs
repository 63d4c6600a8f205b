//! Letters by what went wrong.

use std::collections::BTreeSet;

use redrive_core::{Category, Fingerprint, Status};

use crate::letter::Letter;

/// The slots of a queue's letters by category, then by status, then by fingerprint. There may be millions, so only the
/// beginning of a fingerprint is here: the letter knows the rest.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Faults(BTreeSet<Entry>);

type Entry = (u8, u8, u32, u32);

impl Faults {
    pub(crate) fn add(&mut self, slot: u32, letter: &Letter) {
        self.0.insert(entry(slot, letter));
    }

    pub(crate) fn remove(&mut self, slot: u32, letter: &Letter) {
        self.0.remove(&entry(slot, letter));
    }

    /// The slots that may be meant; those of all statuses, if none is named.
    pub(crate) fn slots(
        &self,
        category: Option<Category>,
        statuses: &[Status],
        fingerprint: Option<Fingerprint>,
    ) -> impl Iterator<Item = u32> {
        let categories = Category::ALL.iter().filter(move |one| category.is_none_or(|wanted| wanted == **one));
        let kinds = categories.flat_map(move |category| {
            let statuses = Status::ALL.iter().filter(|one| statuses.is_empty() || statuses.contains(one));
            statuses.map(|status| (*category as u8, *status as u8))
        });
        let (first, last) = fingerprint.map(beginning).map_or((0, u32::MAX), |only| (only, only));
        kinds.flat_map(move |(category, status)| {
            let of_kind = self.0.range((category, status, first, 0)..=(category, status, last, u32::MAX));
            of_kind.map(|(_, _, _, slot)| *slot)
        })
    }
}

fn entry(slot: u32, letter: &Letter) -> Entry {
    (letter.category as u8, letter.status as u8, beginning(letter.fingerprint), slot)
}

fn beginning(fingerprint: Fingerprint) -> u32 {
    let [a, b, c, d, ..] = *fingerprint.as_bytes();
    u32::from_be_bytes([a, b, c, d])
}
