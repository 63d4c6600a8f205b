//! A record that is damaged on disk affects only its own item.

use std::sync::Arc;

use redrive_core::{RetryPolicy, Status, Trigger};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_journal::{Disk, SimDisk};
use redrive_model::{
    ClaimById, Clear, Content, CreateQueue, DeleteItems, GetItem, GetLetter, ItemListKind, ItemState, LetterSelector,
    ListItems, ListLetters, NewItem, Purge, Rejection, StoredItem,
};
use redrive_store::{ManualClock, Store, StoreError};

use crate::letters::{capture, small};
use crate::rig::{self, LEASE, ids, item, lease, name, number_of, on_disk, payload, produce, settings};

const LEN: usize = 200;

/// Opens a store without a cache, so that everything is read from disk.
fn open(disk: &SimDisk, clock: &ManualClock) -> EmbeddedStore {
    let options = EmbeddedOptions { cache_bytes: 0, ..rig::options(clock) };
    rig::open_with(Arc::new(disk.clone()), &options).unwrap_or_else(|error| panic!("{}", rig::error_chain(&error)))
}

/// Flips a bit in the payload with this number.
fn damage(disk: &SimDisk, number: u64) {
    let wanted = payload(number, LEN);
    let mut hits = 0;
    for (path, len) in disk.files() {
        let mut bytes = vec![0; len];
        let read = disk.open(&path).and_then(|file| file.read_at(&mut bytes, 0)).unwrap_or(0);
        bytes.truncate(read);
        if let Some(at) = bytes.windows(LEN).position(|part| part == wanted) {
            disk.flip_bit(&path, at + LEN / 2, 3);
            hits += 1;
        }
    }
    assert_eq!(hits, 1, "the payload of {number} is stored once");
}

async fn listed(store: &EmbeddedStore, queue: &str, which: ItemListKind) -> Vec<StoredItem> {
    let list = ListItems { queue: name(queue), partition: 0, which, pivot: None, limit: 1_000 };
    store.items(list).await.unwrap()
}

fn numbers(items: &[StoredItem]) -> Vec<u64> {
    items.iter().map(|item| number_of(&item.content.payload).expect("its own payload")).collect()
}

async fn damaged_in(store: &EmbeddedStore, queue: &str) -> u64 {
    let stats = store.stats(redrive_model::GetStats { queue: name(queue) }).await.unwrap();
    stats.partitions.iter().map(|partition| partition.damaged).sum()
}

async fn ten_orders(store: &EmbeddedStore) {
    store.create_queue(CreateQueue { settings: settings("orders") }).await.unwrap();
    for number in 0..10 {
        let order = NewItem { message_id: Some(format!("order-{number}").into()), ..item(number, LEN) };
        produce(store, "orders", vec![order]).await.unwrap();
    }
}

#[test]
fn a_lease_returns_the_nine_intact_items_and_the_id_of_the_tenth() {
    on_disk(async |disk, clock| {
        let store = open(&disk, &clock);
        ten_orders(&store).await;
        damage(&disk, 4);
        let leased = lease(&store, "orders", 10).await.unwrap();
        assert_eq!(numbers(&leased.items), [0, 1, 2, 3, 5, 6, 7, 8, 9]);
        assert_eq!(leased.damaged.len(), 1);
        assert_eq!((damaged_in(&store, "orders").await, store.status().damaged), (1, 1));
        let aside = listed(&store, "orders", ItemListKind::Damaged).await;
        assert_eq!((aside[0].info.id, aside[0].info.state), (leased.damaged[0], ItemState::Damaged));
        assert!(aside[0].content.payload.is_empty());
        let got = store.item(GetItem { queue: name("orders"), id: leased.damaged[0] }).await.unwrap();
        assert_eq!(got.info.source_id.as_deref(), Some("order-4"), "properties in memory are shown");

        // It is never leased again, however much time passes; the others are.
        store.complete(name("orders"), 0, ids(&leased)[1..].to_vec()).await.unwrap();
        clock.advance(LEASE.saturating_mul(2));
        assert_eq!(numbers(&lease(&store, "orders", 10).await.unwrap().items), [0]);

        // Producing it again replaces it.
        let again = NewItem { message_id: Some("order-4".into()), ..item(4, LEN) };
        let produced = produce(&store, "orders", vec![again]).await.unwrap();
        assert_ne!(produced, leased.damaged, "a new item, not a duplicate");
        assert_eq!(numbers(&lease(&store, "orders", 10).await.unwrap().items), [4]);
        assert!(store.conservation(redrive_model::GetConservation).await.unwrap().holds());
        // Damage after the recovery point would need a salvage: write until the point is past it.
        store.create_queue(CreateQueue { settings: settings("others") }).await.unwrap();
        for number in 100..200 {
            produce(&store, "others", vec![item(number, 4_000)]).await.unwrap();
        }
        // A checkpoint is written piece by piece, mostly while the store is idle.
        while store.status().checkpoints == 0 {
            rig::idle().await;
        }
        store.close().await.unwrap();

        // It is still set aside after a restart, until it is deleted.
        let store = open(&disk, &clock);
        assert_eq!((damaged_in(&store, "orders").await, store.status().damaged), (1, 1));
        let delete = DeleteItems { queue: name("orders"), partition: 0, ids: leased.damaged };
        store.delete_items(delete).await.unwrap();
        assert_eq!((damaged_in(&store, "orders").await, store.status().damaged), (0, 0));
        assert!(store.conservation(redrive_model::GetConservation).await.unwrap().holds());
        store.close().await.unwrap();
    });
}

