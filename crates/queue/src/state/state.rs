//! Everything that there is.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use redrive_core::{Jitter, LetterId, OnLostDependency, Policy, QueueName, Time};
use redrive_model::codec::StoreFormat;
use redrive_model::{Content, CorruptRecord, DocumentRef, LetterHeader, LetterSettings, LifetimeCounts, Stamps};

use super::letter_news::LetterNews;
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
/// It changes only by facts: an operation records them, recovery reads them again. It knows no clock and no disk.
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
    /// Who waits for a letter, and in which slot.
    pub(crate) dependents: BTreeMap<LetterId, BTreeMap<LetterId, u32>>,
    /// By queue, letters that wait for one which will not be completed unless somebody does something about it.
    pub(crate) lost_dependents: BTreeMap<u32, BTreeMap<LetterId, u32>>,
    /// Letters that were put back from elsewhere when the slot that their id names was taken.
    pub(super) displaced_letters: BTreeMap<LetterId, u32>,
    pub(crate) keys: Keys,
    pub(crate) feed: Feed,
    pub(crate) answers: RememberedAnswers,
    /// How many answers are remembered. No fact: it is given when the store is opened.
    pub(crate) answer_limits: AnswerLimits,
    /// Decides about letters, with the jitter of the store. No fact: it is given when the store is opened.
    pub(crate) policy: Policy,
    /// The settings of letters where a queue has none of its own. No fact: they are given when the store is opened.
    pub(crate) letter_settings: LetterSettings,
    /// The slots of items that were set aside, those that were cleared away since included.
    pub(super) damaged: BTreeSet<u32>,
    /// Queues that have letters which wait for room.
    pub(crate) overflowing: BTreeSet<u32>,
    pub(super) pending_reclaim: PendingReclaim,
    /// What queues that are gone had done.
    pub(crate) past: LifetimeCounts,
    /// How much of each shelf is in use.
    pub(super) shelves: BTreeMap<u32, u64>,
    /// How many documents lie on shelves.
    pub(super) documents: u64,
    /// Documents that nobody needs any more.
    pub(super) freed: Vec<DocumentRef>,
    /// Items that died without a dead queue, by queue.
    pub(super) lost: BTreeMap<u32, u64>,
    /// Queues in which letters were removed because their time was over.
    pub(super) forgotten: BTreeSet<u32>,
    /// Letters that were captured or became exhausted.
    pub(super) letter_news: Vec<LetterNews>,
    /// Queues in which something became available.
    pub(super) woken: BTreeSet<u32>,
    /// Recovery began in the middle of the history, and has not heard of everything yet.
    pub(super) is_partial: bool,
    pub(super) checkpoints: u64,
    /// How often settings of queues were changed. No fact: it counts from the start of the process.
    pub(super) settings_changes: u64,
    /// What the store needs of those who read it.
    pub(super) format: StoreFormat,
    /// Queues in which nothing happens by itself, because a test has it so. No fact: it ends with the process.
    pub(crate) frozen: BTreeSet<u32>,
}

impl State {
    pub fn new() -> Self {
        Self::default()
    }

    /// The state of a recovery that begins at a recovery point: until the sweep that began there has ended, facts
    /// about what is not known yet mean nothing.
    pub fn recovering() -> Self {
        Self { is_partial: true, ..Self::default() }
    }

    /// Sets the settings of letters where a queue has none of its own, from now on.
    pub fn set_letter_settings(&mut self, settings: LetterSettings) {
        self.policy = Policy::default().with_jitter(Jitter::AdditivePercent(settings.jitter_percent));
        for queue in self.queues.values_mut() {
            queue.letter_settings = Arc::new(queue.settings.letters.over(&settings));
        }
        self.letter_settings = settings;
    }

    /// Sets how many answers of requests are remembered, from now on.
    pub const fn set_answer_limits(&mut self, limits: AnswerLimits) {
        self.answer_limits = limits;
    }

    /// Applies a record that was kept, when the store is opened. `place` is where it stands.
    pub fn recover(&mut self, kind: u8, body: &[u8], place: DocumentRef) -> Result<(), CorruptRecord> {
        let fact = Facts::fact_of(kind, body)?;
        let applied = self.apply(fact, place);
        // Nobody is told of what happened before.
        self.freed.clear();
        self.woken.clear();
        self.lost.clear();
        self.forgotten.clear();
        self.letter_news.clear();
        applied
    }

    /// Ends a recovery. Everything must be known by now.
    pub fn recovered(&mut self) -> Result<(), CorruptRecord> {
        if self.is_partial {
            return Err(CorruptRecord::new("the description of the state is not finished"));
        }
        for queue in self.queues.values_mut() {
            queue.tally_at_start = queue.tally;
        }
        Ok(())
    }

    /// Takes the place of a state that was ahead of what is kept: what is no fact goes on.
    pub fn succeed(&mut self, before: &Self) {
        self.set_letter_settings(before.letter_settings.clone());
        self.set_answer_limits(before.answer_limits);
        self.frozen.clone_from(&before.frozen);
        self.settings_changes += before.settings_changes;
        for (number, queue) in &mut self.queues {
            if let Some(before) = before.queues.get(number) {
                queue.tally_at_start = before.tally_at_start;
            }
            queue.revision += before.settings_changes;
        }
    }

