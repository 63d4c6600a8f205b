//! The feed of changed letters.

use std::pin::pin;
use std::task::Poll;

use crate::{StoreError, conformance::bed::Bed};
use redrive_core::{LetterId, QueueName, Span, Status};
use redrive_model::{
    Annotate, Clear, Cursor, DeleteQueue, Edit, FeedChange, FeedPage, GetConservation, NewLetter, Purge, ReadChanges,
    Rejection,
};

use crate::conformance::words::{HOUR, INSTANT, MINUTE, dead, failure, failure_due, failure_for_good, refusal, retry};

async fn register(bed: &Bed, cursor: &str) -> u64 {
    bed.store().cursor(Cursor::Register { name: cursor.to_owned() }).await.unwrap()
}

async fn advance(bed: &Bed, cursor: &str, position: u64) -> Result<u64, StoreError> {
    bed.store().cursor(Cursor::Advance { name: cursor.to_owned(), position }).await
}

async fn changes(bed: &Bed, cursor: &str) -> FeedPage {
    changes_after(bed, cursor, None, 100).await
}

async fn changes_after(bed: &Bed, cursor: &str, after: Option<u64>, limit: usize) -> FeedPage {
    bed.store()
        .changes(ReadChanges { cursor: cursor.to_owned(), after, limit, wait: redrive_core::Span::ZERO })
        .await
        .unwrap()
}

/// What changed, in short: the letter and its status, or its end.
fn told(page: &FeedPage) -> Vec<(LetterId, Option<Status>)> {
    let told = page.changes.iter().map(|change| match change {
        FeedChange::Now { letter, .. } => {
            let info = letter.info.letter.as_ref().expect("a letter");
            (info.id, Some(info.status))
        }
        FeedChange::Gone { letter, .. } => (*letter, None),
        FeedChange::QueueGone { queue } => panic!("{queue} is gone"),
    });
    told.collect()
}

async fn purge(bed: &Bed, queue: &QueueName, letter: LetterId) {
    bed.store().purge(Purge { queue: queue.clone(), letters: vec![letter] }).await.unwrap();
}

pub(in crate::conformance) async fn without_a_reader_nothing_is_kept(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let letter = bed.capture(&dead_queue, failure("before")).await.letter;
    purge(bed, &dead_queue, letter).await;
    register(bed, "search").await;
    let page = changes(bed, "search").await;
    assert_eq!((page.changes.len(), page.depth), (0, 0), "what was before is not told");
}

pub(in crate::conformance) async fn each_letter_is_told_once_with_its_newest_state(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    register(bed, "search").await;
    let first = bed.capture(&dead_queue, failure_due("first")).await.letter;
    let second = bed.capture(&dead_queue, failure("second")).await.letter;
    assert_eq!(told(&changes(bed, "search").await), [(first, Some(Status::Pending)), (second, Some(Status::Pending))]);
    let held = bed.claim_one(&dead_queue).await;
    bed.complete(&dead_queue, held.info.id).await.unwrap();
    let page = changes(bed, "search").await;
    assert_eq!(told(&page), [(second, Some(Status::Pending)), (first, Some(Status::Completed))], "in order of change");
    assert_eq!(page.depth, 2);
    let FeedChange::Now { queue, letter } = &page.changes[1] else { panic!("{page:?}") };
    assert_eq!(queue, &dead_queue);
    let record = bed.record(&dead_queue, first).await;
    assert_eq!(**letter, record, "with everything that is kept about it");
}

