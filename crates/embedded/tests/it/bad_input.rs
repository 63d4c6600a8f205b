//! Invalid input: the store answers every request and keeps working.

use std::sync::Arc;

use bytes::Bytes;
use redrive_core::{ItemId, Ksuid, LetterId, RetryPolicy, Span, Time, Trigger};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore, StoreOpenError};
use redrive_journal::SimDisk;
use redrive_model::{
    Annotate, Archive, Capture, ClaimById, ClaimDue, Clear, Content, CreateQueue, Cursor, DeadCause, DeleteItems,
    DeleteQueue, DestinationFilter, Edit, Extend, GetConservation, GetItem, GetKey, GetLetter, GetStats, Groups,
    Header, Import, ImportItem, ItemListKind, KeyCondition, KeyWrite, Lease, LeaseSpec, LetterTemplate, ListItems,
    ListLetters, ListQueues, NewItem, NewLetter, OnRejected, Produce, Purge, ReadChanges, Rejection, Restore, RetryAt,
    ScanKeys, Settle, SettleAction, Settled, Settlement, Templates, WriteKeys, first_rejection,
};
use redrive_store::{ManualClock, Request, Store, StoreError};

use crate::letters::{attempt, letter, small};
use crate::rig::{
    SEGMENT, START, clock, ids, item, lease, name, number_of, open, open_with, options, payload, produce, run,
    settings, waiting_lease,
};

/// Runs the test on a store on disk and on one in memory.
async fn each(test: impl AsyncFn(EmbeddedStore, ManualClock)) {
    let (disk, manual) = (SimDisk::new(), clock());
    for store in [open(&disk, &manual), EmbeddedStore::in_memory(&options(&manual)).unwrap()] {
        for queue in ["dead", "orders"] {
            let mut settings = settings(queue);
            if queue == "orders" {
                settings.dead_queue = Some(name("dead"));
            }
            store.create_queue(CreateQueue { settings }).await.unwrap();
        }
        test(store.clone(), manual.clone()).await;
        assert_alive(&store).await;
        store.close().await.unwrap();
    }
    // The stored data can be read again.
    let store = open(&disk, &manual);
    assert_alive(&store).await;
    store.close().await.unwrap();
}

/// Checks that the writer answers ordinary requests.
async fn assert_alive(store: &EmbeddedStore) {
    assert!(!store.status().is_poisoned && !store.status().is_full, "{:?}", store.status());
    let alive = name("alive");
    match store.create_queue(CreateQueue { settings: settings("alive") }).await {
        Ok(_) | Err(StoreError::Rejected(Rejection::QueueExists(_))) => {}
        Err(error) => panic!("{error}"),
    }
    produce(store, "alive", vec![item(1, 100)]).await.unwrap();
    let leased = lease(store, "alive", 1).await.unwrap();
    store.complete(alive, 0, ids(&leased)).await.unwrap();
    assert!(store.conservation(GetConservation).await.unwrap().holds());
}

async fn present(store: &EmbeddedStore) -> u64 {
    store.conservation(GetConservation).await.unwrap().present
}

fn rejected<T: std::fmt::Debug>(answer: Result<T, StoreError>) -> Rejection {
    match answer {
        Err(StoreError::Rejected(rejection)) => rejection,
        answer => panic!("expected a rejection: {answer:?}"),
    }
}

fn content(change: impl FnOnce(&mut Content)) -> Arc<Content> {
    let mut content = Content::of_payload(payload(1, 100));
    change(&mut content);
    Arc::new(content)
}

/// Contents that every queue rejects.
fn bad_contents() -> Vec<Arc<Content>> {
    let header = |len: usize| Header { name: "h".to_owned(), value: vec![0; len].into() };
    vec![
        content(|content| content.kind = "k".repeat(2_001)),
        content(|content| content.encoding = "k".repeat(2_001)),
        content(|content| content.reference = "k".repeat(2_001)),
        content(|content| content.key = Some(vec![0; 64 * 1024 + 1].into())),
        content(|content| content.headers = vec![header(1); 1_001]),
        content(|content| content.headers = vec![header(64 * 1024)]),
    ]
}

