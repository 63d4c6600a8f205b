//! Lookups in the existing items of a queue.

use redrive_core::LetterId;

use crate::{CaptureBatch, Coordinates, Item};

/// Lookups of a message in the existing items of one queue, implemented by a store.
pub trait MessageIndex {
    /// The live letter with these coordinates.
    fn by_coordinates(&self, of: &Coordinates) -> Option<Peer<'_>>;

    /// All letters of a source id, with any status, and a plain item that holds it.
    fn by_source<'n>(&'n self, id: &'n str) -> impl Iterator<Item = Peer<'n>>;
}

/// The lookups of a capture.
pub trait QueueIndex: MessageIndex {
    /// For each letter of a request, whether the queue may hold one with the same source id or coordinates. Called once
    /// per request; `false` for almost all letters.
    fn are_known(&self, letters: &CaptureBatch) -> Vec<bool>;

    fn letter(&self, id: LetterId) -> Option<Peer<'_>>;

    /// The number of letters that depend on a letter.
    fn dependents(&self, id: LetterId) -> usize;

    fn live_letters(&self) -> u64;
}

/// An existing item of the queue.
#[derive(Debug, Clone, Copy)]
pub struct Peer<'n> {
    pub slot: u32,
    pub item: &'n Item,
}
