//! The feed of changed letters.

use std::pin::pin;
use std::task::Poll;

use crate::{StoreError, conformance::fixture::StoreFixture};
use redrive_core::{LetterId, QueueName, Span, Status};
use redrive_model::{
    Annotate, Clear, Cursor, DeleteQueue, Edit, FeedChange, FeedPage, GetConservation, NewLetter, Purge, ReadChanges,
    Rejection,
};

use crate::conformance::samples::{
    HOUR, INSTANT, MINUTE, dead, failure, failure_due, failure_for_good, rejection, retry,
};

async fn register(fixture: &StoreFixture, cursor: &str) -> u64 {
    fixture.store().cursor(Cursor::Register { name: cursor.to_owned() }).await.unwrap()
}

/// Creates a queue `dead` whose changes this cursor reads.
async fn dead_queue_with_reader(fixture: &StoreFixture, cursor: &str) -> QueueName {
    let dead_queue = fixture.queue("dead").await;
    register(fixture, cursor).await;
    dead_queue
}

async fn advance(fixture: &StoreFixture, cursor: &str, position: u64) -> Result<u64, StoreError> {
    fixture.store().cursor(Cursor::Advance { name: cursor.to_owned(), position }).await
}

async fn changes(fixture: &StoreFixture, cursor: &str) -> FeedPage {
    changes_after(fixture, cursor, None, 100).await
}

async fn changes_after(fixture: &StoreFixture, cursor: &str, after: Option<u64>, limit: usize) -> FeedPage {
    fixture
        .store()
        .changes(ReadChanges { cursor: cursor.to_owned(), after, limit, wait: redrive_core::Span::ZERO })
        .await
        .unwrap()
}

/// The listed changes: each letter with its status, or `None` if it was removed.
fn listed(page: &FeedPage) -> Vec<(LetterId, Option<Status>)> {
    let listed = page.changes.iter().map(|change| match change {
        FeedChange::Now { letter, .. } => {
            let info = letter.info.letter.as_ref().expect("a letter");
            (info.id, Some(info.status))
        }
        FeedChange::Gone { letter, .. } => (*letter, None),
        FeedChange::QueueGone { queue } => panic!("{queue} was deleted"),
    });
    listed.collect()
}

async fn purge(fixture: &StoreFixture, queue: &QueueName, letter: LetterId) {
    fixture.store().purge(Purge { queue: queue.clone(), letters: vec![letter] }).await.unwrap();
}

pub(in crate::conformance) async fn without_a_reader_nothing_is_kept(fixture: &StoreFixture) {
    let (dead_queue, letter) = fixture.captured(failure("before")).await;
    purge(fixture, &dead_queue, letter).await;
    register(fixture, "search").await;
    let page = changes(fixture, "search").await;
    assert_eq!((page.changes.len(), page.depth), (0, 0), "earlier changes are not listed");
}

pub(in crate::conformance) async fn each_letter_is_listed_once_with_its_newest_state(fixture: &StoreFixture) {
    let dead_queue = dead_queue_with_reader(fixture, "search").await;
    let first = fixture.capture(&dead_queue, failure_due("first")).await.letter;
    let second = fixture.capture(&dead_queue, failure("second")).await.letter;
    let page = changes(fixture, "search").await;
    assert_eq!(listed(&page), [(first, Some(Status::Pending)), (second, Some(Status::Pending))]);
    fixture.complete_letter(&dead_queue).await;
    let page = changes(fixture, "search").await;
    let expected = [(second, Some(Status::Pending)), (first, Some(Status::Completed))];
    assert_eq!(listed(&page), expected, "in order of change");
    assert_eq!(page.depth, 2);
    let FeedChange::Now { queue, letter } = &page.changes[1] else { panic!("{page:?}") };
    assert_eq!(queue, &dead_queue);
    let record = fixture.record(&dead_queue, first).await;
    assert_eq!(**letter, record, "with all its documents");
}