#[test]
fn one_invalid_item_rejects_the_whole_request() {
    run(each(async |store, _| {
        let before = present(&store).await;
        let good = || NewItem::of_payload(payload(1, 100));
        let id = |id: &str| NewItem { message_id: Some(id.into()), ..good() };
        let mut bad: Vec<NewItem> =
            bad_contents().into_iter().map(|content| NewItem { content, ..NewItem::default() }).collect();
        bad.extend([id(""), id(&"m".repeat(513))]);
        for bad in bad {
            for items in [vec![bad.clone(), good()], vec![good(), bad.clone()], vec![good(), bad.clone(), good()]] {
                rejected(store.produce(Produce::new(name("orders"), items)).await);
            }
            let imported = |new: &NewItem| ImportItem {
                content: Arc::clone(&new.content),
                source_id: new.message_id.clone(),
                ..ImportItem::default()
            };
            let items = vec![imported(&good()), imported(&bad)];
            rejected(store.import(Import { queue: name("orders"), partition: 0, items }).await);
            let letters = vec![
                small(1),
                NewLetter {
                    source_id: bad.message_id.clone().unwrap_or_else(|| "fine".into()),
                    content: Arc::clone(&bad.content),
                    ..small(2)
                },
            ];
            rejected(store.capture(Capture::new(name("dead"), letters)).await);
        }
        assert_eq!(present(&store).await, before);
    }));
}

#[test]
fn empty_lists_and_unknown_names_are_rejected() {
    run(each(async |store, _| {
        let queue = || name("orders");
        let nowhere = || name("nowhere");
        rejected(store.produce(Produce::new(queue(), Vec::new())).await);
        rejected(store.import(Import { queue: queue(), partition: 0, items: Vec::new() }).await);
        let items = vec![ImportItem::default()];
        rejected(store.import(Import { queue: queue(), partition: u32::MAX, items }).await);
        rejected(store.capture(Capture::new(queue(), Vec::new())).await);
        for partition in [None, Some(9)] {
            let (items, on_rejected) = (Vec::new(), OnRejected::Continue);
            rejected(store.settle(Settle { queue: queue(), partition, items, on_rejected }).await);
        }
        let extend = Extend { queue: queue(), partition: None, ids: Vec::new(), lease: None, may_shorten: false };
        rejected(store.extend(extend).await);
        rejected(store.delete_items(DeleteItems { queue: queue(), partition: 0, ids: Vec::new() }).await);
        rejected(store.archive(Archive { queue: queue(), letters: Vec::new() }).await);
        rejected(store.restore(Restore { queue: queue(), letters: Vec::new() }).await);
        rejected(store.purge(Purge { queue: queue(), letters: Vec::new() }).await);
        let clear = Clear { queue: queue(), ready: false, destructive: true, scheduled: false };
        rejected(store.clear(clear).await);
        rejected(store.produce(Produce::new(nowhere(), vec![item(1, 9)])).await);
        rejected(store.lease(waiting_lease("nowhere", 1)).await);
        rejected(store.stats(GetStats { queue: nowhere() }).await);
        rejected(store.delete_queue(DeleteQueue { name: nowhere(), force: true }).await);
        rejected(store.cursor(Cursor::Register { name: String::new() }).await);
        rejected(store.cursor(Cursor::Register { name: "c".repeat(100_000) }).await);
        rejected(store.cursor(Cursor::Advance { name: "unknown".to_owned(), position: 1 }).await);
        let unknown = ReadChanges { cursor: "unknown".to_owned(), after: None, limit: 1, wait: Span::ZERO };
        rejected(store.changes(unknown).await);
        store.cursor(Cursor::Register { name: "reader".to_owned() }).await.unwrap();
        rejected(store.cursor(Cursor::Advance { name: "reader".to_owned(), position: u64::MAX }).await);
        let page =
            ReadChanges { cursor: "reader".to_owned(), after: Some(u64::MAX), limit: usize::MAX, wait: Span::ZERO };
        assert_eq!(store.changes(page).await.unwrap().changes, []);
        assert_eq!(store.queues(ListQueues::default()).await.unwrap(), [], "a limit of 0");
        store.write_keys(WriteKeys { writes: Vec::new() }).await.unwrap();
    }));
}

