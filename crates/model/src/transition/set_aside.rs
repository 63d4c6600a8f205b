//! The record of an item turned out damaged.

use redrive_core::{Status, Time};

use super::Transition;
use crate::{Event, Item, Phase};

/// Sets an item aside: nobody is given it, nothing happens to it by itself, and it stays until somebody removes it. A
/// letter that was claimed is again what it was before.
pub fn set_aside(mut item: Item) -> Transition {
    (item.phase, item.at) = (Phase::Damaged, Time::MAX);
    if let Some(letter) = item.letter_mut()
        && letter.status == Status::Retrying
    {
        let before = letter.before.take();
        letter.status = before.as_ref().map_or(Status::Pending, |before| before.status);
        letter.ended_at = before.and_then(|before| before.since).into();
    }
    Transition::of(item, Event::SetAside)
}