pub(in crate::conformance) async fn every_change_of_a_letter_is_in_the_feed(fixture: &StoreFixture) {
    let dead_queue = fixture.queue_with("dead", |settings| settings.letters.letters_expire = Some(true)).await;
    let orders = fixture.queue_with("orders", |settings| settings.dead_queue = Some(dead_queue.clone())).await;
    register(fixture, "search").await;
    let next = async |what: &str| {
        let page = changes(fixture, "search").await;
        advance(fixture, "search", page.position).await.unwrap();
        assert_eq!(page.changes.len(), 1, "{what}: {:?}", listed(&page));
        listed(&page)[0]
    };
    let letter = fixture.capture(&dead_queue, failure_for_good("f-1")).await.letter;
    assert_eq!(next("captured").await, (letter, Some(Status::Pending)));
    fixture.capture(&dead_queue, failure_for_good("f-1")).await;
    assert_eq!(next("merged").await, (letter, Some(Status::Pending)));
    let held = fixture.lease_one(&dead_queue).await;
    assert_eq!(next("leased").await, (letter, Some(Status::Retrying)));
    fixture.settle(&dead_queue, held.info.id, retry()).await.unwrap();
    assert_eq!(next("retried").await, (letter, Some(Status::Pending)));
    fixture.claim_by_hand(&dead_queue, letter).await.unwrap();
    assert_eq!(next("claimed").await, (letter, Some(Status::Retrying)));
    fixture.advance(MINUTE.saturating_add(INSTANT));
    assert_eq!(next("lost").await, (letter, Some(Status::Pending)));
    let note = Annotate { queue: dead_queue.clone(), letter, note: "seen".into() };
    fixture.store().annotate(note).await.unwrap();
    assert_eq!(next("annotated").await, (letter, Some(Status::Pending)));
    let edit =
        Edit { queue: dead_queue.clone(), letter, content: None, policy: None, max_retries: Some(0), priority: None };
    fixture.store().edit(edit).await.unwrap();
    assert_eq!(next("edited").await, (letter, Some(Status::Exhausted)));
    fixture.archive(&dead_queue, letter).await;
    assert_eq!(next("archived").await, (letter, Some(Status::Archived)));
    let restore = redrive_model::Restore { queue: dead_queue.clone(), letters: vec![letter] };
    fixture.store().restore(restore).await.unwrap();
    assert_eq!(next("restored").await, (letter, Some(Status::Exhausted)));
    let clear = Clear { queue: dead_queue.clone(), ready: true, destructive: false, scheduled: false };
    fixture.store().clear(clear).await.unwrap();
    assert_eq!(next("cleared").await, (letter, None));
    fixture.produce(&orders, &["a"]).await;
    let held = fixture.lease_one(&orders).await;
    fixture.settle(&orders, held.info.id, dead()).await.unwrap();
    let moved = fixture.only_item(&dead_queue).await.letter.expect("a letter").id;
    assert_eq!(next("moved in").await, (moved, Some(Status::Pending)));
    fixture.advance(HOUR.saturating_mul(25));
    assert_eq!(next("expired").await, (moved, None));
}

pub(in crate::conformance) async fn plain_items_are_not_in_the_feed(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    register(fixture, "search").await;
    fixture.produce(&orders, &["a", "b"]).await;
    let held = fixture.lease_one(&orders).await;
    fixture.complete(&orders, held.info.id).await.unwrap();
    assert_eq!(changes(fixture, "search").await.depth, 0);
}

pub(in crate::conformance) async fn a_removed_letter_leaves_a_tombstone(fixture: &StoreFixture) {
    let dead_queue = dead_queue_with_reader(fixture, "search").await;
    let letter = fixture.capture(&dead_queue, failure("f-1")).await.letter;
    purge(fixture, &dead_queue, letter).await;
    let page = changes(fixture, "search").await;
    assert_eq!(page.changes, [FeedChange::Gone { queue: dead_queue, letter }]);
    assert_eq!(page.depth, 1, "the tombstone replaced the letter");
}

