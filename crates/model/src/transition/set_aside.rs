//! The record of an item turned out damaged.

use redrive_core::{Status, Time};

use super::Transition;
use crate::{Event, Item, Phase};

/// Sets an item aside: it cannot be leased or claimed, it has no timer, and it stays until it is removed by a request. A
/// letter that was claimed goes back to the status that it had before.
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
