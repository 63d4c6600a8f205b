//! The state of all queues.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use redrive_core::{Jitter, LetterId, OnLostDependency, Policy, QueueName, Time};
use redrive_model::codec::StoreFormat;
use redrive_model::{Content, CorruptRecord, DocumentRef, LetterHeader, LetterSettings, LifetimeCounts, Stamps};

use super::letter_news::LetterLogEvent;
use super::pending_reclaim::PendingReclaim;
use crate::Facts;
use crate::answers::{AnswerLimits, RememberedAnswers};
use crate::fact::{Fact, Tail};
use crate::feed::Feed;
use crate::index::Index;
use crate::keys::Keys;
use crate::queue::Queue;
use crate::slab::Slab;
use crate::timers::Timers;

/// The queues, their items and letters, and the key space beside them.
///
/// It changes only by facts: operations record them, recovery reads them. It uses no clock and no disk.
#[derive(Debug, Default)]
pub struct State {
    pub(crate) items: Slab,
    pub(crate) queues: BTreeMap<u32, Queue>,
    pub(crate) names: BTreeMap<QueueName, u32>,
    pub(crate) next_queue: u32,
    pub(crate) stamps: Stamps,
    pub(crate) timers: Timers,
    pub(crate) sources: Index,
    pub(crate) coordinates: Index,
    /// The dependents of each letter, with their slots.
    pub(crate) dependents: BTreeMap<LetterId, BTreeMap<LetterId, u32>>,
    /// By queue, the letters with a dependency that will not be completed without an operator, with their slots.
    pub(crate) lost_dependents: BTreeMap<u32, BTreeMap<LetterId, u32>>,
    /// Letters that were reinstated while the slot of their id was occupied, with their slots.
    pub(super) displaced_letters: BTreeMap<LetterId, u32>,
    pub(crate) keys: Keys,
    pub(crate) feed: Feed,
    pub(crate) answers: RememberedAnswers,
    /// The limits of stored answers. Not recorded as a fact: set when the store is opened.
    pub(crate) answer_limits: AnswerLimits,
    /// Decides about letters, with the jitter of the store. Not recorded as a fact: set when the store is opened.
    pub(crate) policy: Policy,
    /// The default settings for letters. Not recorded as a fact: set when the store is opened.
    pub(crate) letter_settings: LetterSettings,
    /// The slots of items that were set aside, including those that were cleared since.
    pub(super) damaged: BTreeSet<u32>,
    /// Queues with overflow letters.
    pub(crate) overflowing: BTreeSet<u32>,
    pub(super) pending_reclaim: PendingReclaim,
    /// The sum of the counters of deleted queues.
    pub(crate) past: LifetimeCounts,
    /// The bytes in use per segment.
    pub(super) segment_usage: BTreeMap<u32, u64>,
    /// The number of stored documents.
    pub(super) documents: u64,
    /// Documents that are no longer needed.
    pub(super) freed: Vec<DocumentRef>,
    /// The number of items that died without a dead queue, by queue.
    pub(super) lost: BTreeMap<u32, u64>,
    /// Queues in which letters were removed at the end of their retention or lifetime.
    pub(super) forgotten: BTreeSet<u32>,
    /// Letters that were captured or became exhausted.
    pub(super) letter_news: Vec<LetterLogEvent>,
    /// Queues in which an item or a letter became available.
    pub(super) woken: BTreeSet<u32>,
    /// Whether recovery began at a checkpoint and has not read its end yet.
    pub(super) is_partial: bool,
    pub(super) checkpoints: u64,
    /// The number of changes of queue settings. Not recorded as a fact: counted from the start of the process.
    pub(super) settings_changes: u64,
    /// The format that readers of the store must support.
    pub(super) format: StoreFormat,
    /// Queues whose timers a test has stopped. Not recorded as a fact: it ends with the process.
    #[cfg(feature = "test-mode")]
    pub(crate) frozen: BTreeSet<u32>,
}

impl State {
    pub fn new() -> Self {
        Self::default()
    }

    /// The state of a recovery that begins at a recovery point: facts about unknown items are ignored until the
    /// checkpoint that began there has ended.
    pub fn recovering() -> Self {
        Self { is_partial: true, ..Self::default() }
    }

