//! Items: what they are, what they carry, where they lie.

mod content;
mod item;
mod place;
mod slab;

pub use content::{Content, ContentError, Header};
pub use place::Place;

pub(crate) use item::{Doc, DocKind, Extra, Failed, Item, Phase};
pub(crate) use slab::Slab;
