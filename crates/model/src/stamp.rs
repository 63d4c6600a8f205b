//! How item ids are made, and how an item is found by its id.
//!
//! An id is a KSUID: it sorts by the time at which it was given. Its sixteen free bytes hold a serial number
//! that only grows, a little randomness that keeps two stores apart, and the slot in which the item lies. So
//! an item is found by its id without an index, which at five million items would be the largest of all; and
//! an id of an item that has moved on is known as stale, because the slot's stamp is another one.

use redrive_core::{ItemId, Ksuid, LetterId, Time};

use crate::OpContext;

/// The part of an id that is not the slot. A later stamp is a greater id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Stamp {
    /// Seconds since the second 0 of KSUIDs.
    pub secs: u32,
    /// Never given twice in the life of a store.
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

    /// The id of the letter that is made with this stamp.
    pub fn letter_id(self, slot: u32) -> LetterId {
        LetterId::new(self.id(slot).ksuid())
    }

    /// The stamp and the slot of an id, which need not be one of ours.
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

/// Gives stamps, each greater than all before it, also when the clock steps back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stamps {
    last: Stamp,
}

/// Gives stamps: each greater than all before, and none that is not used.
pub trait StampSource {
    fn next(&mut self, op: OpContext) -> Stamp;
}

impl StampSource for Stamps {
    fn next(&mut self, op: OpContext) -> Stamp {
        let random = (op.random >> 32) as u32;
        let secs = secs_of(op.now).max(self.last.secs);
        self.last = Stamp { secs, serial: self.last.serial + 1, random };
        self.last
    }
}

impl Stamps {
    /// A stamp that was given before a restart.
    pub fn seen(&mut self, stamp: Stamp) {
        self.last.serial = self.last.serial.max(stamp.serial);
        self.last.secs = self.last.secs.max(stamp.secs);
    }

    /// A serial number that was given before a restart.
    pub fn seen_serial(&mut self, serial: u64) {
        self.last.serial = self.last.serial.max(serial);
    }

    pub const fn last(&self) -> Stamp {
        self.last
    }
}

/// A clock outside the format's 136 years gives the nearest second that it has.
fn secs_of(now: Time) -> u32 {
    let secs = (now.as_secs() - Ksuid::EPOCH_SECS).clamp(0, i64::from(u32::MAX));
    u32::try_from(secs).unwrap_or(u32::MAX)
}

impl OpContext {
    /// The same with another random number for each stamp: the letters of one request must not be retried together.
    #[must_use]
    pub const fn for_stamp(self, stamp: Stamp) -> Self {
        let mut mixed = self.random.wrapping_add(stamp.serial.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        Self { now: self.now, random: mixed ^ (mixed >> 31) }
    }
}