pub(in crate::conformance) async fn everything_that_changes_a_letter_is_told(bed: &Bed) {
    let dead_queue = bed.queue_with("dead", |settings| settings.letters.letters_expire = Some(true)).await;
    let orders = bed.queue_with("orders", |settings| settings.dead_queue = Some(dead_queue.clone())).await;
    register(bed, "search").await;
    let next = async |what: &str| {
        let page = changes(bed, "search").await;
        advance(bed, "search", page.position).await.unwrap();
        assert_eq!(page.changes.len(), 1, "{what}: {:?}", told(&page));
        told(&page)[0]
    };
    let letter = bed.capture(&dead_queue, failure_for_good("f-1")).await.letter;
    assert_eq!(next("captured").await, (letter, Some(Status::Pending)));
    bed.capture(&dead_queue, failure_for_good("f-1")).await;
    assert_eq!(next("merged").await, (letter, Some(Status::Pending)));
    let held = bed.lease_one(&dead_queue).await;
    assert_eq!(next("leased").await, (letter, Some(Status::Retrying)));
    bed.settle(&dead_queue, held.info.id, retry()).await.unwrap();
    assert_eq!(next("retried").await, (letter, Some(Status::Pending)));
    bed.claim_by_hand(&dead_queue, letter).await.unwrap();
    assert_eq!(next("claimed").await, (letter, Some(Status::Retrying)));
    bed.advance(MINUTE.saturating_add(INSTANT));
    assert_eq!(next("lost").await, (letter, Some(Status::Pending)));
    let note = Annotate { queue: dead_queue.clone(), letter, note: "seen".into() };
    bed.store().annotate(note).await.unwrap();
    assert_eq!(next("annotated").await, (letter, Some(Status::Pending)));
    let edit =
        Edit { queue: dead_queue.clone(), letter, content: None, policy: None, max_retries: Some(0), priority: None };
    bed.store().edit(edit).await.unwrap();
    assert_eq!(next("edited").await, (letter, Some(Status::Exhausted)));
    bed.archive(&dead_queue, letter).await;
    assert_eq!(next("archived").await, (letter, Some(Status::Archived)));
    let restore = redrive_model::Restore { queue: dead_queue.clone(), letters: vec![letter] };
    bed.store().restore(restore).await.unwrap();
    assert_eq!(next("restored").await, (letter, Some(Status::Exhausted)));
    let clear = Clear { queue: dead_queue.clone(), ready: true, destructive: false, scheduled: false };
    bed.store().clear(clear).await.unwrap();
    assert_eq!(next("cleared").await, (letter, None));
    bed.produce(&orders, &["a"]).await;
    let held = bed.lease_one(&orders).await;
    bed.settle(&orders, held.info.id, dead()).await.unwrap();
    let moved = bed.only_item(&dead_queue).await.letter.expect("a letter").id;
    assert_eq!(next("moved in").await, (moved, Some(Status::Pending)));
    bed.advance(HOUR.saturating_mul(25));
    assert_eq!(next("expired").await, (moved, None));
}

pub(in crate::conformance) async fn plain_items_are_not_told(bed: &Bed) {
    let orders = bed.queue("orders").await;
    register(bed, "search").await;
    bed.produce(&orders, &["a", "b"]).await;
    let held = bed.lease_one(&orders).await;
    bed.complete(&orders, held.info.id).await.unwrap();
    assert_eq!(changes(bed, "search").await.depth, 0);
}

pub(in crate::conformance) async fn a_letter_that_is_gone_leaves_a_tombstone(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    register(bed, "search").await;
    let letter = bed.capture(&dead_queue, failure("f-1")).await.letter;
    purge(bed, &dead_queue, letter).await;
    let page = changes(bed, "search").await;
    assert_eq!(page.changes, [FeedChange::Gone { queue: dead_queue, letter }]);
    assert_eq!(page.depth, 1, "the tombstone took the letter's place");
}

pub(in crate::conformance) async fn a_queue_that_is_gone_is_told_once(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    register(bed, "search").await;
    bed.capture(&dead_queue, failure("f-1")).await;
    bed.capture(&dead_queue, failure("f-2")).await;
    bed.store().delete_queue(DeleteQueue { name: dead_queue.clone(), force: false }).await.unwrap();
    let page = changes(bed, "search").await;
    assert_eq!(page.changes, [FeedChange::QueueGone { queue: dead_queue.clone() }]);
    let dead_queue = bed.queue("dead").await;
    let letter = bed.capture(&dead_queue, failure("f-1")).await.letter;
    let page = changes_after(bed, "search", Some(page.position), 9).await;
    assert_eq!(told(&page), [(letter, Some(Status::Pending))], "the new queue's letters come behind");
}

pub(in crate::conformance) async fn changes_come_in_pages(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    register(bed, "search").await;
    let mut letters = Vec::new();
    for number in 0..5 {
        letters.push(bed.capture(&dead_queue, failure(&format!("f-{number}"))).await.letter);
    }
    let mut seen = Vec::new();
    let mut position = None;
    loop {
        let page = changes_after(bed, "search", position, 2).await;
        if page.changes.is_empty() {
            break;
        }
        assert!(page.changes.len() <= 2);
        seen.extend(told(&page).into_iter().map(|(letter, _)| letter));
        position = Some(page.position);
    }
    assert_eq!(seen, letters);
}