pub(in crate::conformance) async fn a_deleted_queue_is_listed_once(fixture: &StoreFixture) {
    let dead_queue = dead_queue_with_reader(fixture, "search").await;
    fixture.capture(&dead_queue, failure("f-1")).await;
    fixture.capture(&dead_queue, failure("f-2")).await;
    fixture.store().delete_queue(DeleteQueue { name: dead_queue.clone(), force: false }).await.unwrap();
    let page = changes(fixture, "search").await;
    assert_eq!(page.changes, [FeedChange::QueueGone { queue: dead_queue }]);
    let (_, letter) = fixture.captured(failure("f-1")).await;
    let page = changes_after(fixture, "search", Some(page.position), 9).await;
    assert_eq!(listed(&page), [(letter, Some(Status::Pending))], "the letters of the new queue come after it");
}

pub(in crate::conformance) async fn changes_come_in_pages(fixture: &StoreFixture) {
    let dead_queue = dead_queue_with_reader(fixture, "search").await;
    let mut letters = Vec::new();
    for number in 0..5 {
        letters.push(fixture.capture(&dead_queue, failure(&format!("f-{number}"))).await.letter);
    }
    let mut seen = Vec::new();
    let mut position = None;
    loop {
        let page = changes_after(fixture, "search", position, 2).await;
        if page.changes.is_empty() {
            break;
        }
        assert!(page.changes.len() <= 2);
        seen.extend(listed(&page).into_iter().map(|(letter, _)| letter));
        position = Some(page.position);
    }
    assert_eq!(seen, letters);
}

pub(in crate::conformance) async fn changes_read_by_all_readers_are_forgotten(fixture: &StoreFixture) {
    let dead_queue = dead_queue_with_reader(fixture, "fast").await;
    register(fixture, "slow").await;
    fixture.capture(&dead_queue, failure("f-1")).await;
    let first = changes(fixture, "fast").await.position;
    let second = fixture.capture(&dead_queue, failure("f-2")).await.letter;
    assert_eq!(advance(fixture, "fast", first).await, Ok(first));
    assert_eq!(listed(&changes(fixture, "fast").await), [(second, Some(Status::Pending))]);
    assert_eq!(changes(fixture, "slow").await.changes.len(), 2);
    assert_eq!(changes(fixture, "slow").await.depth, 2, "one reader has not read it");
    advance(fixture, "slow", first).await.unwrap();
    assert_eq!(changes(fixture, "slow").await.depth, 1);
    fixture.store().cursor(Cursor::Remove { name: "slow".to_owned() }).await.unwrap();
    let end = changes(fixture, "fast").await.position;
    advance(fixture, "fast", end).await.unwrap();
    assert_eq!(changes(fixture, "fast").await.depth, 0);
}

pub(in crate::conformance) async fn the_feed_ends_with_its_last_reader(fixture: &StoreFixture) {
    let dead_queue = dead_queue_with_reader(fixture, "search").await;
    fixture.capture(&dead_queue, failure("f-1")).await;
    fixture.store().cursor(Cursor::Remove { name: "search".to_owned() }).await.unwrap();
    register(fixture, "search").await;
    assert_eq!(changes(fixture, "search").await.depth, 0);
}

pub(in crate::conformance) async fn a_reader_never_goes_back(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let start = register(fixture, "search").await;
    fixture.capture(&dead_queue, failure("f-1")).await;
    let position = changes(fixture, "search").await.position;
    assert!(position > start);
    advance(fixture, "search", position).await.unwrap();
    assert_eq!(advance(fixture, "search", start).await, Ok(position), "an old advance changes nothing");
    assert_eq!(register(fixture, "search").await, position, "nor does registering again");
    assert_eq!(changes_after(fixture, "search", Some(start), 9).await.changes.len(), 0);
    assert_eq!(rejection(advance(fixture, "search", position + 1).await), Rejection::BadPosition);
}

