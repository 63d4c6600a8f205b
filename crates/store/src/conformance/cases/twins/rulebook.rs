//! The items of a store as the rules have them.

use std::collections::BTreeMap;

use redrive_core::{ItemId, Jitter, LetterId, Policy, QueueName, Time};
use redrive_model::transition::{DeadQueue, PendingDeath, QueueRules, Step, Transition, counted, counted_end, die};
use redrive_model::{
    Event, FullLetter, Item, ItemInfo, LetterSettings, LifetimeCounts, OpContext, QueueSettings, Stamp, Stamps,
};

use super::Population;
use super::as_item::{as_item, keep};
use crate::conformance::bed::Bed;

/// Every item of a store by its name, as the rules have it.
pub(super) struct Rulebook<'b> {
    pub(super) bed: &'b Bed,
    pub(super) items: BTreeMap<String, Ruled>,
    queues: Vec<RuledQueue>,
    policy: Policy,
    pub(super) stamps: Stamps,
}

/// An item, and what the store showed of it last; documents that are new since then included.
#[derive(Debug, Clone)]
pub(super) struct Ruled {
    pub(super) slot: u32,
    pub(super) item: Item,
    pub(super) shown: FullLetter,
}

struct RuledQueue {
    settings: QueueSettings,
    letters: LetterSettings,
    tally: LifetimeCounts,
}

impl<'b> Rulebook<'b> {
    pub(super) async fn new(bed: &'b Bed) -> Self {
        let policy = Policy::default().with_jitter(Jitter::AdditivePercent(LetterSettings::default().jitter_percent));
        let mut book = Self { bed, items: BTreeMap::new(), queues: Vec::new(), policy, stamps: Stamps::default() };
        let Population { items, queues } = Population::read(bed).await;
        queues.into_iter().for_each(|(settings, tally)| book.add_queue(settings, tally));
        for (name, (queue, shown)) in items {
            let number = book.number(&queue);
            let (slot, item) = as_item(&shown, &book.rules(number), number, bed.now());
            assert_eq!(ItemInfo::of(slot, &item), shown.info, "{name} as the rules have it");
            book.items.insert(name, Ruled { slot, item, shown });
        }
        book
    }

    pub(super) fn add_queue(&mut self, settings: QueueSettings, tally: LifetimeCounts) {
        let letters = settings.letters.over(&LetterSettings::default());
        self.queues.push(RuledQueue { settings, letters, tally });
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
        OpContext::new(self.bed.now(), 0)
    }

    /// The names of the items of a queue that are so.
    pub(super) fn names(&self, queue: &QueueName, is_it: impl Fn(&Item) -> bool) -> Vec<String> {
        let number = self.number(queue);
        let found = self.items.iter().filter(|(_, ruled)| ruled.item.queue == number && is_it(&ruled.item));
        found.map(|(name, _)| name.clone()).collect()
    }

    pub(super) fn id(&self, name: &str) -> ItemId {
        self.items[name].shown.info.id
    }

