//! An item's life in its queue is over.
//!
//! With a dead queue it goes there, as a letter, in one record: it is in one queue or in the other, never in
//! both and never in none. Without one it is gone, and counted. Where the dead queue is missing (somebody
//! removed it by force) the item waits; it is never dropped for that.

use std::sync::Arc;

use redrive_core::{Category, Failure, Fingerprint, PolicySource, QueueName, Span, Time, Trigger};

use crate::fact::{Fact, Facts};
use crate::item::{DocKind, Extra, Item, Phase};
pub(super) use crate::letter::DeathReason;
use crate::letter::{Destination, Letter, MaybeTime, retries};
use crate::queue::{Ending, Why};
use crate::state::{NO_DOCUMENT, document};
use crate::{Death, Dossier, Moment, Origin, State};

/// How long an item waits for its missing dead queue before it is looked for again.
const STRANDED: Span = Span::from_secs(5);

impl State {
    pub(super) fn die(&mut self, slot: u32, reason: DeathReason, moment: Moment, facts: &mut Facts) {
        let Some(item) = self.items.get(slot) else { return };
        let Some(queue) = self.queues.get(&item.queue) else { return };
        let Some(dead) = &queue.settings.dead_queue else {
            let ending = match reason {
                DeathReason::Expired => Ending::Expired,
                DeathReason::MaxAttempts | DeathReason::GivenUp => Ending::Dropped,
            };
            return self.end_one(slot, ending, facts);
        };
        match self.names.get(dead).copied() {
            Some(dead) => self.move_to(slot, dead, reason, moment, facts),
            None => {
                let stamp = self.stamps.next(moment);
                self.revise(slot, Why::Stranded, NO_DOCUMENT, facts, |item| {
                    item.stamp = stamp;
                    item.phase = Phase::Stranded;
                    item.at = moment.now.saturating_add(STRANDED);
                    item.rare_mut().death = Some(reason);
                });
            }
        }
    }

    /// An item ceases to be.
    pub(super) fn end_one(&mut self, slot: u32, ending: Ending, facts: &mut Facts) {
        let is_letter = self.items.get(slot).is_some_and(|item| item.letter().is_some());
        let change = self.feed.numbers(u64::from(is_letter));
        self.record(Fact::Gone { ending, slots: vec![slot], change }, facts);
    }

    fn move_to(&mut self, slot: u32, dead: u32, reason: DeathReason, moment: Moment, facts: &mut Facts) {
        let Some(item) = self.items.get(slot) else { return };
        let Some(from) = self.queues.get(&item.queue).map(|queue| queue.settings.name.clone()) else { return };
        let id = item.stamp.id(slot);
        // A producer's own id stays; others are known by the id that they died with.
        let source_id = item.source_id.clone().unwrap_or_else(|| id.to_string().into());
        if self.slot_of_source(dead, &source_id).is_some() {
            return self.end_one(slot, Ending::Duplicate, facts);
        }
        let dossier = Dossier {
            origin: Origin {
                transport: "queue".to_owned(),
                name: from.to_string(),
                partition: Some(i64::from(item.partition)),
                message_id: Some(source_id.to_string()),
                ..Origin::default()
            },
            death: Some(Death {
                queue: from.clone(),
                partition: item.partition,
                id,
                reason,
                attempts: item.attempts,
                created_at: item.created_at,
                expires_at: item.expires_at,
            }),
            ..Dossier::default()
        };
        let Some(moved) = self.letter_of_dead(slot, dead, source_id, &from, reason, &dossier, moment) else { return };
        let record = document(DocKind::Dossier, dossier.document());
        self.revise(slot, Why::DeadLettered, record, facts, |item| *item = moved);
    }

    /// What an item is in the dead queue.
    #[expect(clippy::too_many_arguments, reason = "it is one step of `move_to`, apart so that each fits a screen")]
    fn letter_of_dead(
        &mut self,
        slot: u32,
        dead: u32,
        source_id: Box<str>,
        from: &QueueName,
        reason: DeathReason,
        dossier: &Dossier,
        moment: Moment,
    ) -> Option<Item> {
        let generation = self.letters_of_source(dead, &source_id).map(|(_, letter)| letter.generation).max();
        let item = self.items.get(slot)?.clone();
        let target = self.queues.get(&dead)?;
        let settings = &target.settings;
        let (policy, max_retries) = (settings.letters.policy_of_moved, settings.letters.max_retries_of_moved);
        let partition = target.placement.first().unwrap_or(0);
        let expires_at =
            if settings.letters.is_expiring { moment.now.saturating_add(settings.expire_timeout) } else { Time::MAX };
        let failed = item.rare().failed;
        let stamp = self.stamps.next(moment);
        let settled = self.settled(dead, policy, (max_retries, 0), moment.of(stamp.serial));
        let letter = Letter {
            id: redrive_core::LetterId::new(stamp.id(slot).ksuid()),
            generation: generation.unwrap_or(0).saturating_add(1),
            revision: 0,
            status: settled.status,
            category: failed.map_or(Category::Permanent, |failed| failed.category),
            policy,
            policy_source: PolicySource::Default,
            fingerprint: failed.map_or_else(|| fingerprint_of(death_text(reason)), |failed| failed.fingerprint),
            retries: 0,
            max_retries: retries(max_retries),
            total_attempts: 1,
            first_failed_at: failed.map_or(moment.now, |failed| failed.first_at),
            last_failed_at: failed.map_or(moment.now, |failed| failed.last_at),
            ended_at: MaybeTime::NONE,
            is_outcome_unknown: false,
            is_overflow: false,
            before: None,
            trigger: Trigger::Automatic,
            destination: Destination::new(Arc::from(from.as_str())),
            coordinates: dossier.origin.coordinates().into(),
            digest: None.into(),
            change: 0,
        };
        let moved = Item {
            queue: dead,
            partition,
            created_at: moment.now,
            expires_at,
            source_id: Some(source_id),
            attempts: 0,
            deliveries: 0,
            is_condemned: false,
            is_filed: false,
            extra: Some(Box::new(Extra { letter: Some(letter), ..Extra::default() })),
            ..item
        };
        // The stamp that the letter's id was made of is its first fence.
        let mut moved = moved.parked(settled, stamp, moment);
        if moved.phase == Phase::Ready {
            moved.at = self.archived_at(&moved, moment);
        }
        Some(moved)
    }
}

const fn death_text(reason: DeathReason) -> &'static str {
    match reason {
        DeathReason::MaxAttempts => "all attempts are spent",
        DeathReason::Expired => "nobody took it before it expired",
        DeathReason::GivenUp => "its holder gave it up",
    }
}

/// The fault of a failure of which only a text is known.
pub(super) fn fingerprint_of(text: &str) -> Fingerprint {
    Fingerprint::of(&Failure::new(text))
}