#[test]
fn unknown_ids_match_nothing() {
    run(each(async |store, _| {
        produce(&store, "orders", vec![item(1, 100)]).await.unwrap();
        let leased = lease(&store, "orders", 1).await.unwrap();
        let mut near = *leased.items[0].info.id.ksuid().as_bytes();
        near[19] ^= 1;
        for bytes in [[0; 20], [255; 20], near] {
            let (item, letter) = (ItemId::new(Ksuid::from_bytes(bytes)), LetterId::new(Ksuid::from_bytes(bytes)));
            let orders = || name("orders");
            rejected(store.item(GetItem { queue: orders(), id: item }).await);
            rejected(store.complete(orders(), 0, vec![item]).await);
            rejected(store.complete(orders(), u32::MAX, vec![item]).await);
            let extend = Extend { queue: orders(), partition: None, ids: vec![item], lease: None, may_shorten: false };
            assert!(matches!(store.extend(extend).await.unwrap()[..], [Err(_)]));
            rejected(store.letter(GetLetter { queue: orders(), letter }).await);
            rejected(store.archive(Archive { queue: orders(), letters: vec![letter] }).await);
            rejected(store.annotate(Annotate { queue: orders(), letter, note: Bytes::new() }).await);
            let claim =
                |lease| ClaimById { queue: orders(), letters: vec![letter.into()], lease, trigger: Trigger::Manual };
            rejected(store.claim_by_id(claim(Span::from_secs(1))).await);
            assert_eq!(store.purge(Purge { queue: orders(), letters: vec![letter] }).await.unwrap(), 0);
            let delete = DeleteItems { queue: orders(), partition: 0, ids: vec![item] };
            assert_eq!(store.delete_items(delete).await.unwrap(), 0);
            let pivot = Some(Ksuid::from_bytes(bytes));
            let list =
                ListItems { queue: orders(), partition: 0, which: ItemListKind::Items, pivot, limit: usize::MAX };
            store.items(list).await.unwrap();
            let list = ListLetters { queue: orders(), statuses: Vec::new(), after: Some(letter), limit: usize::MAX };
            store.letters(list).await.unwrap();
        }
        // An id that occurs twice in one request is settled once.
        let id = leased.items[0].info.id;
        let twice = Settle::all(name("orders"), Some(0), vec![id, id], &SettleAction::Complete { attempt: None });
        let settled = store.settle(twice).await.unwrap();
        assert!(matches!(settled[..], [Ok(Settled::Completed), Err(_)]), "{settled:?}");
    }));
}

