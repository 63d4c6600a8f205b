//! A holder gets an item, or keeps it for longer.
//!
//! These two define what the records of leases and extensions mean, which hold only slots and deadlines. A change here
//! would change the meaning of records on disk: it needs a new kind of record.

use redrive_core::{Status, Time, Trigger};

use crate::{Item, Phase, PriorState};

/// The item is leased until `deadline`. The attempt is counted now: a holder that crashes has used one.
pub fn lease(item: &mut Item, deadline: Time) {
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
    }
}

/// Moves the deadline of a lease to a later time. Returns whether it moved: a lease is never shortened.
pub fn extend(item: &mut Item, deadline: Time) -> bool {
    let is_later = deadline > item.at;
    item.at = item.at.max(deadline);
    is_later
}
