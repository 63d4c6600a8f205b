//! Fields of a letter in less room than they usually take: there may be millions of letters.

use std::ops::Deref;
use std::sync::Arc;

use redrive_core::Time;

/// A time, or none, in the room of a time. The last of all times is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MaybeTime(Time);

impl MaybeTime {
    pub const NONE: Self = Self(Time::MAX);

    pub fn get(self) -> Option<Time> {
        (self != Self::NONE).then_some(self.0)
    }
}

impl From<Option<Time>> for MaybeTime {
    fn from(time: Option<Time>) -> Self {
        time.map_or(Self::NONE, Self)
    }
}

/// The beginning of a hash, or none, in the room of one. No hash begins with so many zeros.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MaybeHash([u8; 16]);

impl MaybeHash {
    const NONE: Self = Self([0; 16]);

    pub fn get(self) -> Option<[u8; 16]> {
        (self != Self::NONE).then_some(self.0)
    }

    pub fn is_some(self) -> bool {
        self != Self::NONE
    }
}

impl From<Option<[u8; 16]>> for MaybeHash {
    fn from(hash: Option<[u8; 16]>) -> Self {
        hash.map_or(Self::NONE, Self)
    }
}

/// The name of a destination, which all letters of a queue share that have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Destination(Arc<Shared>);

/// Behind a pointer of its own, since the one to a text takes the room of two.
#[derive(Debug, PartialEq, Eq)]
struct Shared {
    name: Arc<str>,
}

impl Destination {
    pub const BYTES_MAX: usize = 1024;

    pub fn new(name: Arc<str>) -> Self {
        Self(Arc::new(Shared { name }))
    }

    pub fn name(&self) -> &Arc<str> {
        &self.0.name
    }
}

impl Deref for Destination {
    type Target = str;

    fn deref(&self) -> &str {
        self.name()
    }
}
