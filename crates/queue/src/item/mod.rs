//! Items: what they are, what they carry, where they lie.

mod content;
mod docs;
mod item;
mod place;
mod slab;

pub use content::{Content, ContentError, Header};
pub use place::Place;

pub(crate) use docs::{Doc, Docs};
pub(crate) use item::{DocKind, Extra, Failed, Item, Phase, Rare};
pub(crate) use slab::Slab;
