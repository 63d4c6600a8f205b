//! An item dies in its queue.
//!
//! If the queue has a dead queue, the item is moved there as a letter in one transition: it is always in exactly one of
//! the two queues. Otherwise it is removed and counted. If the dead queue is missing (it was deleted by force), the
//! item waits; it is never dropped for that reason.

use redrive_core::{Category, DeathReason, Failure, Fingerprint, Span, Time};

use super::{NewDocument, PendingDeath, QueueRules, Transition};
use crate::capture::MessageIndex;
use crate::letter::FirstFailure;
use crate::{
    CaptureContext, Coordinates, DeathRecord, EndReason, Event, FailureSummary, Item, ItemExtension, Letter,
    LetterFlags, OpContext, Origin, Phase, StampSource,
};

/// The interval at which the missing dead queue of an item is looked up again.
const STRANDED: Span = Span::from_secs(5);

/// The dead queue of a dying item.
#[derive(Debug, Clone, Copy)]
pub enum DeadQueueLookup<'q, I> {
    /// The queue has no dead queue.
    None,
    /// The configured dead queue does not exist.
    Missing,
    Found {
        rules: QueueRules<'q>,
        number: u32,
        partition: u32,
        /// The existing items of the dead queue.
        items: I,
    },
}

/// Moves a dying item to its dead queue as a letter, or removes it, or lets it wait for a missing dead queue.
pub fn die(
    mut item: Item,
    slot: u32,
    death: PendingDeath,
    from: &QueueRules<'_>,
    to: DeadQueueLookup<'_, impl MessageIndex>,
    op: OpContext,
    stamps: &mut impl StampSource,
) -> Transition {
    let PendingDeath { reason, documents } = death;
    let (dead, number, partition, items) = match to {
        DeadQueueLookup::None => {
            return Transition::Gone(match reason {
                DeathReason::Expired => EndReason::Expired,
                DeathReason::MaxAttempts | DeathReason::GivenUp => EndReason::Dropped,
            });
        }
        DeadQueueLookup::Missing => {
            item.restamp(stamps.next(op));
            (item.phase, item.at) = (Phase::Stranded, op.now.saturating_add(STRANDED));
            item.rare_mut().death = Some(reason);
            return Transition::of(item, Event::Stranded, op.now).with(documents);
        }
        DeadQueueLookup::Found { rules, number, partition, items } => (rules, number, partition, items),
    };
    let context = context_of(&item, slot, reason, from);
    let coordinates = context.origin.coordinates();
    let Some((source_id, generation)) = source_id_of(&item, slot, coordinates.as_ref(), from, &items) else {
        return Transition::Gone(EndReason::Duplicate);
    };
    let failed = item.rare().failed.unwrap_or_else(|| summary_of(reason, op.now));
    let stamp = stamps.next(op);
    let letter = Letter::new(FirstFailure {
        id: stamp.letter_id(slot),
        generation,
        terms: dead.moved_terms(failed.category),
        failed,
        destination: from.settings.name.as_str().into(),
        coordinates,
        replays: 0,
        digest: None,
    });
    // An item that expired before an attempt counts as one, like any failure that was captured.
    let mut letter = Letter { total_attempts: item.attempts.max(1), ..letter };
    letter.flags.set(LetterFlags::OWN_ORIGIN, true);
    let mut moved = Item {
        queue: number,
        partition,
        created_at: op.now,
        expires_at: dead.letter_expiry(op.now),
        source_id: Some(source_id),
        attempts: 0,
        deliveries: 0,
        is_hand_over_only: false,
        is_filed: false,
        extra: Some(Box::new(ItemExtension { letter: Some(letter), ..ItemExtension::default() })),
        ..item
    };
    let schedule = dead.decide(&moved, op.for_stamp(stamp));
    moved.park(schedule, &dead, stamp, op.now);
    Transition::of(moved, Event::DeadLettered, op.now).with(documents).with([NewDocument::context(&context)])
}

/// The source id of the new letter, and its generation; `None` if the same message already has a live letter.
///
/// The source id is the message id. An item without a message id, or with one that a message of another queue holds in
/// the dead queue, gets the id that it died with.
fn source_id_of(
    item: &Item,
    slot: u32,
    coordinates: Option<&Coordinates>,
    from: &QueueRules<'_>,
    items: &impl MessageIndex,
) -> Option<(Box<str>, u32)> {
    if coordinates.is_some_and(|coordinates| items.by_coordinates(coordinates).is_some()) {
        return None;
    }
    let live = |id| items.by_source(id).find(|peer| peer.item.phase.is_live());
    let is_from_same_queue = |letter: &Letter| **letter.destination.name() == *from.settings.name.as_str();
    let message_id = match &item.source_id {
        Some(id) => match live(id) {
            Some(holder) if holder.item.letter().is_some_and(is_from_same_queue) => return None,
            Some(_) => None,
            None => Some(id.clone()),
        },
        None => None,
    };
    let id = match message_id {
        Some(id) => id,
        None => {
            let id = item.stamp.id(slot).to_string();
            // An item id is unique: an item that holds it was imported from this one.
            if live(&id).is_some() {
                return None;
            }
            id.into()
        }
    };
    let generations = items.by_source(&id).filter_map(|peer| peer.item.letter()).map(|letter| letter.generation);
    let generation = generations.max().unwrap_or(0).saturating_add(1);
    Some((id, generation))
}

/// The capture context of the letter: the queue in which the item died, and its state there.
fn context_of(item: &Item, slot: u32, reason: DeathReason, from: &QueueRules<'_>) -> CaptureContext {
    let name = &from.settings.name;
    CaptureContext {
        origin: Origin {
            transport: "queue".into(),
            name: name.as_str().into(),
            partition: Some(i64::from(item.partition)),
            message_id: Some(
                item.source_id.as_ref().map_or_else(|| item.stamp.id(slot).to_string(), ToString::to_string),
            ),
            ..Origin::default()
        },
        death: Some(DeathRecord {
            queue: name.clone(),
            partition: item.partition,
            id: item.stamp.id(slot),
            reason,
            attempts: item.attempts,
            created_at: item.created_at,
            expires_at: item.expires_at,
        }),
        ..CaptureContext::default()
    }
}

/// What happened to an item without a reported failure. The texts are part of stored fingerprints and must not change.
pub(super) const fn text_of(reason: DeathReason) -> &'static str {
    match reason {
        DeathReason::MaxAttempts => "all attempts are spent",
        DeathReason::Expired => "nobody took it before it expired",
        DeathReason::GivenUp => "its holder gave it up",
    }
}

/// The failure summary of an item without a reported failure.
pub(super) fn summary_of(reason: DeathReason, now: Time) -> FailureSummary {
    let fingerprint = Fingerprint::of(&Failure::new(text_of(reason)));
    FailureSummary { category: Category::Permanent, fingerprint, first_at: now, last_at: now }
}
