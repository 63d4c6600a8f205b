//! An item's life in its queue is over.
//!
//! With a dead queue it goes there, as a letter, in one transition: it is in one queue or in the other, never in both and
//! never in none. Without one it is gone, and counted. Where the dead queue is missing (it was deleted by force) the item
//! waits; it is never dropped for that.

use redrive_core::{Category, DeathReason, Failure, Fingerprint, PolicySource, Span, Time};

use super::{NewDocument, PendingDeath, QueueRules, Transition};
use crate::letter::FirstFailure;
use crate::{
    CaptureContext, DeathRecord, EndReason, Event, FailureSummary, Item, ItemExtension, Letter, OpContext, Origin,
    Phase, RetryTerms, StampSource,
};

/// How long an item waits for its missing dead queue before it is looked for again.
const STRANDED: Span = Span::from_secs(5);

/// Where an item goes that dies.
#[derive(Debug, Clone, Copy)]
pub enum DeadQueue<'q> {
    /// Its queue has none.
    None,
    /// Its queue names one that does not exist.
    Missing,
    Found {
        rules: QueueRules<'q>,
        number: u32,
        partition: u32,
        /// A live item or letter holds the source id there.
        is_taken: bool,
        /// Of the letters there with this source id; 0 where there is none.
        newest_generation: u32,
    },
}

impl Item {
    /// The source id of the letter that the item becomes: the producer's own, or the id that it died with.
    pub fn source_id_at_death(&self, slot: u32) -> Box<str> {
        self.source_id.clone().unwrap_or_else(|| self.stamp.id(slot).to_string().into())
    }
}

pub fn die(
    mut item: Item,
    slot: u32,
    death: PendingDeath,
    from: &QueueRules<'_>,
    to: DeadQueue<'_>,
    op: OpContext,
    stamps: &mut impl StampSource,
) -> Transition {
    let PendingDeath { reason, documents } = death;
    let (dead, number, partition, generation) = match to {
        DeadQueue::None => {
            return Transition::Gone(match reason {
                DeathReason::Expired => EndReason::Expired,
                DeathReason::MaxAttempts | DeathReason::GivenUp => EndReason::Dropped,
            });
        }
        DeadQueue::Missing => {
            item.restamp(stamps.next(op));
            (item.phase, item.at) = (Phase::Stranded, op.now.saturating_add(STRANDED));
            item.rare_mut().death = Some(reason);
            return Transition::of(item, Event::Stranded).with(documents);
        }
        DeadQueue::Found { is_taken: true, .. } => return Transition::Gone(EndReason::Duplicate),
        DeadQueue::Found { rules, number, partition, newest_generation, .. } => {
            (rules, number, partition, newest_generation.saturating_add(1))
        }
    };
    let context = context_of(&item, slot, reason, from);
    let failed = item.rare().failed.unwrap_or_else(|| summary_of(reason, op.now));
    let stamp = stamps.next(op);
    let letter = Letter::new(FirstFailure {
        id: stamp.letter_id(slot),
        generation,
        terms: RetryTerms {
            policy: dead.letters.moved_policy,
            source: PolicySource::Default,
            max_retries: dead.letters.moved_max_retries,
        },
        failed,
        destination: from.settings.name.as_str().into(),
        coordinates: context.origin.coordinates(),
        digest: None,
    });
    let mut moved = Item {
        queue: number,
        partition,
        created_at: op.now,
        expires_at: dead.letter_expiry(op.now),
        source_id: Some(item.source_id_at_death(slot)),
        attempts: 0,
        deliveries: 0,
        is_hand_over_only: false,
        is_filed: false,
        extra: Some(Box::new(ItemExtension { letter: Some(letter), ..ItemExtension::default() })),
        ..item
    };
    let schedule = dead.decide(&moved, op.for_stamp(stamp));
    moved.park(schedule, &dead, stamp, op.now);
    Transition::of(moved, Event::DeadLettered).with(documents).with([NewDocument::context(&context)])
}

/// Where the letter came from: the queue in which it died, and what it was there.
fn context_of(item: &Item, slot: u32, reason: DeathReason, from: &QueueRules<'_>) -> CaptureContext {
    let name = &from.settings.name;
    CaptureContext {
        origin: Origin {
            transport: "queue".to_owned(),
            name: name.to_string(),
            partition: Some(i64::from(item.partition)),
            message_id: Some(item.source_id_at_death(slot).into()),
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

/// What an item failed with of which no attempt reported anything.
fn summary_of(reason: DeathReason, now: Time) -> FailureSummary {
    let text = match reason {
        DeathReason::MaxAttempts => "all attempts are spent",
        DeathReason::Expired => "nobody took it before it expired",
        DeathReason::GivenUp => "its holder gave it up",
    };
    let fingerprint = Fingerprint::of(&Failure::new(text));
    FailureSummary { category: Category::Permanent, fingerprint, first_at: now, last_at: now }
}