    /// Records a fact and makes it so.
    pub(crate) fn record(&mut self, fact: Fact, facts: &mut Facts) {
        self.record_with(fact, Tail::None, facts);
    }

    /// Records a fact with its document and makes it so.
    pub(crate) fn record_with(&mut self, fact: Fact, tail: Tail, facts: &mut Facts) {
        let place = facts.push(&fact, tail);
        self.make_so(fact, place);
    }

    /// Records a letter with its header and content and makes it so.
    pub(crate) fn record_filed(&mut self, fact: Fact, header: &LetterHeader, content: Arc<Content>, facts: &mut Facts) {
        let place = facts.push_filed(&fact, header, content);
        self.make_so(fact, place);
    }

    fn make_so(&mut self, fact: Fact, place: DocumentRef) {
        let applied = self.apply(fact, place);
        // Only what is read can be broken; an operation has looked before.
        debug_assert_eq!(applied, Ok(()), "an operation recorded what cannot be");
    }

    /// The documents of these facts are kept, each at its place: in the order of the records, `None` where a
    /// record has no document.
    pub fn kept(&mut self, facts: &Facts, places: impl IntoIterator<Item = DocumentRef>) {
        for (record, (recorded, place)) in facts.iter().zip(places).enumerate() {
            if let Some(slot) = recorded.slot {
                let pending = DocumentRef::pending(u32::try_from(record).unwrap_or(u32::MAX - 1));
                if !self.replace_place(slot, pending, place) {
                    // Its item is gone already: nobody needs it.
                    self.freed.push(place);
                }
            }
        }
    }

    /// How many items of which queue died without a dead queue since the last time: somebody should be told.
    pub fn take_lost(&mut self) -> Vec<(QueueName, u64)> {
        let lost = std::mem::take(&mut self.lost);
        let name_of = |queue| self.queues.get(&queue).map(|queue| queue.settings.name.clone());
        lost.into_iter().filter_map(|(queue, count)| name_of(queue).map(|name| (name, count))).collect()
    }

    /// Queues in which letters were removed because their time was over, since the last time: somebody should record it.
    pub fn take_forgotten(&mut self) -> Vec<QueueName> {
        let forgotten = std::mem::take(&mut self.forgotten);
        forgotten.into_iter().filter_map(|queue| self.name_of(queue)).collect()
    }

    /// Letters that were captured or became exhausted since the last time: somebody should be told.
    pub fn take_letter_news(&mut self) -> Vec<LetterNews> {
        std::mem::take(&mut self.letter_news)
    }

    /// Documents that nobody needs any more, since the last time.
    pub fn take_freed(&mut self) -> Vec<DocumentRef> {
        std::mem::take(&mut self.freed)
    }

    /// Something may be had from this queue that could not be had before.
    pub(crate) fn wake(&mut self, queue: u32) {
        self.woken.insert(queue);
    }

    /// Queues in which something became available since the last time.
    pub fn take_woken(&mut self) -> BTreeSet<u32> {
        std::mem::take(&mut self.woken)
    }

    /// How many bytes of documents each shelf still holds for somebody.
    pub fn shelves(&self) -> &BTreeMap<u32, u64> {
        &self.shelves
    }

    /// When something happens by itself; never before that.
    pub fn next_timer(&self) -> Option<Time> {
        let mut overflowing = self.overflowing.iter().filter_map(|number| self.queues.get(number));
        let is_anything_left = self.pending_reclaim.count() > 0
            || overflowing.any(|queue| queue.room() > 0)
            || self.lost_dependents.keys().any(|queue| self.on_lost_dependency(*queue) != OnLostDependency::Wait);
        if is_anything_left { Some(Time::MIN) } else { self.moving_timers().next().map(|(at, _)| at) }
    }

    /// What is to happen by itself, the earliest first.
    pub(crate) fn moving_timers(&self) -> impl Iterator<Item = (Time, u32)> {
        let is_frozen = |slot| self.items.get(slot).is_some_and(|item| self.frozen.contains(&item.queue));
        self.timers.all().filter(move |(_, slot)| self.frozen.is_empty() || !is_frozen(*slot))
    }

    /// Has nothing happen in a queue by itself, or has it go on. For tests: no fact tells of it.
    pub fn freeze(&mut self, queue: u32, is_frozen: bool) {
        if is_frozen {
            self.frozen.insert(queue);
        } else {
            self.frozen.remove(&queue);
        }
    }

    /// The documents that the state holds; for those who check it.
    pub fn items_in_slots(&self) -> u64 {
        self.items.count()
    }

    pub(super) fn free(&mut self, place: DocumentRef) {
        if place.is_kept() {
            self.documents = self.documents.saturating_sub(1);
            if let Some(used) = self.shelves.get_mut(&place.shelf) {
                *used = used.saturating_sub(u64::from(place.len));
                if *used == 0 {
                    self.shelves.remove(&place.shelf);
                }
            }
            self.freed.push(place);
        }
    }

    pub(super) fn keep(&mut self, place: DocumentRef) {
        if place.is_kept() {
            self.documents += 1;
            *self.shelves.entry(place.shelf).or_default() += u64::from(place.len);
        }
    }

    /// A document of an item is at another place now. `false` when the item does not hold it (any more).
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