pub(in crate::conformance) async fn a_change_after_a_read_is_listed_again(fixture: &StoreFixture) {
    let dead_queue = dead_queue_with_reader(fixture, "search").await;
    let letter = fixture.capture(&dead_queue, failure_due("f-1")).await.letter;
    let page = changes(fixture, "search").await;
    fixture.claim_one(&dead_queue).await;
    // The reader advances past what it has read, which is older than the current state.
    advance(fixture, "search", page.position).await.unwrap();
    assert_eq!(listed(&changes(fixture, "search").await), [(letter, Some(Status::Retrying))]);
}

pub(in crate::conformance) async fn only_registered_readers_read(fixture: &StoreFixture) {
    let unknown = || Rejection::NoSuchCursor("unknown".to_owned());
    let read = fixture
        .store()
        .changes(ReadChanges { cursor: "unknown".to_owned(), after: None, limit: 9, wait: redrive_core::Span::ZERO })
        .await;
    assert_eq!(rejection(read), unknown());
    assert_eq!(rejection(advance(fixture, "unknown", 0).await), unknown());
    let removed = fixture.store().cursor(Cursor::Remove { name: "unknown".to_owned() }).await;
    assert_eq!(rejection(removed), unknown());
}

pub(in crate::conformance) async fn readers_have_limits(fixture: &StoreFixture) {
    for bad in [String::new(), "c".repeat(257)] {
        let rejected = fixture.store().cursor(Cursor::Register { name: bad }).await;
        assert_eq!(rejection(rejected), Rejection::BadCursor { most: 256 });
    }
    for number in 0..64 {
        register(fixture, &number.to_string()).await;
    }
    let rejected = fixture.store().cursor(Cursor::Register { name: "one more".to_owned() }).await;
    assert_eq!(rejection(rejected), Rejection::TooManyCursors { most: 64 });
    register(fixture, "63").await;
    let dead_queue = fixture.queue("dead").await;
    fixture.capture(&dead_queue, NewLetter { max_retries: 0, ..failure("f-1") }).await;
    assert_eq!(changes(fixture, "17").await.depth, 1);
}

/// Reads the feed, waiting up to a minute.
async fn wait_for_changes(fixture: &StoreFixture, cursor: &str) -> Result<FeedPage, StoreError> {
    let changes = ReadChanges { cursor: cursor.to_owned(), after: None, limit: 100, wait: redrive_core::Span::ZERO };
    fixture.store().changes(ReadChanges { wait: MINUTE, ..changes }).await
}

/// Checks that the read still waits after the store has processed all earlier requests.
async fn assert_waits<F: Future<Output = Result<FeedPage, StoreError>>>(
    fixture: &StoreFixture,
    mut read: std::pin::Pin<&mut F>,
) {
    for _ in 0..2 {
        let polled = std::future::poll_fn(|context| Poll::Ready(read.as_mut().poll(context))).await;
        assert!(polled.is_pending(), "answered too early: {polled:?}");
        fixture.store().conservation(GetConservation).await.unwrap();
    }
}

pub(in crate::conformance) async fn a_change_wakes_a_reader(fixture: &StoreFixture) {
    let dead_queue = dead_queue_with_reader(fixture, "search").await;
    let mut read = pin!(wait_for_changes(fixture, "search"));
    assert_waits(fixture, read.as_mut()).await;
    fixture.produce(&dead_queue, &["a plain item"]).await;
    assert_waits(fixture, read.as_mut()).await;
    let letter = fixture.capture(&dead_queue, failure("f-1")).await.letter;
    let page = read.await.unwrap();
    assert_eq!(listed(&page), [(letter, Some(Status::Pending))]);
    let FeedChange::Now { letter: record, .. } = &page.changes[0] else { panic!("{page:?}") };
    let kept = fixture.record(&dead_queue, letter).await;
    assert_eq!((&record.content, &record.info.letter), (&kept.content, &kept.info.letter));
    assert_eq!((&record.context, &record.attempts), (&kept.context, &kept.attempts), "with all its documents");
}

