//! Compact field types for letters: there may be millions of them.

use std::ops::Deref;
use std::sync::Arc;

use redrive_core::Time;

/// An optional time in the size of a time. [`Time::MAX`] represents `None`.
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

/// An optional truncated hash in the size of the hash. All zeros represent `None`: no hash is all zeros in practice.
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

/// The name of a destination, shared by all letters of a queue with that destination.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Destination(Arc<Shared>);

/// Boxed because a pointer to a `str` takes the size of two pointers.
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