pub(in crate::conformance) async fn what_everybody_has_seen_is_forgotten(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    register(bed, "fast").await;
    register(bed, "slow").await;
    bed.capture(&dead_queue, failure("f-1")).await;
    let first = changes(bed, "fast").await.position;
    let second = bed.capture(&dead_queue, failure("f-2")).await.letter;
    assert_eq!(advance(bed, "fast", first).await, Ok(first));
    assert_eq!(told(&changes(bed, "fast").await), [(second, Some(Status::Pending))]);
    assert_eq!(changes(bed, "slow").await.changes.len(), 2);
    assert_eq!(changes(bed, "slow").await.depth, 2, "somebody has not seen it");
    advance(bed, "slow", first).await.unwrap();
    assert_eq!(changes(bed, "slow").await.depth, 1);
    bed.store().cursor(Cursor::Remove { name: "slow".to_owned() }).await.unwrap();
    let end = changes(bed, "fast").await.position;
    advance(bed, "fast", end).await.unwrap();
    assert_eq!(changes(bed, "fast").await.depth, 0);
}

pub(in crate::conformance) async fn the_last_reader_takes_the_feed_along(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    register(bed, "search").await;
    bed.capture(&dead_queue, failure("f-1")).await;
    bed.store().cursor(Cursor::Remove { name: "search".to_owned() }).await.unwrap();
    register(bed, "search").await;
    assert_eq!(changes(bed, "search").await.depth, 0);
}

pub(in crate::conformance) async fn a_reader_never_goes_back(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let start = register(bed, "search").await;
    bed.capture(&dead_queue, failure("f-1")).await;
    let position = changes(bed, "search").await.position;
    assert!(position > start);
    advance(bed, "search", position).await.unwrap();
    assert_eq!(advance(bed, "search", start).await, Ok(position), "an old advance changes nothing");
    assert_eq!(register(bed, "search").await, position, "nor does registering again");
    assert_eq!(changes_after(bed, "search", Some(start), 9).await.changes.len(), 0);
    assert_eq!(refusal(advance(bed, "search", position + 1).await), Rejection::BadPosition);
}

pub(in crate::conformance) async fn a_change_behind_a_read_is_told_again(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    register(bed, "search").await;
    let letter = bed.capture(&dead_queue, failure_due("f-1")).await.letter;
    let page = changes(bed, "search").await;
    bed.claim_one(&dead_queue).await;
    // The reader deals with what it read, which is older than what is there now.
    advance(bed, "search", page.position).await.unwrap();
    assert_eq!(told(&changes(bed, "search").await), [(letter, Some(Status::Retrying))]);
}

pub(in crate::conformance) async fn only_registered_readers_read(bed: &Bed) {
    let unknown = || Rejection::NoSuchCursor("nobody".to_owned());
    let read = bed
        .store()
        .changes(ReadChanges { cursor: "nobody".to_owned(), after: None, limit: 9, wait: redrive_core::Span::ZERO })
        .await;
    assert_eq!(refusal(read), unknown());
    assert_eq!(refusal(advance(bed, "nobody", 0).await), unknown());
    let removed = bed.store().cursor(Cursor::Remove { name: "nobody".to_owned() }).await;
    assert_eq!(refusal(removed), unknown());
}

pub(in crate::conformance) async fn readers_have_limits(bed: &Bed) {
    for bad in [String::new(), "c".repeat(257)] {
        let refused = bed.store().cursor(Cursor::Register { name: bad }).await;
        assert_eq!(refusal(refused), Rejection::BadCursor { most: 256 });
    }
    for number in 0..64 {
        register(bed, &number.to_string()).await;
    }
    let refused = bed.store().cursor(Cursor::Register { name: "one more".to_owned() }).await;
    assert_eq!(refusal(refused), Rejection::TooManyCursors { most: 64 });
    register(bed, "63").await;
    let dead_queue = bed.queue("dead").await;
    bed.capture(&dead_queue, NewLetter { max_retries: 0, ..failure("f-1") }).await;
    assert_eq!(changes(bed, "17").await.depth, 1);
}

/// A reader who waits for a minute.
async fn listen(bed: &Bed, cursor: &str) -> Result<FeedPage, StoreError> {
    let changes = ReadChanges { cursor: cursor.to_owned(), after: None, limit: 100, wait: redrive_core::Span::ZERO };
    bed.store().changes(ReadChanges { wait: MINUTE, ..changes }).await
}

/// Nothing was told so far, though the store has done everything that it was asked before.
async fn assert_silent<F: Future<Output = Result<FeedPage, StoreError>>>(
    bed: &Bed,
    mut listens: std::pin::Pin<&mut F>,
) {
    for _ in 0..2 {
        let told = std::future::poll_fn(|context| Poll::Ready(listens.as_mut().poll(context))).await;
        assert!(told.is_pending(), "told too early: {told:?}");
        bed.store().conservation(GetConservation).await.unwrap();
    }
}

