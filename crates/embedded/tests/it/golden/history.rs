//! The history of a golden store: all operations, so that its log contains a record of every kind.

use std::sync::Arc;

use redrive_core::{Outcome, Priority, RetryPolicy, Span, Time, Trigger};
use redrive_embedded::EmbeddedStore;
use redrive_model::{
    Annotate, Archive, Attempt, Capture, Captured, ClaimById, Clear, Content, CreateQueue, Cursor, DeadCause,
    DeleteQueue, Edit, Extend, Header, KeyCondition, KeyWrite, LetterOverrides, LetterSelector, NewItem, NewLetter,
    OnFull, Produce, Purge, QueueSettings, Rejection, Restore, RetryAt, SettleAction, WriteKeys,
};
use redrive_store::{Clock, ManualClock, Store, StoreError};

use crate::letters::{letter, small};
use crate::rig::{item, lease, lease_and_complete, name, payload, produce, settings};

pub(super) const READER: &str = "search";

/// Creates queues with different settings, and a reader of the feed.
pub(super) async fn begin(store: &EmbeddedStore) {
    let small_queue =
        LetterOverrides { max_size: Some(15), on_full: Some(OnFull::Reject), ..LetterOverrides::default() };
    let dead_queue = Some(name("dead"));
    for settings in [
        settings("dead"),
        QueueSettings { dead_queue, max_attempts: 2, partitions: 2, requested_partitions: 2, ..settings("orders") },
        QueueSettings { letters: small_queue, reference: "billing".to_owned(), ..settings("letters") },
        settings("bulk"),
    ] {
        store.create_queue(CreateQueue { settings }).await.unwrap();
    }
    store.cursor(Cursor::Register { name: READER.to_owned() }).await.unwrap();
}

/// Creates sparse segments, so that compaction rewrites their documents.
pub(super) async fn sparse_files(store: &EmbeddedStore) {
    let mut number = 100_000;
    while store.status().relocated == 0 || store.status().dropped == 0 {
        let items = (number..number + 10).map(|number| item(number, 4_000)).collect();
        number += 10;
        produce(store, "bulk", items).await.unwrap();
        lease_and_complete(store, "bulk", 9).await.unwrap();
        assert!(number < 200_000, "nothing is compacted: {:?}", store.status());
    }
}

/// Runs all operations on items, letters, keys and queues.
pub(super) async fn ordinary_day(store: &EmbeddedStore, clock: &ManualClock, day: u64) {
    items(store, clock, day).await;
    letters(store, clock, day).await;
    let write = |key: &str, value: Option<&str>| KeyWrite {
        key: format!("{day}/{key}").into_bytes().into(),
        value: value.map(|value| value.to_owned().into()),
        condition: KeyCondition::Any,
    };
    let writes = vec![write("a", Some("one")), write("b", Some("")), write("c", Some("three"))];
    store.write_keys(WriteKeys { writes }).await.unwrap();
    store.write_keys(WriteKeys { writes: vec![write("c", None)] }).await.unwrap();
    produce(store, "bulk", vec![item(70_000 + day, 50), item(80_000 + day, 50)]).await.unwrap();
    let once = Produce::once(name("bulk"), vec![item(90_000 + day, 50)], "once").unwrap();
    store.produce(once).await.unwrap();
    let clear = Clear { queue: name("bulk"), ready: true, destructive: true, scheduled: true };
    assert!(store.clear(clear).await.unwrap() > 0);
    let passing = QueueSettings { letters: LetterOverrides::default(), ..settings("passing") };
    store.create_queue(CreateQueue { settings: passing }).await.unwrap();
    produce(store, "passing", vec![item(50_000 + day, 50)]).await.unwrap();
    store.capture(Capture::new(name("passing"), vec![small(60_000 + day)])).await.unwrap();
    store.delete_queue(DeleteQueue { name: name("passing"), force: false }).await.unwrap();
    clock.advance(Span::from_hours(3));
}

