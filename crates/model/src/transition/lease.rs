//! An item is leased, or its lease is extended.
//!
//! [`lease`] and [`extend`] define the meaning of the records of leases and extensions, which contain only slots and times.
//! A change of them would change the meaning of records on disk: it needs a new kind of record.

use redrive_core::{Span, Status, Time, Trigger};

use super::Transition;
use crate::{Event, Item, OpContext, Phase, PriorState, StampSource};

/// Leases the item until `deadline`. The attempt is charged now: a holder that crashes has used one. `now` is unknown
/// in records of earlier versions. `received_at` is set if the first delivery of plain items is noted.
pub fn lease(item: &mut Item, deadline: Time, now: Option<Time>, received_at: Option<Time>) {
    item.phase = Phase::Leased;
    item.at = deadline;
    item.set_imported_lease_deadline(None);
    item.attempts = item.attempts.saturating_add(1);
    item.deliveries = item.deliveries.saturating_add(1);
    if let Some(letter) = item.letter_mut() {
        letter.before = Some(Box::new(PriorState::of(letter, None)));
        letter.status = Status::Retrying;
        letter.trigger = Trigger::Manual;
        letter.revision += 1;
        letter.updated_at = now.unwrap_or(letter.updated_at);
    } else if received_at.is_some() {
        item.set_first_received_at(received_at);
    }
}

/// Leases a plain item that is ready or scheduled, under a new id: a scheduled item still has the id of its last delivery.
pub fn lease_by_message_id(
    mut item: Item,
    lease_for: Span,
    notes_receipt: bool,
    op: OpContext,
    stamps: &mut impl StampSource,
) -> Transition {
    // A ready item that is released keeps its place.
    item.restamp(if item.phase == Phase::Ready { item.stamp.renewed() } else { stamps.next(op) });
    lease(&mut item, op.now.saturating_add(lease_for), Some(op.now), notes_receipt.then_some(op.now));
    Transition::of(item, Event::Leased, op.now)
}

/// Moves the deadline of a lease to a later time. Returns whether it moved: a lease is never shortened.
pub fn extend(item: &mut Item, deadline: Time) -> bool {
    let is_later = deadline > item.at;
    item.at = item.at.max(deadline);
    is_later
}

/// Sets the deadline of a lease, to an earlier or a later time.
pub fn set_deadline(mut item: Item, deadline: Time, now: Time) -> Transition {
    item.at = deadline;
    Transition::of(item, Event::Extended, now)
}