    /// A rule is applied to an item; where it dies, its dead queue is found.
    pub(super) fn apply<S: Into<Step>>(
        &mut self,
        name: &str,
        rule: impl FnOnce(Item, &QueueRules<'_>, &mut Stamps) -> S,
    ) {
        let Ruled { slot, item, .. } = self.items[name].clone();
        let mut stamps = self.stamps;
        let transition = match rule(item.clone(), &self.rules(item.queue), &mut stamps).into() {
            Step::Done(transition) => transition,
            Step::Dies(item, death) => self.dies(slot, item, death, &mut stamps),
        };
        self.stamps = stamps;
        self.becomes(name, &item, transition);
    }

    fn dies(&self, slot: u32, item: Item, death: PendingDeath, stamps: &mut Stamps) -> Transition {
        let from = self.rules(item.queue);
        let source_id = item.source_id_at_death(slot);
        let find = |name: &QueueName| self.queues.iter().position(|queue| queue.settings.name == *name);
        let to = match from.settings.dead_queue.as_ref().map(find) {
            None => DeadQueue::None,
            Some(None) => DeadQueue::Missing,
            Some(Some(at)) => {
                let number = u32::try_from(at).unwrap();
                let there =
                    |other: &&Ruled| other.item.queue == number && other.item.source_id.as_ref() == Some(&source_id);
                let same = || self.items.values().filter(there);
                DeadQueue::Found {
                    rules: self.rules(number),
                    number,
                    partition: 0,
                    is_taken: same().any(|other| other.item.phase.is_live()),
                    newest_generation: same()
                        .filter_map(|other| other.item.letter())
                        .map(|letter| letter.generation)
                        .max()
                        .unwrap_or(0),
                }
            }
        };
        die(item, slot, death, &from, to, self.op(), stamps)
    }

    fn becomes(&mut self, name: &str, before: &Item, transition: Transition) {
        match transition {
            Transition::Gone(reason) => {
                let tally = &mut self.queues[before.queue as usize].tally;
                tally.count_end(reason, 1);
                if before.letter().is_some() {
                    counted_end(reason).into_iter().flatten().for_each(|event| tally.count(event, 1));
                }
                self.items.remove(name);
            }
            Transition::Changed { item, event, documents } => {
                for count in counted(event, Some(before), &item) {
                    self.queues[count.queue as usize].tally.count(count.event, 1);
                }
                // A lease of a letter is a retry that a person asks for.
                if event == Event::Leased && item.letter().is_some() {
                    self.queues[item.queue as usize].tally.count(Event::RetriedByHand, 1);
                }
                let ruled = self.items.get_mut(name).unwrap();
                documents.into_iter().for_each(|document| keep(&mut ruled.shown, document));
                ruled.item = item;
            }
        }
    }

    /// An item comes; it was not there before.
    pub(super) fn arrives(&mut self, name: &str, item: Item, event: Event, shown: FullLetter) {
        for count in counted(event, None, &item) {
            self.queues[count.queue as usize].tally.count(count.event, 1);
        }
        self.items.insert(name.to_owned(), Ruled { slot: 0, item, shown });
    }

    /// Reads everything back: each item is what its rule made of it, and every queue counts what happened.
    pub(super) async fn verify(&mut self, what: &str) {
        let found = Population::read(self.bed).await;
        let names: Vec<&String> = found.items.keys().collect();
        assert_eq!(names, self.items.keys().collect::<Vec<_>>(), "the items that are left after {what}");
        for (name, (queue, full)) in found.items {
            let number = self.number(&queue);
            let ruled = self.items.get_mut(&name).unwrap();
            assert_eq!(number, ruled.item.queue, "the queue of {name} after {what}");
            let expected = FullLetter { info: ruled.adopt(&full.info), ..ruled.shown.clone() };
            // What a plain item keeps besides its content is shown when it is a letter.
            let is_letter = full.info.letter.is_some();
            let seen = if is_letter {
                full.clone()
            } else {
                FullLetter { attempts: expected.attempts.clone(), ..full.clone() }
            };
            assert_eq!(seen, expected, "{name} after {what}");
            ruled.shown.info = full.info;
        }
        for (settings, tally) in found.queues {
            let expected = &self.queues[self.number(&settings.name) as usize];
            assert_eq!(settings, expected.settings, "the settings after {what}");
            assert_eq!(tally, expected.tally, "what {} counted after {what}", settings.name);
        }
    }

    /// The next time at which something happens to an item by itself.
    pub(super) fn next_timer(&self) -> Option<Time> {
        self.items.values().filter_map(|ruled| ruled.item.timer()).min()
    }
}

impl Ruled {
    /// What the rules say of it, under the ids that the store chose: a new one where a rule gives one, and only there.
    fn adopt(&mut self, found: &ItemInfo) -> ItemInfo {
        let before = &self.shown.info;
        let (stamp, slot) = Stamp::split(found.id.ksuid());
        let was = Stamp::split(before.id.ksuid()).0;
        if self.item.stamp == was {
            assert_eq!(found.id, before.id, "an id that stays");
        } else {
            assert!(found.id > before.id, "{} is no later id than {}", found.id, before.id);
        }
        let is_new_letter = before.letter.is_none();
        if let Some(letter) = self.item.letter_mut().filter(|_| is_new_letter) {
            letter.id = LetterId::new(found.id.ksuid());
        }
        (self.item.stamp, self.slot) = (stamp, slot);
        let info = ItemInfo::of(slot, &self.item);
        // The id of the first delivery stays whatever the ids of a store look like.
        let first_id = if self.item.letter().is_none() && self.item.rare().first.is_some() {
            before.first_id
        } else {
            info.first_id
        };
        ItemInfo { first_id, ..info }
    }
}
