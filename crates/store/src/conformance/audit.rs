//! Checks after every case: counters are exact, nothing is lost, and a restart changes nothing.

use std::collections::BTreeMap;

use crate::Store;
use bytes::Bytes;
use redrive_core::{Category, Fingerprint, RetryPolicy, Status};
use redrive_model::{
    Conservation, FullLetter, GetConservation, GetLetter, GetStats, Groups, ItemListKind, ItemState, KeyEntry,
    ListItems, ListLetters, ListQueues, QueueSettings, QueueStats, ScanKeys, StoredItem,
};

const ALL: usize = 100_000;

/// Counts all items and letters, and compares the result with the counters of the store.
pub(super) async fn check(store: &dyn Store) {
    let sum = store.conservation(GetConservation).await.unwrap();
    assert!(sum.holds(), "arrived differs from present plus ended: {sum:?}");
    let mut present = 0;
    for settings in queues(store).await {
        let stats = store.stats(GetStats { queue: settings.name.clone() }).await.unwrap();
        present += partitions(store, &settings, &stats).await;
        present += letters(store, &settings, &stats).await;
    }
    assert_eq!(sum.present, present, "the counter of present items differs from the items found");
}

async fn queues(store: &dyn Store) -> Vec<QueueSettings> {
    store.queues(ListQueues { limit: ALL, ..ListQueues::default() }).await.unwrap()
}

async fn listed(store: &dyn Store, settings: &QueueSettings, partition: u32, which: ItemListKind) -> Vec<StoredItem> {
    let list = ListItems { queue: settings.name.clone(), partition, which, pivot: None, limit: ALL };
    let items = store.items(list).await.unwrap();
    assert!(items.is_sorted_by_key(|item| item.info.id), "the list is not in the order of ids: {items:?}");
    assert!(
        items.iter().all(|item| item.info.partition == partition),
        "the list contains items of another partition: {items:?}"
    );
    items
}

/// Checks the counters of each partition, and returns the number of items and live letters.
async fn partitions(store: &dyn Store, settings: &QueueSettings, stats: &QueueStats) -> u64 {
    assert_eq!(stats.partitions.len(), settings.partitions as usize);
    let mut present = 0;
    for (counted, number) in stats.partitions.iter().zip(0..) {
        assert_eq!(counted.partition, number, "partitions are listed in the order of their numbers");
        let items = listed(store, settings, number, ItemListKind::Items).await;
        let scheduled = listed(store, settings, number, ItemListKind::Scheduled).await;
        let count = |is_it: fn(&ItemState) -> bool| items.iter().filter(|item| is_it(&item.info.state)).count() as u64;
        let leased = count(|state| matches!(state, ItemState::Leased { .. }));
        let stranded = count(|state| matches!(state, ItemState::Stranded));
        let found = (items.len() as u64, leased, scheduled.len() as u64, stranded);
        let counted = (counted.total, counted.leased, counted.scheduled, counted.stranded);
        assert_eq!(counted, found, "total, leased, scheduled, stranded of {} {number}", settings.name);
        present += found.0 + found.2;
    }
    present
}

