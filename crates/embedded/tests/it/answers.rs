//! Remembered answers of requests with a request id: they are durable together with the request, and expire.

use std::sync::Arc;

use redrive_core::Span;
use redrive_embedded::{AnswerLimits, EmbeddedOptions, EmbeddedStore};
use redrive_journal::{Crash, SimDisk, SyncFault};
use redrive_model::{CreateQueue, GetStats, Produce, Produced};
use redrive_store::{Store, StoreError};
use redrive_testkit::seeds;

use crate::rig::{
    clock, item, lease_and_complete, name, new_store, on_disk, open, open_with, options, produce, run, settings,
};

async fn send(store: &EmbeddedStore, id: &str, numbers: std::ops::Range<u64>) -> Result<Produced, StoreError> {
    let items = numbers.map(|number| item(number, 100)).collect();
    store.produce(Produce::once(name("orders"), items, id).unwrap()).await
}

async fn count(store: &EmbeddedStore) -> u64 {
    store.stats(GetStats { queue: name("orders") }).await.unwrap().partitions[0].total
}

/// The machine stops while a request is written, and any unsynced data may survive. Afterwards both its items and its
/// answer are found, or neither.
#[test]
fn a_request_interrupted_by_a_power_loss_is_done_once_when_it_is_repeated() {
    let (mut done, mut undone) = (0, 0);
    for seed in seeds(15) {
        let seed = seed.number();
        on_disk(async |disk, clock| {
            let store = new_store(&disk, &clock, ["orders"]).await;
            disk.fail_syncs_after(0, SyncFault::PowerLoss);
            send(&store, "r-1", 0..3).await.unwrap_err();
            // The result is ignored: the machine has stopped.
            let _lost = store.close().await;
            disk.crash(Crash::Any, seed);
            disk.heal_syncs();
            let store = open(&disk, &clock);
            let before = count(&store).await;
            assert!(before == 0 || before == 3, "seed {seed}: {before} of 3 items were found");
            *if before == 0 { &mut undone } else { &mut done } += 1;
            let answer = send(&store, "r-1", 0..3).await.unwrap();
            assert_eq!((answer.items.len(), count(&store).await), (3, 3), "seed {seed}");
            assert_eq!(send(&store, "r-1", 0..3).await.unwrap(), answer, "seed {seed}");
        });
    }
    assert!(done + undone == 1 || (done > 0 && undone > 0), "both outcomes must occur: {done} done, {undone} not done");
}

#[test]
fn an_answer_outlives_the_segment_that_it_was_written_to() {
    on_disk(async |disk, clock| {
        let store = new_store(&disk, &clock, ["orders", "bulk"]).await;
        let answer = send(&store, "r-1", 0..3).await.unwrap();
        lease_and_complete(&store, "orders", 3).await.unwrap();
        while store.status().dropped < 3 {
            produce(&store, "bulk", (0..10).map(|number| item(number, 4_000)).collect()).await.unwrap();
            lease_and_complete(&store, "bulk", 10).await.unwrap();
        }
        store.close().await.unwrap();
        let store = open(&disk, &clock);
        assert_eq!(send(&store, "r-1", 0..3).await.unwrap(), answer);
        assert_eq!(count(&store).await, 0);
    });
}

#[test]
fn beyond_the_memory_limit_the_oldest_answers_are_forgotten() {
    let (disk, clock) = (SimDisk::new(), clock());
    let answers = AnswerLimits { bytes_max: 10_000, ..AnswerLimits::default() };
    let options = EmbeddedOptions { answers, ..options(&clock) };
    run(async {
        let store = open_with(Arc::new(disk.clone()), &options).unwrap();
        store.create_queue(CreateQueue { settings: settings("orders") }).await.unwrap();
        let mut answers = Vec::new();
        for number in 0..100 {
            answers.push(send(&store, &number.to_string(), number..number + 1).await.unwrap());
        }
        store.close().await.unwrap();
        let store = open_with(Arc::new(disk.clone()), &options).unwrap();
        for (number, answer) in (80..).zip(&answers[80..]) {
            assert_eq!(send(&store, &number.to_string(), number..number + 1).await.as_ref(), Ok(answer));
        }
        assert_eq!(count(&store).await, 100);
        assert_ne!(send(&store, "0", 0..1).await.unwrap(), answers[0]);
    });
}

#[test]
fn a_store_can_be_configured_to_remember_no_answers() {
    let (disk, clock) = (SimDisk::new(), clock());
    let answers = AnswerLimits { kept: Span::ZERO, ..AnswerLimits::default() };
    run(async {
        let store = open_with(Arc::new(disk.clone()), &EmbeddedOptions { answers, ..options(&clock) }).unwrap();
        store.create_queue(CreateQueue { settings: settings("orders") }).await.unwrap();
        let facts = store.status().facts;
        send(&store, "r-1", 0..1).await.unwrap();
        assert_eq!(store.status().facts, facts + 1, "only the item is written");
        send(&store, "r-1", 0..1).await.unwrap();
        assert_eq!(count(&store).await, 2);
    });
}