    /// Sets the default settings for letters.
    pub fn set_letter_settings(&mut self, settings: LetterSettings) {
        self.policy = Policy::default().with_jitter(Jitter::AdditivePercent(settings.jitter_percent));
        for queue in self.queues.values_mut() {
            queue.letter_settings = Arc::new(queue.settings.letters.over(&settings));
        }
        self.letter_settings = settings;
    }

    /// Sets the limits of stored answers.
    pub const fn set_answer_limits(&mut self, limits: AnswerLimits) {
        self.answer_limits = limits;
    }

    /// Applies a stored record when the store is opened. `place` is its place.
    pub fn recover(&mut self, kind: u8, body: &[u8], place: DocumentRef) -> Result<(), CorruptRecord> {
        let fact = Facts::fact_of(kind, body)?;
        let applied = self.apply(fact, place);
        // Notifications are for new events only.
        self.freed.clear();
        self.woken.clear();
        self.lost.clear();
        self.forgotten.clear();
        self.letter_news.clear();
        applied
    }

    /// Ends a recovery.
    ///
    /// # Errors
    ///
    /// If the checkpoint at the recovery point has no end.
    pub fn recovered(&mut self) -> Result<(), CorruptRecord> {
        if self.is_partial {
            return Err(CorruptRecord::new("the checkpoint is not complete"));
        }
        for queue in self.queues.values_mut() {
            queue.counts_at_start = queue.counts;
            queue.new_groups = 0;
        }
        Ok(())
    }

    /// Replaces a state that was ahead of the stored facts: takes over everything that is not recorded as facts.
    pub fn succeed(&mut self, before: &Self) {
        self.set_letter_settings(before.letter_settings.clone());
        self.set_answer_limits(before.answer_limits);
        #[cfg(feature = "test-mode")]
        self.frozen.clone_from(&before.frozen);
        self.settings_changes += before.settings_changes;
        for (number, queue) in &mut self.queues {
            if let Some(before) = before.queues.get(number) {
                queue.counts_at_start = before.counts_at_start;
                queue.new_groups = before.new_groups;
            }
            queue.revision += before.settings_changes;
        }
    }

    /// Records and applies a fact.
    pub(crate) fn record(&mut self, fact: Fact, facts: &mut Facts) {
        self.record_with(fact, Tail::None, facts);
    }

    /// Records and applies a fact with its document.
    pub(crate) fn record_with(&mut self, fact: Fact, tail: Tail, facts: &mut Facts) {
        let place = facts.push(&fact, tail);
        self.apply_recorded(fact, place);
    }

    /// Records and applies a fact with the header and content of a letter.
    pub(crate) fn record_filed(&mut self, fact: Fact, header: &LetterHeader, content: Arc<Content>, facts: &mut Facts) {
        let place = facts.push_filed(&fact, header, content);
        self.apply_recorded(fact, place);
    }

    fn apply_recorded(&mut self, fact: Fact, place: DocumentRef) {
        let applied = self.apply(fact, place);
        // Only stored facts can be invalid; an operation checks before it records.
        debug_assert_eq!(applied, Ok(()), "an operation recorded an invalid fact");
    }

    /// Sets the places of the documents of these facts after they were stored: one place per record, in order.
    pub fn kept(&mut self, facts: &Facts, places: impl IntoIterator<Item = DocumentRef>) {
        for (record, (recorded, place)) in facts.iter().zip(places).enumerate() {
            if let Some(slot) = recorded.slot {
                let pending = DocumentRef::pending(u32::try_from(record).unwrap_or(u32::MAX - 1));
                if !self.replace_place(slot, pending, place) {
                    // The item was removed meanwhile: the document is no longer needed.
                    self.freed.push(place);
                }
            }
        }
    }

    /// The number of items per queue that died without a dead queue since the last call, for the log.
    pub fn take_lost(&mut self) -> Vec<(QueueName, u64)> {
        let lost = std::mem::take(&mut self.lost);
        let name_of = |queue| self.queues.get(&queue).map(|queue| queue.settings.name.clone());
        lost.into_iter().filter_map(|(queue, count)| name_of(queue).map(|name| (name, count))).collect()
    }