/// Checks the counters of letters, and returns the number of finished letters.
async fn letters(store: &dyn Store, settings: &QueueSettings, stats: &QueueStats) -> u64 {
    let letters = letters_of(store, settings).await;
    let infos: Vec<_> = letters.iter().map(|letter| letter.info.letter.clone().expect("a letter")).collect();
    assert!(infos.is_sorted_by_key(|letter| letter.id), "letters are listed in the order of their ids");
    for status in Status::ALL.iter().copied() {
        let found = infos.iter().filter(|letter| letter.status == status).count() as u64;
        assert_eq!(stats.letters.of(status), found, "{status} letters of {}", settings.name);
    }
    let live: Vec<_> = infos.iter().filter(|letter| letter.status.is_live()).collect();
    assert_eq!(stats.letters.live(), live.len() as u64);
    for category in Category::ALL.iter().copied() {
        let found = live.iter().filter(|letter| letter.category == category).count() as u64;
        assert_eq!(stats.letters.by_category[category as usize], found, "{category} letters of {}", settings.name);
    }
    for policy in RetryPolicy::ALL.iter().copied() {
        let found = live.iter().filter(|letter| letter.policy == policy).count() as u64;
        assert_eq!(stats.letters.by_policy[policy as usize], found, "{policy} letters of {}", settings.name);
    }
    let waits = |letter: &&StoredItem| {
        let is_overflow = letter.info.letter.as_ref().is_some_and(|info| info.is_overflow);
        is_overflow && letter.info.state == ItemState::Ready
    };
    let waiting = letters.iter().filter(waits).count() as u64;
    assert_eq!(stats.letters.overflow, waiting, "overflow letters of {}", settings.name);
    let blocked = live.iter().filter(|letter| letter.is_blocked && letter.status == Status::Pending);
    assert_eq!(stats.letters.blocked, blocked.count() as u64, "blocked letters of {}", settings.name);
    let mut failure_groups: BTreeMap<Fingerprint, u64> = BTreeMap::new();
    live.iter().for_each(|letter| *failure_groups.entry(letter.fingerprint).or_default() += 1);
    let groups = Groups { queue: settings.name.clone(), after: None, limit: ALL };
    let counted = store.failure_groups(groups).await.unwrap();
    let counted: BTreeMap<_, _> = counted.into_iter().map(|group| (group.fingerprint, group.counts.sum())).collect();
    assert_eq!(
        (counted, stats.failure_groups),
        (failure_groups.clone(), failure_groups.len() as u64),
        "failure_groups of {}",
        settings.name
    );
    let next = live.iter().filter_map(|letter| letter.next_retry_at).min();
    assert_eq!(stats.next_due_at, next, "the next due letter of {}", settings.name);
    (infos.len() - live.len()) as u64
}

async fn letters_of(store: &dyn Store, settings: &QueueSettings) -> Vec<StoredItem> {
    let list = ListLetters { queue: settings.name.clone(), statuses: Vec::new(), after: None, limit: ALL };
    store.letters(list).await.unwrap()
}

/// Everything that a store shows.
#[derive(Debug, PartialEq)]
pub(super) struct Snapshot {
    queues: Vec<(QueueSettings, QueueStats)>,
    items: Vec<StoredItem>,
    letters: Vec<FullLetter>,
    keys: Vec<KeyEntry>,
    conservation: Conservation,
}

impl Snapshot {
    pub(super) async fn of(store: &dyn Store) -> Self {
        let mut snapshot = Self {
            queues: Vec::new(),
            items: Vec::new(),
            letters: Vec::new(),
            keys: store.keys(ScanKeys { prefix: Bytes::new(), from: Bytes::new(), limit: ALL }).await.unwrap(),
            conservation: store.conservation(GetConservation).await.unwrap(),
        };
        for settings in queues(store).await {
            for partition in 0..settings.partitions {
                for which in [ItemListKind::Items, ItemListKind::Scheduled] {
                    let items = listed(store, &settings, partition, which).await;
                    snapshot.items.extend(items);
                }
            }
            for letter in letters_of(store, &settings).await {
                let letter = letter.info.letter.expect("a letter").id;
                let record = store.letter(GetLetter { queue: settings.name.clone(), letter }).await.unwrap();
                snapshot.letters.push(record);
            }
            let stats = store.stats(GetStats { queue: settings.name.clone() }).await.unwrap();
            // Waiting requests do not survive a restart, and counters since the start begin again.
            let since_start = Default::default();
            let stats = QueueStats { waiting: 0, since_start, rates: Default::default(), new_groups: 0, ..stats };
            snapshot.queues.push((settings, stats));
        }
        snapshot
    }

    /// Compares two snapshots part by part, so that a difference is readable.
    pub(super) fn assert_same(&self, other: &Self) {
        assert_eq!(self.queues, other.queues, "a restart changed settings or statistics");
        for (item, other) in self.items.iter().zip(&other.items) {
            assert_eq!(item, other, "a restart changed an item");
        }
        for (letter, other) in self.letters.iter().zip(&other.letters) {
            assert_eq!(letter, other, "a restart changed a letter");
        }
        assert_eq!(self, other, "a restart changed something");
    }
}
