//! Operations of producers and consumers.

use redrive_core::{Category, ItemId, Ksuid, Outcome, QueueName, Span, Time, Trigger};
use redrive_model::{
    Attempt, Clear, DeadCause, DeleteItems, DeliveryNotes, Extend, HeldItem, Import, ImportItem, LeaseByMessageId,
    LeaseSpec, NewItem, OnRejected, Produce, RequestKey, RetryAt, Settle, SettleAction, Settlement,
};

use super::Any;
use crate::conformance::model::naive::Item;
use crate::conformance::model::operation::Operation;
use crate::conformance::model::random::Random;

impl Any<'_> {
    pub(super) fn produce(&mut self) -> Produce {
        // Histories of letters cover other rules.
        let has_id = !self.is_of_letters && self.random.chance(30);
        if has_id
            && self.random.chance(30)
            && let Some(again) = self.repeated_request()
        {
            return again;
        }
        let count = self.random.one_of([0, 1, 1, 1, 2, 2, 3, 5]);
        let queue = self.likely_queue();
        let items: Vec<NewItem> = (0..count).map(|_| self.new_item(&queue)).collect();
        let id = if has_id { self.random.one_of(["r0", "r1", "r2", "r3"]) } else { "" };
        if has_id && self.model.is_answer_certain(&queue, id, self.now) {
            return Produce::once(queue, items, id).unwrap();
        }
        let completes = self.random.chance(10).then(|| self.held(1));
        let completes =
            completes.and_then(|held| Some(Box::new(HeldItem { queue: held.queue, id: *held.ids.first()? })));
        Produce { completes, ..Produce::new(queue, items) }
    }

    /// Repeats an earlier request, as a caller does that did not get its answer.
    fn repeated_request(&mut self) -> Option<Produce> {
        let again = &self.random.pick(&self.model.answers)?.request;
        let id = again.request_id.as_deref().map_or("", RequestKey::id);
        self.model.is_answer_certain(&again.queue, id, self.now).then(|| again.clone())
    }

    pub(super) fn new_item(&mut self, queue: &QueueName) -> NewItem {
        let message_id = self.random.chance(35).then(|| self.source_id());
        let is_certain = message_id.as_deref().is_none_or(|id| self.model.is_memory_certain(queue, id, self.now));
        let kept = self.random.one_of([None, None, Some(Span::from_secs(3)), Some(Span::from_mins(5))]);
        NewItem {
            content: self.content(),
            enqueue_at: self.requested_time().filter(|_| self.random.chance(40)),
            expire_after: self.random.one_of([
                None,
                None,
                None,
                None,
                None,
                Some(Span::ZERO),
                Some(Span::from_secs(2)),
            ]),
            priority: self.priority(),
            message_id,
            remember_for: kept.filter(|_| is_certain),
        }
    }

    pub(super) fn lease_by_message_id(&mut self) -> LeaseByMessageId {
        let waiting = self.model.items.iter().filter(|item| !item.is_leased() && item.info.source_id.is_some());
        let waiting: Vec<&Item> = waiting.collect();
        let (queue, message_id) = match self.random.pick(&waiting).filter(|_| self.random.chance(80)) {
            Some(item) => {
                (self.model.queue(item.queue).settings.name.clone(), item.info.source_id.clone().unwrap_or_default())
            }
            None => (self.likely_queue(), self.source_id()),
        };
        let lease = self.random.one_of([None, Some(Span::from_secs(2)), Some(Span::from_mins(2))]);
        LeaseByMessageId { queue, message_id, lease, notes_receipt: self.random.chance(50) }
    }

    pub(super) fn import(&mut self) -> Import {
        let count = self.random.one_of([1, 1, 2, 3]);
        let partition = self.any_partition();
        Import { queue: self.likely_queue(), partition, items: (0..count).map(|_| self.import_item()).collect() }
    }

    fn import_item(&mut self) -> ImportItem {
        let has_source_id = self.random.chance(35);
        ImportItem {
            content: self.content(),
            source_id: has_source_id.then(|| self.source_id()),
            is_leased: self.random.chance(30),
            lease_deadline: self.requested_time().filter(|_| self.random.chance(50)),
            expires_at: self.requested_time().filter(|_| self.random.chance(40)),
            enqueue_at: self.requested_time().filter(|_| self.random.chance(40)),
            attempts: self.random.one_of([0, 0, 1, 2]),
            max_attempts: self.random.one_of([0, 3]),
            priority: self.priority(),
        }
    }

    pub(super) fn lease(&mut self) -> Operation {
        let count = self.random.one_of([1, 1, 1, 2, 3]);
        let spec = |random: &mut Random| LeaseSpec {
            batch: random.one_of([1, 1, 2, 3, 5, 20]),
            lease: random.one_of([None, None, Some(Span::from_secs(2)), Some(Span::from_mins(2))]),
            notes_receipt: random.chance(30),
        };
        Operation::Lease { queue: self.busy_queue(), requests: (0..count).map(|_| spec(self.random)).collect() }
    }

    pub(super) fn extend(&mut self) -> Extend {
        let held = self.held(3);
        let lease = self.random.one_of([None, Some(Span::ZERO), Some(Span::from_secs(1)), Some(Span::from_mins(1))]);
        let may_shorten = self.random.chance(40);
        Extend { queue: held.queue, partition: held.partition, ids: held.ids, lease, may_shorten }
    }

    pub(super) fn settle(&mut self) -> Settle {
        let held = self.held(4);
        let one = self.verb();
        let is_mixed = self.random.chance(40);
        let mut items = Vec::new();
        for id in held.ids {
            items.push(Settlement { id, action: if is_mixed { self.verb() } else { one.clone() } });
        }
        let on_rejected = self.random.one_of([OnRejected::Continue, OnRejected::Stop]);
        Settle { queue: held.queue, partition: held.partition, items, on_rejected }
    }

    fn verb(&mut self) -> SettleAction {
        let attempt = self.random.chance(60).then(|| Box::new(self.attempt()));
        match self.random.below(14) {
            0..3 => SettleAction::Complete { attempt },
            3..7 => SettleAction::Retry { at: self.retry_at(), attempt, charged: self.random.chance(75) },
            7 | 8 => SettleAction::Dead {
                attempt,
                why: self.random.one_of([DeadCause::Exhausted, DeadCause::Permanent, DeadCause::Spent]),
            },
            9 => SettleAction::Release,
            10 => SettleAction::Defer { until: self.requested_time().unwrap_or(self.now) },
            11 => SettleAction::Lost,
            12 => SettleAction::Note { lease: self.lease_span(), notes: Box::new(self.notes()) },
            _ => SettleAction::RedeliverForHandOver { at: self.requested_time().unwrap_or(self.now), attempt },
        }
    }

    fn notes(&mut self) -> DeliveryNotes {
        let parts = if self.random.chance(30) { vec![format!("part {}", self.random.below(9))] } else { Vec::new() };
        DeliveryNotes {
            error: self.random.chance(60).then(|| format!("error {}", self.random.below(3))),
            verdict: self.random.chance(30).then(|| format!("verdict {}", self.random.below(3))),
            parts,
        }
    }

    fn retry_at(&mut self) -> RetryAt {
        let at = self.requested_time();
        if self.random.chance(20) {
            return RetryAt::After(self.random.one_of([Span::ZERO, Span::from_millis(50), Span::from_secs(3)]));
        }
        if self.random.chance(40) { RetryAt::Decided(at.unwrap_or(self.now)) } else { RetryAt::Undecided(at) }
    }

    pub(super) fn attempt(&mut self) -> Attempt {
        let category = self.random.chance(70).then(|| self.category());
        let fingerprint = self.random.chance(50).then(|| self.fingerprint());
        Attempt {
            error: format!("error {}", self.random.below(3)),
            category,
            fingerprint,
            ended_at: Some(self.now),
            failed_parts: if self.random.chance(15) {
                vec![format!("part {}", self.random.below(9))]
            } else {
                Vec::new()
            },
            ..Attempt::new(Trigger::Automatic, Outcome::Failure)
        }
    }

    pub(super) fn category(&mut self) -> Category {
        self.random.one_of([Category::Transient, Category::Network, Category::Resource, Category::Permanent])
    }

    pub(super) fn clear(&mut self) -> Clear {
        let [ready, destructive, scheduled] = [60, 40, 50].map(|percent| self.random.chance(percent));
        Clear { queue: self.likely_queue(), ready, destructive, scheduled }
    }

    pub(super) fn delete_items(&mut self) -> DeleteItems {
        let of = self.random.pick(&self.model.items).map(|item| item.queue);
        let queue = match of {
            Some(of) => self.model.queue(of).settings.name.clone(),
            None => self.any_queue(),
        };
        let ids = (0..3).map(|_| self.any_id()).collect();
        DeleteItems { queue, partition: self.any_partition(), ids }
    }

    fn any_partition(&mut self) -> u32 {
        self.random.one_of([0, 0, 0, 1, 1, 2, 9])
    }

    /// A current or former id of any item.
    fn any_id(&mut self) -> ItemId {
        let today = self.random.pick(&self.model.items).map(Item::id);
        let past = self.random.pick(self.past).copied();
        let never = ItemId::new(Ksuid::MAX);
        match self.random.below(10) {
            0..6 => today.unwrap_or(never),
            6..9 => past.unwrap_or(never),
            _ => never,
        }
    }

    /// A former id of a letter of the queue, or any id.
    fn former_id(&mut self, queue: u32) -> ItemId {
        let letters = self.model.items.iter().filter(|item| item.queue == queue && item.letter().is_some());
        let former: Vec<ItemId> = letters.flat_map(|item| &item.own_ids).copied().collect();
        let one = self.random.pick(&former).copied().filter(|_| self.random.chance(50));
        one.unwrap_or_else(|| self.any_id())
    }

    /// Leased items of one partition, and sometimes another id.
    fn held(&mut self, most: usize) -> HeldItems {
        let held: Vec<&Item> = self.model.items.iter().filter(|item| item.is_leased()).collect();
        // Overflow letters are rare, so they are picked often.
        let over: Vec<&Item> = held.iter().copied().filter(|item| item.is_over()).collect();
        let from = if self.random.chance(40) && !over.is_empty() { &over } else { &held };
        let Some(one) = self.random.pick(from).copied() else {
            let queue = self.dead_queue();
            let number = self.model.named(&queue).map_or(u32::MAX, |queue| queue.number);
            return HeldItems { queue, partition: None, ids: vec![self.former_id(number)] };
        };
        let together: Vec<ItemId> = held
            .iter()
            .filter(|item| (item.queue, item.info.partition) == (one.queue, one.info.partition))
            .map(|item| item.id())
            .collect();
        let count = self.random.below(most) + usize::from(self.random.chance(98));
        let mut ids = Vec::new();
        for _ in 0..count {
            let is_stray = self.random.chance(8);
            ids.push(match is_stray {
                true => self.former_id(one.queue),
                false => self.random.pick(&together).copied().unwrap_or(one.id()),
            });
        }
        // Most callers name an item once.
        if self.random.chance(85) {
            let mut seen = Vec::new();
            ids.retain(|id| {
                !seen.contains(id) && {
                    seen.push(*id);
                    true
                }
            });
        }
        let queue = self.model.queue(one.queue).settings.name.clone();
        let queue = if self.random.chance(3) { self.any_queue() } else { queue };
        let partition = match self.random.below(20) {
            0 => Some(self.any_partition()),
            1..8 => None,
            _ => Some(one.info.partition),
        };
        HeldItems { queue, partition, ids }
    }

    pub(super) fn lease_span(&mut self) -> Span {
        self.random.one_of([Span::from_secs(1), Span::from_secs(5), Span::from_mins(3)])
    }

    pub(super) fn past_time(&mut self) -> Time {
        self.now.saturating_sub(Span::from_millis(self.random.within(0..=5_000)))
    }
}

/// The items that a holder names in a request.
struct HeldItems {
    queue: redrive_core::QueueName,
    partition: Option<u32>,
    ids: Vec<ItemId>,
}