async fn items(store: &EmbeddedStore, clock: &ManualClock, day: u64) {
    let number = day * 100;
    let described = Content {
        kind: "order".to_owned(),
        encoding: "json".to_owned(),
        reference: "shop".to_owned(),
        key: Some("customer".into()),
        headers: vec![
            Header { name: "trace".to_owned(), value: "a1".into() },
            Header { name: "empty".to_owned(), value: "".into() },
        ],
        payload: payload(number, 100),
    };
    let described = NewItem {
        content: Arc::new(described),
        message_id: Some(format!("order-{number}").into()),
        priority: Priority::High,
        ..NewItem::default()
    };
    let scheduled =
        NewItem { enqueue_at: Some(clock.now().saturating_add(Span::from_days(9))), ..item(number + 1, 80) };
    let mut new = vec![described, scheduled];
    new.extend((2..20).map(|more| item(number + more, 60)));
    produce(store, "orders", new).await.unwrap();

    let leased = lease(store, "orders", 8).await.unwrap();
    let ids: Vec<_> = leased.items.iter().map(|item| item.info.id).collect();
    let partition = leased.partition;
    let settle = async |id, action| store.settle_all(name("orders"), Some(partition), vec![id], action).await.unwrap();
    let attempt = |error: &str| {
        let failed_parts = vec!["page 2".to_owned(), "page 3".to_owned()];
        let attempt = Attempt::new(Trigger::Automatic, Outcome::Failure);
        Some(Box::new(Attempt { error: error.to_owned(), failed_parts, ..attempt }))
    };
    settle(ids[0], SettleAction::Complete { attempt: None }).await;
    settle(ids[1], SettleAction::Retry { at: RetryAt::Undecided(None), attempt: attempt("timed out"), charged: true })
        .await;
    settle(ids[2], SettleAction::Dead { attempt: attempt("no such customer"), why: DeadCause::Permanent }).await;
    settle(ids[3], SettleAction::Release).await;
    settle(ids[4], SettleAction::Defer { until: clock.now().saturating_add(Span::from_days(5)) }).await;
    settle(ids[5], SettleAction::RedeliverForHandOver { at: Time::MIN, attempt: attempt("no letter box") }).await;
    let extend = Extend {
        queue: name("orders"),
        partition: None,
        ids: ids[6..8].to_vec(),
        lease: Some(Span::from_days(30)),
        may_shorten: false,
    };
    store.extend(extend).await.unwrap();
}

async fn letters(store: &EmbeddedStore, clock: &ManualClock, day: u64) {
    let number = 1_000 + day * 100;
    let queue = || name("letters");
    let capture = async |letters: Vec<NewLetter>| store.capture(Capture::new(queue(), letters)).await;
    let new = |number: u64, policy| letter(number, Arc::new(Content::of_payload(payload(number, 120))), policy);
    let first: Vec<Captured> =
        capture((0..6).map(|more| new(number + more, RetryPolicy::Exponential)).collect()).await.unwrap();
    let id = |at: usize| first[at].letter;
    let mut waits = new(number + 6, RetryPolicy::Immediate);
    waits.context.depends_on = vec![id(0), id(1)];
    capture(vec![waits]).await.unwrap();
    capture(vec![new(number, RetryPolicy::Exponential)]).await.unwrap();
    if day == 1 {
        let too_many = (20..25).map(|more| new(number + more, RetryPolicy::Never)).collect();
        assert_eq!(capture(too_many).await, Err(StoreError::Rejected(Rejection::QueueFull { max_size: 15 })));
    }
    let content = Some(Arc::new(Content::of_payload("better")));
    let edit = Edit { queue: queue(), letter: id(2), content, policy: None, max_retries: Some(9), priority: None };
    store.edit(edit).await.unwrap();
    store.annotate(Annotate { queue: queue(), letter: id(2), note: "seen".into() }).await.unwrap();
    let claim = async |at: usize, trigger| {
        let letters = vec![LetterSelector { id: id(at), revision: None }];
        let claim = ClaimById { queue: queue(), letters, lease: Span::from_hours(1), trigger };
        store.claim_by_id(claim).await.unwrap().letters[0].info.id
    };
    let done = claim(0, Trigger::Manual).await;
    let complete = SettleAction::Complete { attempt: None };
    store.settle_all(queue(), None, vec![done], complete).await.unwrap();
    let failed = claim(3, Trigger::Automatic).await;
    let attempt = Some(Box::new(Attempt::new(Trigger::Automatic, Outcome::Failure)));
    let retry = SettleAction::Retry { at: RetryAt::Undecided(None), attempt, charged: true };
    store.settle_all(queue(), None, vec![failed], retry).await.unwrap();
    claim(4, Trigger::Manual).await;
    store.archive(Archive { queue: queue(), letters: vec![id(3), id(5)] }).await.unwrap();
    store.restore(Restore { queue: queue(), letters: vec![id(5)] }).await.unwrap();
    store.purge(Purge { queue: queue(), letters: vec![id(1)] }).await.unwrap();
    // The claim of the fifth expires: its outcome is unknown.
    clock.advance(Span::from_hours(2));
}
