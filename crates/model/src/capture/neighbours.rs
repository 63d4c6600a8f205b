//! What a capture must know of the letters that its queue holds.

use redrive_core::LetterId;

use crate::{CaptureBatch, Coordinates, Item};

/// The items of one queue, as far as a store has them at hand.
pub trait Neighbours {
    /// For each letter of a request whether the queue may hold one of its source id or its message. Asked once a request;
    /// the answer is no for almost all.
    fn are_known(&self, letters: &CaptureBatch) -> Vec<bool>;

    /// The live letter that was made of a message.
    fn by_coordinates(&self, of: &Coordinates) -> Option<Peer<'_>>;

    /// The letters of a source id, whatever their status, and a plain item that holds it.
    fn by_source<'n>(&'n self, id: &'n str) -> impl Iterator<Item = Peer<'n>>;

    fn letter(&self, id: LetterId) -> Option<Peer<'_>>;

    /// How many letters wait for one.
    fn dependents(&self, id: LetterId) -> usize;

    fn live_letters(&self) -> u64;
}

/// An item of the queue.
#[derive(Debug, Clone, Copy)]
pub struct Peer<'n> {
    pub slot: u32,
    pub item: &'n Item,
}