pub(in crate::conformance) async fn a_change_wakes_a_reader(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    register(bed, "search").await;
    let mut listens = pin!(listen(bed, "search"));
    assert_silent(bed, listens.as_mut()).await;
    bed.produce(&dead_queue, &["a plain item"]).await;
    assert_silent(bed, listens.as_mut()).await;
    let letter = bed.capture(&dead_queue, failure("f-1")).await.letter;
    let page = listens.await.unwrap();
    assert_eq!(told(&page), [(letter, Some(Status::Pending))]);
    let FeedChange::Now { letter: record, .. } = &page.changes[0] else { panic!("{page:?}") };
    let kept = bed.record(&dead_queue, letter).await;
    assert_eq!((&record.content, &record.info.letter), (&kept.content, &kept.info.letter));
    assert_eq!((&record.context, &record.attempts), (&kept.context, &kept.attempts), "with everything that is kept");
}

pub(in crate::conformance) async fn time_wakes_a_reader(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let letter = bed.capture(&dead_queue, failure("f-1")).await.letter;
    bed.claim_by_hand(&dead_queue, letter).await.unwrap();
    register(bed, "search").await;
    let mut listens = pin!(listen(bed, "search"));
    bed.advance(MINUTE.saturating_sub(INSTANT));
    assert_silent(bed, listens.as_mut()).await;
    bed.advance(INSTANT.saturating_mul(2));
    assert_eq!(told(&listens.await.unwrap()), [(letter, Some(Status::Pending))], "its claim ran out");
}

pub(in crate::conformance) async fn a_reader_hears_at_once_what_is_there(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    register(bed, "search").await;
    let letter = bed.capture(&dead_queue, failure("f-1")).await.letter;
    assert_eq!(told(&listen(bed, "search").await.unwrap()), [(letter, Some(Status::Pending))]);
    let unknown = listen(bed, "nobody").await;
    assert_eq!(refusal(unknown), Rejection::NoSuchCursor("nobody".to_owned()));
}

pub(in crate::conformance) async fn a_reader_does_not_wait_for_ever(bed: &Bed) {
    let position = register(bed, "search").await;
    let mut listens = pin!(listen(bed, "search"));
    assert_silent(bed, listens.as_mut()).await;
    bed.advance(MINUTE.saturating_sub(INSTANT));
    assert_silent(bed, listens.as_mut()).await;
    bed.advance(INSTANT);
    assert_eq!(listens.await, Ok(FeedPage { changes: Vec::new(), position, depth: 0 }));
}

pub(in crate::conformance) async fn a_reader_waits_as_long_where_the_clock_is_stepped(bed: &Bed) {
    let position = register(bed, "search").await;
    let mut listens = pin!(listen(bed, "search"));
    assert_silent(bed, listens.as_mut()).await;
    bed.clock.step(bed.after(HOUR));
    assert_silent(bed, listens.as_mut()).await;
    bed.clock.step(bed.now().saturating_sub(HOUR.saturating_mul(2)));
    bed.advance(MINUTE.saturating_sub(INSTANT));
    assert_silent(bed, listens.as_mut()).await;
    bed.advance(INSTANT);
    assert_eq!(listens.await, Ok(FeedPage { changes: Vec::new(), position, depth: 0 }));
}

pub(in crate::conformance) async fn a_reader_who_waits_hears_of_the_cursors_end(bed: &Bed) {
    register(bed, "search").await;
    let mut listens = pin!(listen(bed, "search"));
    assert_silent(bed, listens.as_mut()).await;
    bed.store().cursor(Cursor::Remove { name: "search".to_owned() }).await.unwrap();
    assert_eq!(refusal(listens.await), Rejection::NoSuchCursor("search".to_owned()));
}

pub(in crate::conformance) async fn a_reader_who_waits_hears_of_the_stores_end(bed: &Bed) {
    register(bed, "search").await;
    let mut listens = pin!(listen(bed, "search"));
    assert_silent(bed, listens.as_mut()).await;
    bed.close().await;
    assert_eq!(listens.await, Err(StoreError::Closed));
}

pub(in crate::conformance) async fn so_many_readers_wait_and_those_who_went_do_not(bed: &Bed) {
    register(bed, "search").await;
    for _ in 0..300 {
        let mut listens = Box::pin(listen(bed, "search"));
        assert_silent(bed, listens.as_mut()).await;
    }
    let wait = Span::ZERO;
    let changes = ReadChanges { cursor: "search".to_owned(), after: None, limit: 1, wait: redrive_core::Span::ZERO };
    assert!(bed.store().changes(ReadChanges { wait, ..changes }).await.is_ok());
}