#[test]
fn leases_of_zero_and_of_maximum_length_are_rejected_or_bounded() {
    run(each(async |store, clock| {
        produce(&store, "orders", (0..20).map(|number| item(number, 10)).collect()).await.unwrap();
        store.capture(Capture::new(name("dead"), vec![small(1)])).await.unwrap();
        let most = Span::from_micros(u64::MAX);
        for bad in [Span::ZERO, most, Span::from_days(367)] {
            let spec = LeaseSpec { batch: 1, lease: Some(bad), notes_receipt: false };
            rejected(store.lease(Lease { spec, ..waiting_lease("orders", 1) }).await);
            let scope = DestinationFilter::all();
            rejected(store.claim_due(ClaimDue { queue: name("dead"), batch: 1, lease: bad, scope, wait: most }).await);
        }
        for batch in [0, u64::MAX, 65_537] {
            rejected(store.lease(Lease { wait: most, ..waiting_lease("orders", batch) }).await);
            let (lease, scope) = (Span::from_secs(1), DestinationFilter::all());
            let claim = ClaimDue { queue: name("dead"), batch, lease, scope, wait: Span::ZERO };
            // A batch of the maximum size may also return the available items; it must not wait forever.
            let claimed = store.claim_due(claim).await;
            assert!(claimed.is_err(), "{claimed:?}");
        }
        rejected(store.lease(Lease { client_id: Some(String::new()), ..waiting_lease("orders", 1) }).await);
        let waits_for_ever = Lease { wait: most, ..waiting_lease("orders", 1) };
        let leased = store.lease(waits_for_ever).await.unwrap();
        for may_shorten in [false, true] {
            let extend =
                Extend { queue: name("orders"), partition: Some(0), ids: ids(&leased), lease: Some(most), may_shorten };
            rejected(store.extend(extend).await);
        }
        let by_nothing = Extend {
            queue: name("orders"),
            partition: Some(0),
            ids: ids(&leased),
            lease: Some(Span::ZERO),
            may_shorten: false,
        };
        let deadline = leased.items[0].info.state.lease_deadline().unwrap();
        assert_eq!(store.extend(by_nothing).await.unwrap(), [Ok(deadline)], "it changes nothing");
        // The clock at the maximum time: what has no deadline has not expired.
        clock.set(Time::MAX);
        assert_alive(&store).await;
        clock.set(Time::MIN);
        assert_alive(&store).await;
        clock.set(START);
    }));
}

#[test]
fn extreme_times_mean_now_or_never() {
    run(each(async |store, clock| {
        let times = [Time::MIN, Time::EPOCH, Time::MAX, Time::from_micros(i64::MAX)];
        let spans = [None, Some(Span::ZERO), Some(Span::from_micros(u64::MAX))];
        let mut number = 0;
        for enqueue_at in times {
            for expire_after in spans {
                number += 1;
                let new = NewItem { enqueue_at: Some(enqueue_at), expire_after, ..item(number, 50) };
                produce(&store, "orders", vec![new]).await.unwrap();
                let import = ImportItem {
                    content: content(|_| {}),
                    is_leased: true,
                    lease_deadline: Some(enqueue_at),
                    expires_at: Some(enqueue_at),
                    enqueue_at: Some(enqueue_at),
                    attempts: u32::MAX,
                    max_attempts: u32::MAX,
                    ..ImportItem::default()
                };
                store.import(Import { queue: name("orders"), partition: 0, items: vec![import] }).await.unwrap();
            }
            let new = NewLetter { failed_at: enqueue_at, ..small(number) };
            store.capture(Capture::new(name("dead"), vec![new])).await.unwrap();
        }
        for _ in 0..4 {
            let Ok(leased) = lease(&store, "orders", 100).await else { break };
            let actions = [
                SettleAction::Retry { at: RetryAt::Undecided(Some(Time::MAX)), attempt: None, charged: true },
                SettleAction::Retry { at: RetryAt::Undecided(Some(Time::MIN)), attempt: None, charged: false },
                SettleAction::Defer { until: Time::MAX },
                SettleAction::Defer { until: Time::MIN },
            ];
            let items = ids(&leased).into_iter().zip(actions.into_iter().cycle());
            let items = items.map(|(id, action)| Settlement { id, action }).collect::<Vec<_>>();
            for items in items.chunks(4) {
                let settle = Settle {
                    queue: name("orders"),
                    partition: None,
                    items: items.to_vec(),
                    on_rejected: OnRejected::Continue,
                };
                assert_eq!(first_rejection(&store.settle(settle).await.unwrap()), None);
            }
        }
        for at in [Time::MIN, Time::MAX, START, Time::EPOCH, Time::MAX] {
            clock.set(at);
            assert_alive(&store).await;
        }
        clock.set(START);
    }));
}

