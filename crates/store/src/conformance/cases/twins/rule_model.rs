//! The items of a store as predicted by the rules.

use std::collections::BTreeMap;

use redrive_core::{ItemId, Jitter, LetterId, Policy, QueueName, Time};
use redrive_model::capture::{MessageIndex, Peer};
use redrive_model::transition::{
    DeadQueueLookup, PendingDeath, QueueRules, Step, Transition, counted, counted_end, die,
};
use redrive_model::{
    Coordinates, Event, FullLetter, Item, ItemInfo, Letter, LetterSettings, LifetimeCounts, OpContext, QueueSettings,
    Stamp, Stamps,
};

use super::Population;
use super::as_item::{add_document, as_item};
use crate::conformance::fixture::StoreFixture;

/// Every item of a store by its name, as predicted by the rules.
pub(super) struct RuleModel<'a> {
    pub(super) fixture: &'a StoreFixture,
    pub(super) items: BTreeMap<String, ModeledItem>,
    queues: Vec<ModeledQueue>,
    policy: Policy,
    pub(super) stamps: Stamps,
}

/// An item, and what the store last showed of it, plus its documents added since then.
#[derive(Debug, Clone)]
pub(super) struct ModeledItem {
    pub(super) slot: u32,
    pub(super) item: Item,
    pub(super) shown: FullLetter,
}

struct ModeledQueue {
    settings: QueueSettings,
    letters: LetterSettings,
    counts: LifetimeCounts,
}

impl<'a> RuleModel<'a> {
    pub(super) async fn new(fixture: &'a StoreFixture) -> Self {
        let policy = Policy::default().with_jitter(Jitter::AdditivePercent(LetterSettings::default().jitter_percent));
        let mut model = Self { fixture, items: BTreeMap::new(), queues: Vec::new(), policy, stamps: Stamps::default() };
        let Population { items, queues } = Population::read(fixture).await;
        queues.into_iter().for_each(|(settings, counts)| model.add_queue(settings, counts));
        for (name, (queue, shown)) in items {
            let number = model.number(&queue);
            let (slot, item) = as_item(&shown, &model.rules(number), number, fixture.now());
            assert_eq!(ItemInfo::of(slot, &item), shown.info, "the conversion of {name}");
            model.items.insert(name, ModeledItem { slot, item, shown });
        }
        model
    }

    pub(super) fn add_queue(&mut self, settings: QueueSettings, counts: LifetimeCounts) {
        let letters = settings.letters.over(&LetterSettings::default());
        self.queues.push(ModeledQueue { settings, letters, counts });
    }

    pub(super) fn number(&self, name: &QueueName) -> u32 {
        let at = self.queues.iter().position(|queue| queue.settings.name == *name).expect("a queue of the store");
        u32::try_from(at).unwrap()
    }

