//! Letters by what went wrong.

use std::collections::BTreeSet;

use redrive_core::{Category, Fingerprint};

use crate::letter::Letter;

/// The slots of a queue's letters by category, and then by fingerprint. There may be millions, so only the beginning of
/// a fingerprint is here: the letter knows the rest.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Faults(BTreeSet<(u8, u32, u32)>);

impl Faults {
    pub(crate) fn add(&mut self, slot: u32, letter: &Letter) {
        self.0.insert((letter.category as u8, beginning(letter.fingerprint), slot));
    }

    pub(crate) fn remove(&mut self, slot: u32, letter: &Letter) {
        self.0.remove(&(letter.category as u8, beginning(letter.fingerprint), slot));
    }

    /// The slots that may be meant.
    pub(crate) fn slots(
        &self,
        category: Option<Category>,
        fingerprint: Option<Fingerprint>,
    ) -> impl Iterator<Item = u32> {
        let categories = Category::ALL.iter().filter(move |one| category.is_none_or(|wanted| wanted == **one));
        let (first, last) = fingerprint.map(beginning).map_or((0, u32::MAX), |only| (only, only));
        categories.flat_map(move |category| {
            let category = *category as u8;
            self.0.range((category, first, 0)..=(category, last, u32::MAX)).map(|(_, _, slot)| *slot)
        })
    }
}

fn beginning(fingerprint: Fingerprint) -> u32 {
    let [a, b, c, d, ..] = *fingerprint.as_bytes();
    u32::from_be_bytes([a, b, c, d])
}