#[test]
fn if_a_whole_batch_is_damaged_the_next_lease_gets_other_items() {
    on_disk(async |disk, clock| {
        let store = open(&disk, &clock);
        ten_orders(&store).await;
        damage(&disk, 0);
        damage(&disk, 1);
        let error = lease(&store, "orders", 2).await.unwrap_err();
        let StoreError::Damaged(items) = &error else { panic!("{error}") };
        assert_eq!(items.len(), 2);
        assert!(error.to_string().contains("set aside; try again"), "{error}");
        assert_eq!(numbers(&lease(&store, "orders", 2).await.unwrap().items), [2, 3]);
        store.close().await.unwrap();
    });
}

#[test]
fn a_list_includes_damaged_items_and_marks_them() {
    on_disk(async |disk, clock| {
        let store = open(&disk, &clock);
        ten_orders(&store).await;
        damage(&disk, 7);
        let all = listed(&store, "orders", ItemListKind::Items).await;
        assert_eq!(all.len(), 10);
        let (aside, whole): (Vec<_>, Vec<_>) = all.into_iter().partition(|item| item.info.state == ItemState::Damaged);
        assert_eq!((aside.len(), numbers(&whole)), (1, vec![0, 1, 2, 3, 4, 5, 6, 8, 9]));
        // The list found the damage and has set the item aside.
        assert_eq!(listed(&store, "orders", ItemListKind::Items).await.len(), 9);
        assert_eq!(listed(&store, "orders", ItemListKind::Damaged).await.len(), 1);
        let clear = Clear { queue: name("orders"), ready: true, destructive: false, scheduled: false };
        assert_eq!(store.clear(clear).await.unwrap(), 10);
        assert_eq!((damaged_in(&store, "orders").await, store.status().damaged), (0, 0));
        store.close().await.unwrap();
    });
}

#[test]
fn a_holder_of_an_item_found_damaged_later_can_complete_it() {
    on_disk(async |disk, clock| {
        let store = open(&disk, &clock);
        ten_orders(&store).await;
        let leased = lease(&store, "orders", 1).await.unwrap();
        damage(&disk, 0);
        let all = listed(&store, "orders", ItemListKind::Items).await;
        assert_eq!(
            all.iter().filter(|item| item.info.state == ItemState::Damaged).count(),
            1,
            "it is shown as damaged"
        );
        assert_eq!(damaged_in(&store, "orders").await, 0, "and not taken from its holder");
        store.complete(name("orders"), 0, ids(&leased)).await.unwrap();
        store.close().await.unwrap();
    });
}

#[test]
fn a_damaged_letter_is_listed_and_purged_and_never_tried() {
    on_disk(async |disk, clock| {
        let store = open(&disk, &clock);
        store.create_queue(CreateQueue { settings: settings("dead") }).await.unwrap();
        for number in 0..3 {
            capture(&store, "dead", number, RetryPolicy::Never).await.unwrap();
        }
        damage(&disk, 1);
        let list = ListLetters { queue: name("dead"), statuses: Vec::new(), after: None, limit: 10 };
        let letters = store.letters(list.clone()).await.unwrap();
        let states: Vec<_> = letters.iter().map(|letter| letter.info.state).collect();
        assert_eq!(states, [ItemState::Ready, ItemState::Damaged, ItemState::Ready]);
        let id = letters[1].info.letter.as_ref().unwrap().id;
        let full = store.letter(GetLetter { queue: name("dead"), letter: id }).await.unwrap();
        assert_eq!((full.info.state, full.content.as_ref()), (ItemState::Damaged, &Content::default()));
        assert_eq!(full.info.letter.unwrap().status, Status::Pending);

        let selector = LetterSelector { id, revision: None };
        let claim = ClaimById { queue: name("dead"), letters: vec![selector], lease: LEASE, trigger: Trigger::Manual };
        let error = store.claim_by_id(claim).await.unwrap_err();
        assert_eq!(error, StoreError::Rejected(Rejection::LetterDamaged(id)));

        // A second capture of the same source id creates a new letter: it cannot merge with a damaged one.
        let again = store.capture(redrive_model::Capture::new(name("dead"), vec![small(1)])).await.unwrap();
        assert_ne!(again[0].letter, id);

        let purge = Purge { queue: name("dead"), letters: vec![id] };
        assert_eq!(store.purge(purge).await.unwrap(), 1);
        assert_eq!(store.status().damaged, 0);
        assert_eq!(store.letters(list).await.unwrap().len(), 3);
        store.close().await.unwrap();
    });
}

#[test]
fn a_letter_found_damaged_when_it_is_claimed_keeps_its_status() {
    on_disk(async |disk, clock| {
        let store = open(&disk, &clock);
        store.create_queue(CreateQueue { settings: settings("dead") }).await.unwrap();
        let captured = capture(&store, "dead", 1, RetryPolicy::Never).await.unwrap();
        let id = captured[0].letter;
        damage(&disk, 1);
        let selector = LetterSelector { id, revision: None };
        let claim = ClaimById { queue: name("dead"), letters: vec![selector], lease: LEASE, trigger: Trigger::Manual };
        let error = store.claim_by_id(claim).await.unwrap_err();
        assert!(matches!(error, StoreError::Damaged(_)), "{error}");
        let full = store.letter(GetLetter { queue: name("dead"), letter: id }).await.unwrap();
        let letter = full.info.letter.unwrap();
        assert_eq!((full.info.state, letter.status, letter.retries), (ItemState::Damaged, Status::Pending, 0));
        store.close().await.unwrap();
    });
}
