//! The holder of an item leaves notes for its next delivery, and keeps it.

use redrive_core::{Span, Time};

use super::{NewDocument, Transition};
use crate::{DeliveryNotes, Event, Item};

/// Adds the notes, and extends the lease if it would end earlier than `lease` from now. With a verdict, the item is
/// delivered for its hand-over only.
pub fn note(mut item: Item, lease: Span, notes: &DeliveryNotes, now: Time) -> Transition {
    item.at = item.at.max(now.saturating_add(lease));
    if notes.verdict.is_some() {
        item.mark_hand_over_only();
    }
    Transition::of(item, Event::Noted, now).with(NewDocument::notes(notes))
}
