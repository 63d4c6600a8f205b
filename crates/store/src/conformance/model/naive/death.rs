//! The death of an item: it becomes a letter in the dead queue, or is dropped.

use std::sync::Arc;

use redrive_core::{Category, LetterId, MovedPolicy, PolicySource, RetryPolicy, Span, Status, Time, Trigger};
use redrive_model::{CaptureContext, DeathReason, DeathRecord, EndReason, Event, ItemState, LetterInfo, Origin};

use super::Model;
use super::arrival::finite;
use super::item::{Document, Item, Number, UNKNOWN_ID, coordinates_of, fault_of};

/// The interval at which a stranded item looks up its missing dead queue.
const STRANDED: Span = Span::from_secs(5);

impl Model {
    pub(super) fn die(&mut self, number: Number, reason: DeathReason, now: Time) {
        if let Some(letter) = self.letter_of_handed_back(number) {
            self.fail_after_hand_back(number, letter, reason, now);
            return self.end(number, EndReason::Duplicate);
        }
        let from = self.queue(self.item(number).queue).settings.clone();
        let Some(dead) = &from.dead_queue else {
            let ending = if reason == DeathReason::Expired { EndReason::Expired } else { EndReason::Dropped };
            return self.end(number, ending);
        };
        let Ok(dead) = self.named(dead) else {
            let order = self.issue();
            return self.change(number, Event::Stranded, now, |item| {
                item.order = order;
                item.info.state = ItemState::Stranded;
                item.until = Some(now.saturating_add(STRANDED));
                item.death = Some(reason);
            });
        };
        let dead = dead.number;
        let item = self.item(number);
        // The source id is the message id, or else the id under which the item died.
        let item_id: Box<str> = item.id().to_string().into();
        let message_id = item.info.source_id.clone().unwrap_or_else(|| item_id.clone());
        let context = context_of(item, from.name.as_str(), &message_id, reason);
        let coordinates = coordinates_of(&context.origin);
        let is_live_message =
            |other: &Item| other.queue == dead && !other.is_finished() && other.coordinates == coordinates;
        let is_from_same_queue =
            |other: &Item| other.letter().is_some_and(|letter| *letter.destination == *from.name.as_str());
        let source_id = match self.by_source(dead, &message_id) {
            Some(holder) if message_id == item_id || is_from_same_queue(holder) => None,
            // A message of another queue has the same id.
            Some(_) => Some(item_id).filter(|id| self.by_source(dead, id).is_none()),
            None => Some(message_id),
        };
        let Some(source_id) = source_id.filter(|_| !self.items.iter().any(is_live_message)) else {
            return self.end(number, EndReason::Duplicate);
        };
        self.move_to_dead_queue(number, dead, source_id, reason, context, now);
    }

    fn move_to_dead_queue(
        &mut self,
        number: Number,
        dead: u32,
        source_id: Box<str>,
        reason: DeathReason,
        context: CaptureContext,
        now: Time,
    ) {
        let order = self.issue();
        let queue = self.queue(dead);
        let settings = queue.settings.clone();
        let partition = queue.first();
        let bounds = queue.bounds_of_new();
        let before = self.items.iter().filter(|item| item.queue == dead);
        let same = before.filter(|item| item.info.source_id.as_deref() == Some(&*source_id)).filter_map(Item::letter);
        let generation = same.map(|letter| letter.generation).max().unwrap_or(0) + 1;
        self.change(number, Event::DeadLettered, now, |item| {
            let failed = item.failed.take();
            let attempts = item.info.attempts;
            let category = failed.map_or(Category::Permanent, |failed| failed.category);
            // No queue of a history has a target.
            let (policy, policy_source) = match settings.letters.moved_policy.unwrap_or_default() {
                MovedPolicy::Auto => (RetryPolicy::Never, PolicySource::Default),
                MovedPolicy::Category => (category.derived_policy(), PolicySource::Derived),
                named => (named.named().unwrap(), PolicySource::Default),
            };
            item.queue = dead;
            item.handed_back = None;
            item.order = order;
            item.info.partition = partition;
            item.info.created_at = now;
            item.info.expires_at = if settings.letters.letters_expire.unwrap_or(false) {
                finite(now.saturating_add(settings.expire_timeout))
            } else {
                None
            };
            item.info.source_id = Some(source_id);
            item.info.attempts = 0;
            item.info.deliveries = 0;
            item.info.is_hand_over_only = false;
            item.info.imported_lease_deadline = None;
            item.info.first_received_at = None;
            item.coordinates = coordinates_of(&context.origin);
            item.info.letter = Some(Box::new(LetterInfo {
                id: LetterId::new(UNKNOWN_ID),
                generation,
                revision: 0,
                status: Status::Pending,
                category,
                policy,
                policy_source,
                fingerprint: failed.map_or_else(|| fault_of(text_of(reason)), |failed| failed.fingerprint),
                retries: 0,
                max_retries: settings.letters.moved_max_retries.unwrap_or(3),
                total_attempts: if attempts > 1 { attempts } else { 1 },
                replays: 0,
                next_retry_at: None,
                first_failed_at: failed.map_or(now, |failed| failed.first_at),
                last_failed_at: failed.map_or(now, |failed| failed.last_at),
                ended_at: None,
                updated_at: now,
                is_outcome_unknown: false,
                is_overflow: false,
                before: None,
                trigger: Trigger::Automatic,
                destination: Arc::clone(&context.origin.name),
                is_blocked: false,
                has_own_origin: true,
                is_of_source: false,
            }));
            item.keep(Document::Context(Box::new(context)));
            item.settle(&bounds, now);
        });
    }
}

/// The capture context of a dead item, with its history.
fn context_of(item: &Item, from: &str, source_id: &str, reason: DeathReason) -> CaptureContext {
    CaptureContext {
        origin: Origin {
            transport: "queue".into(),
            name: from.into(),
            partition: Some(i64::from(item.info.partition)),
            message_id: Some(source_id.to_owned()),
            ..Origin::default()
        },
        death: Some(DeathRecord {
            queue: redrive_core::QueueName::new(from).unwrap(),
            partition: item.info.partition,
            id: item.id(),
            reason,
            attempts: item.info.attempts,
            created_at: item.info.created_at,
            expires_at: item.info.expires_at.unwrap_or(Time::MAX),
        }),
        ..CaptureContext::default()
    }
}

pub(super) const fn text_of(reason: DeathReason) -> &'static str {
    match reason {
        DeathReason::MaxAttempts => "all attempts are spent",
        DeathReason::Expired => "nobody took it before it expired",
        DeathReason::GivenUp => "its holder gave it up",
    }
}
