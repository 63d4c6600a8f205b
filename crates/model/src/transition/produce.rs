//! New and imported items.

use redrive_core::Time;

use super::QueueRules;
use crate::{ImportItem, Item, NewItem, OpContext, Phase, SOON, StampSource};

/// Creates an item. Its content is stored separately.
pub fn produced(
    new: &mut NewItem,
    rules: &QueueRules<'_>,
    (queue, partition): (u32, u32),
    op: OpContext,
    stamps: &mut impl StampSource,
) -> Item {
    let from = new.enqueue_at.filter(|at| *at >= op.now.saturating_add(SOON));
    let lifetime = new.expire_after.unwrap_or(rules.settings.expire_timeout);
    Item {
        created_at: op.now,
        expires_at: from.unwrap_or(op.now).saturating_add(lifetime),
        at: from.unwrap_or(Time::MAX),
        source_id: new.message_id.take(),
        queue,
        partition,
        max_attempts: rules.settings.max_attempts,
        phase: if from.is_some() { Phase::Scheduled } else { Phase::Ready },
        priority: new.priority,
        ..Item::blank(stamps.next(op))
    }
}

/// Creates an item from another store: everything except the id and the time of creation is kept.
pub fn imported(
    import: &mut ImportItem,
    rules: &QueueRules<'_>,
    (queue, partition): (u32, u32),
    op: OpContext,
    stamps: &mut impl StampSource,
) -> Item {
    let from = import.enqueue_at.filter(|at| *at > op.now);
    let lease_deadline = || op.now.saturating_add(rules.settings.lease_timeout);
    let (phase, at) = match (import.is_leased, from) {
        (true, _) => (Phase::Leased, import.lease_deadline.unwrap_or_else(lease_deadline)),
        (false, Some(at)) => (Phase::Scheduled, at),
        (false, None) => (Phase::Ready, Time::MAX),
    };
    let expires_at = || from.unwrap_or(op.now).saturating_add(rules.settings.expire_timeout);
    let mut item = Item {
        created_at: op.now,
        expires_at: import.expires_at.unwrap_or_else(expires_at),
        at,
        source_id: import.source_id.take(),
        queue,
        partition,
        attempts: import.attempts,
        deliveries: import.attempts,
        max_attempts: import.max_attempts,
        phase,
        priority: import.priority,
        ..Item::blank(stamps.next(op))
    };
    item.set_imported_lease_deadline(import.lease_deadline.filter(|_| !import.is_leased));
    item
}
