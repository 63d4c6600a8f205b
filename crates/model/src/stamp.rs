//! The layout of item ids.
//!
//! An id is a KSUID: ids sort by the time of their creation. Its sixteen payload bytes hold an increasing serial
//! number, some random bits that distinguish stores, and the slot of the item. So an item is found by its id without an
//! index, which at five million items would be the largest of all. An id that an item no longer has is detected as
//! stale because the slot has another stamp.

use redrive_core::{ItemId, Ksuid, LetterId, SplitMix64};

use crate::OpContext;

/// An id without the slot. A later stamp gives a greater id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Stamp {
    /// Seconds since the KSUID epoch.
    pub secs: u32,
    /// Unique for the lifetime of a store.
    pub serial: u64,
    pub random: u32,
}

impl Stamp {
    pub fn id(self, slot: u32) -> ItemId {
        let mut bytes = [0; Ksuid::BYTES];
        bytes[..4].copy_from_slice(&self.secs.to_be_bytes());
        bytes[4..12].copy_from_slice(&self.serial.to_be_bytes());
        bytes[12..16].copy_from_slice(&self.random.to_be_bytes());
        bytes[16..].copy_from_slice(&slot.to_be_bytes());
        ItemId::new(Ksuid::from_bytes(bytes))
    }

    /// A stamp with the same place in all orders, and another id.
    #[must_use]
    pub const fn renewed(self) -> Self {
        Self { random: self.random.wrapping_add(1), ..self }
    }

    /// The id of a letter that is created with this stamp.
    pub fn letter_id(self, slot: u32) -> LetterId {
        LetterId::new(self.id(slot).ksuid())
    }

    /// Splits an id into stamp and slot. The id may come from outside and need not exist.
    pub fn split(id: Ksuid) -> (Self, u32) {
        let [a, b, c, d, serial @ .., e, f, g, h, i, j, k, l] = *id.as_bytes();
        let stamp = Self {
            secs: u32::from_be_bytes([a, b, c, d]),
            serial: u64::from_be_bytes(serial),
            random: u32::from_be_bytes([e, f, g, h]),
        };
        (stamp, u32::from_be_bytes([i, j, k, l]))
    }
}

/// Generates stamps, each greater than all previous ones, even if the clock steps back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stamps {
    last: Stamp,
}

/// A source of stamps, each greater than all previous ones. Callers request only stamps that they use.
pub trait StampSource {
    fn next(&mut self, op: OpContext) -> Stamp;
}

impl StampSource for Stamps {
    fn next(&mut self, op: OpContext) -> Stamp {
        let random = (op.random >> 32) as u32;
        let secs = Ksuid::seconds_of(op.now).max(self.last.secs);
        self.last = Stamp { secs, serial: self.last.serial + 1, random };
        self.last
    }
}

impl Stamps {
    /// Records a stamp from before a restart.
    pub fn seen(&mut self, stamp: Stamp) {
        self.last.serial = self.last.serial.max(stamp.serial);
        self.last.secs = self.last.secs.max(stamp.secs);
    }

    /// Records a serial number from before a restart.
    pub fn seen_serial(&mut self, serial: u64) {
        self.last.serial = self.last.serial.max(serial);
    }

    pub const fn last(&self) -> Stamp {
        self.last
    }
}

impl OpContext {
    /// Derives a random number per stamp: with one number for a whole request, all of its letters would be retried at
    /// the same time.
    #[must_use]
    pub const fn for_stamp(self, stamp: Stamp) -> Self {
        Self { now: self.now, random: SplitMix64::at(self.random, stamp.serial) }
    }
}