#[test]
fn a_request_that_is_too_large_is_rejected_and_changes_nothing() {
    run(each(async |store, _| {
        let before = present(&store).await;
        let huge = || vec![item(1, 2 * SEGMENT)];
        let many = || (0..65_537).map(|number| item(number, 8)).collect::<Vec<_>>();
        for items in [huge(), many(), vec![item(1, SEGMENT)]] {
            rejected(store.produce(Produce::new(name("orders"), items)).await);
        }
        let import =
            ImportItem { content: Arc::new(Content::of_payload(payload(1, SEGMENT))), ..ImportItem::default() };
        rejected(store.import(Import { queue: name("orders"), partition: 0, items: vec![import] }).await);
        let large = letter(1, Arc::new(Content::of_payload(payload(1, SEGMENT))), RetryPolicy::Never);
        rejected(store.capture(Capture::new(name("dead"), vec![large])).await);
        let key = |key: usize, value: usize| KeyWrite {
            key: vec![1; key].into(),
            value: Some(vec![2; value].into()),
            condition: KeyCondition::Any,
        };
        for write in [key(0, 1), key(2_049, 1), key(1, (1 << 20) + 1), key(1, SEGMENT)] {
            rejected(store.write_keys(WriteKeys { writes: vec![key(1, 1), write.clone()] }).await);
            let produce = Request::Produce(Produce::new(name("orders"), vec![item(1, 10)]));
            rejected(store.submit(produce, vec![write]).await);
        }
        assert_eq!(store.key(GetKey { key: vec![1].into() }).await.unwrap(), None);
        let mut long = settings("long");
        long.reference = "r".repeat(1 << 20);
        rejected(store.create_queue(CreateQueue { settings: long }).await);
        assert_eq!(present(&store).await, before);
        let scan = ScanKeys { prefix: Bytes::new(), from: vec![255; 100_000].into(), limit: usize::MAX };
        assert_eq!(store.keys(scan).await.unwrap(), []);
    }));
}

/// Long texts in any field of a letter besides its content are accepted or rejected, and never stop the store.
#[test]
fn long_texts_about_a_letter_do_not_break_the_store() {
    run(each(async |store, _| {
        for len in [1_000, 20_000, 100_000, 1 << 20] {
            let text = || "x".repeat(len);
            let mut cases: Vec<NewLetter> = Vec::new();
            let mut case = |change: &dyn Fn(&mut NewLetter)| {
                let mut letter = small(len as u64 * 100 + cases.len() as u64);
                change(&mut letter);
                cases.push(letter);
            };
            case(&|letter| letter.destination = text().into());
            case(&|letter| letter.context.origin.name = text().into());
            case(&|letter| letter.context.origin.message_id = Some(text()));
            case(&|letter| letter.context.parts = vec![text(); 3]);
            case(&|letter| letter.context.metadata = [(text(), "\u{1}".repeat(len).into())].into());
            case(&|letter| letter.context.depends_on = vec![LetterId::new(Ksuid::from_bytes([1; 20])); len / 20]);
            case(&|letter| letter.context.reply_to = Some("\u{1}".repeat(len)));
            case(&|letter| letter.attempt.error = "\u{1}".repeat(len));
            case(&|letter| letter.attempt.worker = Some(text().into()));
            case(&|letter| letter.attempt.failed_parts = vec![text(), text()]);
            case(&|letter| letter.max_retries = u32::MAX);
            for letter in cases {
                match store.capture(Capture::new(name("dead"), vec![letter])).await {
                    Ok(_) | Err(StoreError::Rejected(_)) => {}
                    Err(error) => panic!("{len}: {error}"),
                }
                assert!(!store.status().is_poisoned, "{len}");
            }
            // Later operations on such a letter.
            produce(&store, "orders", vec![item(len as u64, 10)]).await.unwrap();
            let leased = lease(&store, "orders", 1).await.unwrap();
            let mut failed = attempt();
            failed.error = "\u{1}".repeat(len);
            let action = SettleAction::Dead { attempt: Some(Box::new(failed)), why: DeadCause::Permanent };
            match store.settle_all(name("orders"), None, ids(&leased), action).await {
                Ok(()) => {}
                Err(StoreError::Rejected(_)) => store.complete(name("orders"), 0, ids(&leased)).await.unwrap(),
                Err(error) => panic!("{len}: {error}"),
            }
        }
        let list = ListLetters { queue: name("dead"), statuses: Vec::new(), after: None, limit: usize::MAX };
        let letters: Vec<_> = store.letters(list).await.unwrap();
        for letter in letters.iter().filter_map(|item| Some(item.info.letter.as_ref()?.id)) {
            let queue = || name("dead");
            store.archive(Archive { queue: queue(), letters: vec![letter] }).await.unwrap();
            store.restore(Restore { queue: queue(), letters: vec![letter] }).await.unwrap();
            let edit = Edit {
                queue: queue(),
                letter,
                content: None,
                policy: Some(RetryPolicy::Immediate),
                max_retries: None,
                priority: None,
            };
            store.edit(edit).await.unwrap();
            let record = store.letter(GetLetter { queue: queue(), letter }).await.unwrap();
            assert!(number_of(&record.content.payload).is_some());
        }
        store.failure_groups(Groups { queue: name("dead"), after: None, limit: usize::MAX }).await.unwrap();
        // Enough writes for a checkpoint.
        for number in 0..60 {
            produce(&store, "orders", vec![item(number, 3_000)]).await.unwrap();
        }
        assert!(!store.status().is_full, "{:?}", store.status());
    }));
}