    pub(super) fn rules(&self, queue: u32) -> QueueRules<'_> {
        let queue = &self.queues[queue as usize];
        QueueRules { settings: &queue.settings, letters: &queue.letters, policy: &self.policy }
    }

    pub(super) fn op(&self) -> OpContext {
        OpContext::new(self.fixture.now(), 0)
    }

    /// The names of the items of a queue for which `is_it` holds.
    pub(super) fn names(&self, queue: &QueueName, is_it: impl Fn(&Item) -> bool) -> Vec<String> {
        let number = self.number(queue);
        let found = self.items.iter().filter(|(_, modeled)| modeled.item.queue == number && is_it(&modeled.item));
        found.map(|(name, _)| name.clone()).collect()
    }

    pub(super) fn id(&self, name: &str) -> ItemId {
        self.items[name].shown.info.id
    }

    /// Applies a rule to an item. If the item dies, its dead queue is looked up.
    pub(super) fn apply<S: Into<Step>>(
        &mut self,
        name: &str,
        rule: impl FnOnce(Item, &QueueRules<'_>, &mut Stamps) -> S,
    ) {
        let ModeledItem { slot, item, .. } = self.items[name].clone();
        let mut stamps = self.stamps;
        let transition = match rule(item.clone(), &self.rules(item.queue), &mut stamps).into() {
            Step::Done(transition) => transition,
            Step::Dies(item, death) => self.dies(slot, item, death, &mut stamps),
        };
        self.stamps = stamps;
        self.apply_transition(name, &item, transition);
    }

    fn dies(&self, slot: u32, item: Item, death: PendingDeath, stamps: &mut Stamps) -> Transition {
        let from = self.rules(item.queue);
        let find = |name: &QueueName| self.queues.iter().position(|queue| queue.settings.name == *name);
        let to = match from.settings.dead_queue.as_ref().map(find) {
            None => DeadQueueLookup::None,
            Some(None) => DeadQueueLookup::Missing,
            Some(Some(at)) => {
                let number = u32::try_from(at).unwrap();
                let items = ItemsOf { model: self, queue: number };
                DeadQueueLookup::Found { rules: self.rules(number), number, partition: 0, items }
            }
        };
        die(item, slot, death, &from, to, self.op(), stamps)
    }

    fn apply_transition(&mut self, name: &str, before: &Item, transition: Transition) {
        match transition {
            Transition::Gone(reason) => {
                let counts = &mut self.queues[before.queue as usize].counts;
                counts.count_end(reason, 1);
                if before.letter().is_some() {
                    counted_end(reason).into_iter().flatten().for_each(|event| counts.count(event, 1));
                }
                self.items.remove(name);
            }
            Transition::Changed { item, event, documents } => {
                for count in counted(event, Some(before), &item) {
                    self.queues[count.queue as usize].counts.count(count.event, 1);
                }
                // A lease of a letter is a manual retry.
                if event == Event::Leased && item.letter().is_some() {
                    self.queues[item.queue as usize].counts.count(Event::RetriedByHand, 1);
                }
                let modeled = self.items.get_mut(name).unwrap();
                documents.into_iter().for_each(|document| add_document(&mut modeled.shown, document));
                modeled.item = item;
            }
        }
    }

    /// Adds a new item.
    pub(super) fn insert(&mut self, name: &str, item: Item, event: Event, shown: FullLetter) {
        for count in counted(event, None, &item) {
            self.queues[count.queue as usize].counts.count(count.event, 1);
        }
        self.items.insert(name.to_owned(), ModeledItem { slot: 0, item, shown });
    }

    /// Compares all items and counters of the store with the prediction.
    pub(super) async fn verify(&mut self, what: &str) {
        let found = Population::read(self.fixture).await;
        let names: Vec<&String> = found.items.keys().collect();
        assert_eq!(names, self.items.keys().collect::<Vec<_>>(), "the remaining items after {what}");
        for (name, (queue, full)) in found.items {
            let number = self.number(&queue);
            let modeled = self.items.get_mut(&name).unwrap();
            assert_eq!(number, modeled.item.queue, "the queue of {name} after {what}");
            let expected = FullLetter { info: modeled.adopt(&full.info), ..modeled.shown.clone() };
            // The documents of a plain item are not shown before it is a letter.
            let is_letter = full.info.letter.is_some();
            let seen = if is_letter {
                full.clone()
            } else {
                FullLetter { attempts: expected.attempts.clone(), ..full.clone() }
            };
            assert_eq!(seen, expected, "{name} after {what}");
            modeled.shown.info = full.info;
        }
        for (settings, counts) in found.queues {
            let expected = &self.queues[self.number(&settings.name) as usize];
            assert_eq!(settings, expected.settings, "the settings after {what}");
            assert_eq!(counts, expected.counts, "the counters of {} after {what}", settings.name);
        }
    }

    /// The next time at which a timer of an item fires.
    pub(super) fn next_timer(&self) -> Option<Time> {
        self.items.values().filter_map(|modeled| modeled.item.timer()).min()
    }
}

impl ModeledItem {
    /// The predicted item with the ids that the store assigned. The id must be new if the rule assigns a new one, and
    /// unchanged otherwise.
    fn adopt(&mut self, found: &ItemInfo) -> ItemInfo {
        let before = &self.shown.info;
        let (stamp, slot) = Stamp::split(found.id.ksuid());
        let was = Stamp::split(before.id.ksuid()).0;
        if self.item.stamp == was {
            assert_eq!(found.id, before.id, "the id must not change");
        } else {
            assert!(found.id > before.id, "the new id {} is not greater than {}", found.id, before.id);
        }
        let is_new_letter = before.letter.is_none();
        if let Some(letter) = self.item.letter_mut().filter(|_| is_new_letter) {
            letter.id = LetterId::new(found.id.ksuid());
        }
        (self.item.stamp, self.slot) = (stamp, slot);
        let info = ItemInfo::of(slot, &self.item);
        // The id of the first delivery is kept, regardless of the format of a store's ids.
        let first_id = if self.item.letter().is_none() && self.item.rare().first.is_some() {
            before.first_id
        } else {
            info.first_id
        };
        ItemInfo { first_id, ..info }
    }
}

/// The items of one queue.
struct ItemsOf<'m, 'a> {
    model: &'m RuleModel<'a>,
    queue: u32,
}

impl ItemsOf<'_, '_> {
    fn peers(&self) -> impl Iterator<Item = Peer<'_>> {
        let there = self.model.items.values().filter(|modeled| modeled.item.queue == self.queue);
        there.map(|modeled| Peer { slot: modeled.slot, item: &modeled.item })
    }
}

impl MessageIndex for ItemsOf<'_, '_> {
    fn by_coordinates(&self, of: &Coordinates) -> Option<Peer<'_>> {
        let has_coordinates = |letter: &Letter| letter.coordinates.get().as_ref() == Some(of);
        self.peers().find(|peer| peer.item.phase.is_live() && peer.item.letter().is_some_and(has_coordinates))
    }

    fn by_source<'n>(&'n self, id: &'n str) -> impl Iterator<Item = Peer<'n>> {
        self.peers().filter(move |peer| peer.item.source_id.as_deref() == Some(id))
    }
}
