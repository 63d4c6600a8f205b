//! An item with a damaged record is set aside.

use redrive_core::{Status, Time};

use super::Transition;
use crate::{Event, Item, Phase};

/// Sets an item aside: it cannot be leased or claimed, it has no timer, and it stays until a request removes it. A
/// claimed letter returns to its previous status.
pub fn set_aside(mut item: Item, now: Time) -> Transition {
    (item.phase, item.at) = (Phase::Damaged, Time::MAX);
    if let Some(letter) = item.letter_mut()
        && letter.status == Status::Retrying
    {
        let before = letter.before.take();
        letter.status = before.as_ref().map_or(Status::Pending, |before| before.status);
        letter.ended_at = before.and_then(|before| before.since).into();
    }
    Transition::of(item, Event::SetAside, now)
}