pub(in crate::conformance) async fn time_wakes_a_reader(fixture: &StoreFixture) {
    let (dead_queue, letter) = fixture.captured(failure("f-1")).await;
    fixture.claim_by_hand(&dead_queue, letter).await.unwrap();
    register(fixture, "search").await;
    let mut read = pin!(wait_for_changes(fixture, "search"));
    fixture.advance(MINUTE.saturating_sub(INSTANT));
    assert_waits(fixture, read.as_mut()).await;
    fixture.advance(INSTANT.saturating_mul(2));
    assert_eq!(listed(&read.await.unwrap()), [(letter, Some(Status::Pending))], "its claim expired");
}

pub(in crate::conformance) async fn a_reader_gets_existing_changes_at_once(fixture: &StoreFixture) {
    let dead_queue = dead_queue_with_reader(fixture, "search").await;
    let letter = fixture.capture(&dead_queue, failure("f-1")).await.letter;
    assert_eq!(listed(&wait_for_changes(fixture, "search").await.unwrap()), [(letter, Some(Status::Pending))]);
    let unknown = wait_for_changes(fixture, "unknown").await;
    assert_eq!(rejection(unknown), Rejection::NoSuchCursor("unknown".to_owned()));
}

pub(in crate::conformance) async fn a_reader_does_not_wait_forever(fixture: &StoreFixture) {
    let position = register(fixture, "search").await;
    let mut read = pin!(wait_for_changes(fixture, "search"));
    assert_waits(fixture, read.as_mut()).await;
    fixture.advance(MINUTE.saturating_sub(INSTANT));
    assert_waits(fixture, read.as_mut()).await;
    fixture.advance(INSTANT);
    assert_eq!(read.await, Ok(FeedPage { changes: Vec::new(), position, depth: 0 }));
}

pub(in crate::conformance) async fn a_step_of_the_clock_does_not_change_a_readers_timeout(fixture: &StoreFixture) {
    let position = register(fixture, "search").await;
    let mut read = pin!(wait_for_changes(fixture, "search"));
    assert_waits(fixture, read.as_mut()).await;
    fixture.clock.step(fixture.after(HOUR));
    assert_waits(fixture, read.as_mut()).await;
    fixture.clock.step(fixture.now().saturating_sub(HOUR.saturating_mul(2)));
    fixture.advance(MINUTE.saturating_sub(INSTANT));
    assert_waits(fixture, read.as_mut()).await;
    fixture.advance(INSTANT);
    assert_eq!(read.await, Ok(FeedPage { changes: Vec::new(), position, depth: 0 }));
}

pub(in crate::conformance) async fn a_waiting_reader_fails_when_its_cursor_is_removed(fixture: &StoreFixture) {
    register(fixture, "search").await;
    let mut read = pin!(wait_for_changes(fixture, "search"));
    assert_waits(fixture, read.as_mut()).await;
    fixture.store().cursor(Cursor::Remove { name: "search".to_owned() }).await.unwrap();
    assert_eq!(rejection(read.await), Rejection::NoSuchCursor("search".to_owned()));
}

pub(in crate::conformance) async fn a_waiting_reader_fails_when_the_store_closes(fixture: &StoreFixture) {
    register(fixture, "search").await;
    let mut read = pin!(wait_for_changes(fixture, "search"));
    assert_waits(fixture, read.as_mut()).await;
    fixture.close().await;
    assert_eq!(read.await, Err(StoreError::Closed));
}

pub(in crate::conformance) async fn waiting_readers_are_limited_and_disconnected_ones_do_not_count(
    fixture: &StoreFixture,
) {
    register(fixture, "search").await;
    for _ in 0..300 {
        let mut read = Box::pin(wait_for_changes(fixture, "search"));
        assert_waits(fixture, read.as_mut()).await;
    }
    let wait = Span::ZERO;
    let changes = ReadChanges { cursor: "search".to_owned(), after: None, limit: 1, wait: redrive_core::Span::ZERO };
    assert!(fixture.store().changes(ReadChanges { wait, ..changes }).await.is_ok());
}