    /// The queues in which letters were removed at the end of their retention or lifetime since the last call, for the
    /// audit log.
    pub fn take_forgotten(&mut self) -> Vec<QueueName> {
        let forgotten = std::mem::take(&mut self.forgotten);
        forgotten.into_iter().filter_map(|queue| self.name_of(queue)).collect()
    }

    /// The letters that were captured or became exhausted since the last call, for the log.
    pub fn take_letter_events(&mut self) -> Vec<LetterLogEvent> {
        std::mem::take(&mut self.letter_news)
    }

    /// The documents that became unneeded since the last call.
    pub fn take_freed(&mut self) -> Vec<DocumentRef> {
        std::mem::take(&mut self.freed)
    }

    /// Marks a queue in which items may have become available.
    pub(crate) fn wake(&mut self, queue: u32) {
        self.woken.insert(queue);
    }

    /// The queues in which items or letters became available since the last call.
    pub fn take_woken(&mut self) -> BTreeSet<u32> {
        std::mem::take(&mut self.woken)
    }

    /// The bytes of needed documents per segment.
    pub fn segment_usage(&self) -> &BTreeMap<u32, u64> {
        &self.segment_usage
    }

    /// The time of the next automatic change. [`Time::MIN`] if one is due now.
    pub fn next_timer(&self) -> Option<Time> {
        let mut overflowing = self.overflowing.iter().filter_map(|number| self.queues.get(number));
        let has_work = self.pending_reclaim.count() > 0
            || overflowing.any(|queue| queue.room() > 0)
            || self.lost_dependents.keys().any(|queue| self.on_lost_dependency(*queue) != OnLostDependency::Wait);
        if has_work { Some(Time::MIN) } else { self.moving_timers().next().map(|(at, _)| at) }
    }

    /// Whether a timed change of an item is due.
    pub fn has_due(&self, now: Time) -> bool {
        self.moving_timers().next().is_some_and(|(at, _)| at <= now)
    }

    /// The timers, the earliest first; in test mode, without those of frozen queues.
    pub(crate) fn moving_timers(&self) -> impl Iterator<Item = (Time, u32)> {
        let timers = self.timers.all();
        #[cfg(feature = "test-mode")]
        let timers = {
            let is_frozen = |slot| self.items.get(slot).is_some_and(|item| self.frozen.contains(&item.queue));
            timers.filter(move |(_, slot)| self.frozen.is_empty() || !is_frozen(*slot))
        };
        timers
    }

    /// Stops or resumes the timers of a queue. For tests: it is not recorded as a fact.
    #[cfg(feature = "test-mode")]
    pub fn freeze(&mut self, queue: u32, is_frozen: bool) {
        if is_frozen {
            self.frozen.insert(queue);
        } else {
            self.frozen.remove(&queue);
        }
    }

    /// The number of occupied slots, including items that are pending reclaim.
    pub fn items_in_slots(&self) -> u64 {
        self.items.count()
    }

    pub(super) fn free(&mut self, place: DocumentRef) {
        if place.is_kept() {
            self.documents = self.documents.saturating_sub(1);
            if let Some(used) = self.segment_usage.get_mut(&place.segment) {
                *used = used.saturating_sub(u64::from(place.len));
                if *used == 0 {
                    self.segment_usage.remove(&place.segment);
                }
            }
            self.freed.push(place);
        }
    }

    pub(super) fn keep(&mut self, place: DocumentRef) {
        if place.is_kept() {
            self.documents += 1;
            *self.segment_usage.entry(place.segment).or_default() += u64::from(place.len);
        }
    }

    /// Changes the place of a document of an item. Returns `false` if the item does not hold it (any more).
    pub(super) fn replace_place(&mut self, slot: u32, old: DocumentRef, new: DocumentRef) -> bool {
        let Some(item) = self.items.get_mut(slot) else { return false };
        let held = if item.place == old {
            Some(&mut item.place)
        } else {
            let docs = item.extra.as_mut().map(|extra| extra.docs.iter_mut());
            docs.into_iter().flatten().map(|doc| &mut doc.place).find(|place| **place == old)
        };
        let Some(held) = held else { return false };
        *held = new;
        self.keep(new);
        self.free(old);
        true
    }
}