#[test]
fn options_out_of_range_are_rejected() {
    let manual = clock();
    let disk = SimDisk::new();
    for bad in [
        EmbeddedOptions { segment_bytes: 0, ..options(&manual) },
        EmbeddedOptions { segment_bytes: SEGMENT - 1, ..options(&manual) },
        EmbeddedOptions { segment_bytes: usize::MAX, ..options(&manual) },
        EmbeddedOptions { requests_max: 0, ..options(&manual) },
        EmbeddedOptions { requests_max: usize::MAX, ..options(&manual) },
    ] {
        let opened = open_with(Arc::new(disk.clone()), &bad);
        assert!(matches!(opened, Err(StoreOpenError::Options(..))), "{opened:?}");
        assert!(matches!(EmbeddedStore::in_memory(&bad), Err(StoreOpenError::Options(..))));
    }
    run(async {
        // No cache, and a proof after every batch.
        let strange = EmbeddedOptions { cache_bytes: 0, idle_proof: Span::ZERO, requests_max: 1, ..options(&manual) };
        let store = open_with(Arc::new(disk.clone()), &strange).unwrap();
        assert_alive(&store).await;
        store.close().await.unwrap();
        let strange =
            EmbeddedOptions { idle_proof: Span::from_micros(u64::MAX), cache_bytes: usize::MAX, ..options(&manual) };
        let store = open_with(Arc::new(disk.clone()), &strange).unwrap();
        assert_alive(&store).await;
        store.close().await.unwrap();
    });
}

#[test]
fn templates_larger_than_a_segment_are_rejected() {
    run(each(async |store, _| {
        let mut other = settings("other");
        for number in 0..Templates::MAX {
            let template = LetterTemplate {
                name: format!("t-{number}"),
                regex: Some("x".to_owned()),
                note: Some("\u{1}".repeat(LetterTemplate::NOTE_BYTES_MAX)),
                ..LetterTemplate::default()
            };
            other.letters.templates = other.letters.templates.with(template, None).unwrap();
        }
        let result = store.create_queue(CreateQueue { settings: other }).await;
        assert!(matches!(result, Err(StoreError::Rejected(Rejection::TooLarge { .. }))), "{result:?}");
    }));
}
