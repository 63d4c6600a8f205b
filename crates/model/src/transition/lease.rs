//! An item is leased, or its lease is extended.
//!
//! These two rules define the meaning of the records of leases and extensions, which contain only slots and times. A
//! change here would change the meaning of records on disk: it needs a new kind of record.

use redrive_core::{Status, Time, Trigger};

use crate::{Item, Phase, PriorState};

/// Leases the item until `deadline`. The attempt is charged now: a holder that crashes has used one. `now` is unknown
/// in records of earlier versions.
pub fn lease(item: &mut Item, deadline: Time, now: Option<Time>) {
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
    }
}

/// Moves the deadline of a lease to a later time. Returns whether it moved: a lease is never shortened.
pub fn extend(item: &mut Item, deadline: Time) -> bool {
    let is_later = deadline > item.at;
    item.at = item.at.max(deadline);
    is_later
}
