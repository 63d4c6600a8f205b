//! All items of a store by name. The name of an item is its payload.

use std::collections::BTreeMap;

use redrive_core::QueueName;
use redrive_model::{
    FullLetter, GetLetter, GetStats, ItemListKind, LifetimeCounts, ListItems, ListLetters, ListQueues, QueueSettings,
};

use super::as_item::without_documents;
use crate::conformance::fixture::StoreFixture;
use crate::conformance::samples::payload;

const ALL: usize = 10_000;

pub(super) struct Population {
    pub(super) items: BTreeMap<String, (QueueName, FullLetter)>,
    pub(super) queues: Vec<(QueueSettings, LifetimeCounts)>,
}

impl Population {
    pub(super) async fn read(fixture: &StoreFixture) -> Self {
        let store = fixture.store();
        let mut all = Self { items: BTreeMap::new(), queues: Vec::new() };
        for settings in store.queues(ListQueues { limit: ALL, ..ListQueues::default() }).await.unwrap() {
            let name = || settings.name.clone();
            for partition in 0..settings.partitions {
                for which in [ItemListKind::Items, ItemListKind::Scheduled] {
                    let list = ListItems { queue: name(), partition, which, pivot: None, limit: ALL };
                    let plain = store.items(list).await.unwrap().into_iter().filter(|item| item.info.letter.is_none());
                    plain.for_each(|item| all.insert(&name(), without_documents(item)));
                }
            }
            let letters = ListLetters { queue: name(), statuses: Vec::new(), after: None, limit: ALL };
            for listed in store.letters(letters).await.unwrap() {
                let letter = listed.info.letter.as_ref().unwrap().id;
                let full = store.letter(GetLetter { queue: name(), letter }).await.unwrap();
                assert_eq!((&listed.info, &listed.content), (&full.info, &full.content), "a letter in a list");
                all.insert(&name(), full);
            }
            let counts = store.stats(GetStats { queue: name() }).await.unwrap().counts;
            all.queues.push((settings, counts));
        }
        all
    }

    fn insert(&mut self, queue: &QueueName, item: FullLetter) {
        let name = payload(&item);
        let twin = self.items.insert(name.clone(), (queue.clone(), item));
        assert!(twin.is_none(), "{name} exists twice");
    }
}
