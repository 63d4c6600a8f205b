//! Letters go back to the queue in which they died.

use std::sync::Arc;

use redrive_core::{Category, LetterId, Outcome, QueueName, Span, Status, Trigger};
use redrive_model::{
    Content, EndReason, Event, HandBackLetter, HandBackLetters, HandBackResult, Header, ItemInfo, LetterRevision,
    NewItem, Purge, UpdateQueue,
};

use crate::conformance::fixture::StoreFixture;
use crate::conformance::samples::{HOUR, INSTANT, MINUTE, dead, failed, failure, item_named, name, payload};

/// Produces an item and lets it die. Returns its letter.
async fn letter_of(fixture: &StoreFixture, (orders, dead_queue): (&QueueName, &QueueName), item: NewItem) -> LetterId {
    fixture.produce_one(orders, item).await;
    let held = fixture.lease_one(orders).await;
    fixture.settle(orders, held.info.id, dead()).await.unwrap();
    letter_in(&fixture.only_item(dead_queue).await)
}

fn letter_in(info: &ItemInfo) -> LetterId {
    info.letter.as_ref().expect("a dead item is a letter").id
}

/// Hands a letter back as it is now.
async fn hand_back(
    fixture: &StoreFixture,
    (to, dead_queue): (&QueueName, &QueueName),
    letter: LetterId,
    message_id: Option<&str>,
) -> HandBackResult {
    let record = fixture.record(dead_queue, letter).await;
    let seen = LetterRevision { id: letter, revision: record.info.letter.unwrap().revision };
    let item = NewItem {
        content: record.content,
        priority: record.info.priority,
        message_id: message_id.map(Into::into),
        ..NewItem::default()
    };
    let letters = vec![HandBackLetter { letter: seen, to: to.clone(), item }];
    let request = HandBackLetters { queue: dead_queue.clone(), letters, actor: Some(Arc::from("ops")) };
    fixture.store().hand_back(request).await.unwrap()[0]
}

pub(in crate::conformance) async fn a_letter_goes_back_to_its_queue_in_one_step(fixture: &StoreFixture) {
    let (orders, dead_queue) = fixture.queue_and_dead(|_| {}).await;
    let content = Content {
        kind: "order".into(),
        reference: "7".into(),
        key: Some("k".into()),
        headers: vec![Header { name: "h".into(), value: "v".into() }],
        ..Content::of_payload("a")
    };
    let new = NewItem { content: Arc::new(content.clone()), message_id: Some("m-1".into()), ..NewItem::default() };
    let letter = letter_of(fixture, (&orders, &dead_queue), new).await;
    assert!(fixture.info(&dead_queue, letter).await.has_own_origin);
    let HandBackResult::Done(id) = hand_back(fixture, (&orders, &dead_queue), letter, Some("m-1")).await else {
        panic!("not handed back");
    };

    let record = fixture.record(&dead_queue, letter).await;
    let info = *record.info.letter.clone().unwrap();
    assert_eq!((info.status, info.trigger, info.ended_at), (Status::Completed, Trigger::Manual, Some(fixture.now())));
    let last = record.attempts.last().unwrap();
    assert_eq!((last.outcome, last.actor.as_deref()), (Outcome::Success, Some("ops")));
    assert_eq!(last.handed_back_to.as_deref(), Some(orders.as_str()));
    let counts = fixture.stats(&dead_queue).await.counts;
    let by_hand = [Event::RetriedByHand, Event::SucceededByHand, Event::LetterCompleted].map(|event| counts.of(event));
    assert_eq!(by_hand, [1, 1, 1]);

    let held = fixture.lease_one(&orders).await;
    assert_eq!((held.info.id, held.info.source_id.as_deref(), held.info.attempts), (id, Some("m-1"), 1));
    assert_eq!(*held.content, content);
    fixture.complete(&orders, id).await.unwrap();
    assert_eq!(fixture.info(&dead_queue, letter).await, info, "the success of the work does not change the letter");
    fixture.assert_nothing_to_lease(&dead_queue).await;
}

pub(in crate::conformance) async fn work_that_dies_again_is_the_same_letter(fixture: &StoreFixture) {
    let (orders, dead_queue) = fixture.queue_and_dead(|settings| settings.max_attempts = 2).await;
    fixture.produce(&orders, &["a"]).await;
    let die = async |text: &str| {
        for _ in 0..2 {
            let held = fixture.lease_one(&orders).await;
            fixture.settle(&orders, held.info.id, failed(text, Category::Transient)).await.unwrap();
        }
    };
    die("first").await;
    let letter = letter_in(&fixture.only_item(&dead_queue).await);
    for (round, text) in [(1, "second"), (2, "third"), (3, "fourth")] {
        assert!(matches!(hand_back(fixture, (&orders, &dead_queue), letter, None).await, HandBackResult::Done(_)));
        assert_eq!(fixture.status(&dead_queue, letter).await, Status::Completed);
        die(text).await;
        let only = fixture.only_item(&dead_queue).await;
        assert_eq!(letter_in(&only), letter, "one letter");
        let info = only.letter.unwrap();
        assert_eq!((info.replays, info.retries, info.total_attempts), (round, round, 2 + 2 * round));
        assert!(matches!(info.status, Status::Pending | Status::Exhausted), "open again");
        assert_eq!(info.ended_at.is_some(), info.status == Status::Exhausted);
        assert_eq!(fixture.record(&dead_queue, letter).await.last_error(), text);
    }
    let counts = fixture.stats(&orders).await.counts;
    assert_eq!((counts.of(Event::DeadLettered), counts.ended(EndReason::Duplicate)), (1, 3));
    assert_eq!(fixture.numbers(&orders).await, (0, 0, 0));
}

pub(in crate::conformance) async fn a_letter_that_cannot_go_back_stays(fixture: &StoreFixture) {
    let (orders, dead_queue) = fixture.queue_and_dead(|settings| settings.max_items = 1).await;
    let ways = (&orders, &dead_queue);
    let letter = letter_of(fixture, ways, item_named("a", "m-1")).await;
    let before = fixture.record(&dead_queue, letter).await;

    assert_eq!(hand_back(fixture, (&name("nowhere"), &dead_queue), letter, None).await, HandBackResult::NoQueue);
    let twin = fixture.produce_one(&orders, item_named("b", "m-1")).await;
    assert_eq!(hand_back(fixture, ways, letter, Some("m-1")).await, HandBackResult::Duplicate(twin));
    assert_eq!(hand_back(fixture, ways, letter, None).await, HandBackResult::QueueFull);
    let pause = |is_paused| UpdateQueue { is_paused: Some(is_paused), ..UpdateQueue::of(orders.clone()) };
    fixture.store().update_queue(pause(true)).await.unwrap();
    assert_eq!(hand_back(fixture, ways, letter, None).await, HandBackResult::QueuePaused);
    fixture.store().update_queue(pause(false)).await.unwrap();
    assert_eq!(fixture.record(&dead_queue, letter).await, before);

    let revision = before.info.letter.as_ref().unwrap().revision;
    let one = |id, revision| HandBackLetter {
        letter: LetterRevision { id, revision },
        to: dead_queue.clone(),
        item: NewItem::of_payload("a"),
    };
    let claimed = fixture.capture(&dead_queue, failure("claimed")).await.letter;
    fixture.claim_by_hand(&dead_queue, claimed).await.unwrap();
    let claimed_now = fixture.info(&dead_queue, claimed).await.revision;
    let purged = fixture.capture(&dead_queue, failure("purged")).await.letter;
    let purge = Purge { queue: dead_queue.clone(), letters: vec![purged] };
    assert_eq!(fixture.store().purge(purge).await, Ok(1));
    let letters = vec![one(letter, revision + 1), one(claimed, claimed_now), one(purged, 1)];
    let request = HandBackLetters { queue: dead_queue.clone(), letters, actor: None };
    let results = fixture.store().hand_back(request).await.unwrap();
    assert_eq!(results, [HandBackResult::Changed, HandBackResult::Changed, HandBackResult::Gone]);
    assert_eq!(fixture.record(&dead_queue, letter).await, before);

    fixture.complete(&orders, fixture.lease_one(&orders).await.info.id).await.unwrap();
    let twice = vec![one(letter, revision), one(letter, revision)];
    let twice = twice.into_iter().map(|letter| HandBackLetter { to: orders.clone(), ..letter }).collect();
    let request = HandBackLetters { queue: dead_queue.clone(), letters: twice, actor: None };
    let results = fixture.store().hand_back(request).await.unwrap();
    assert!(matches!(results[..], [HandBackResult::Done(_), HandBackResult::Changed]), "{results:?}");
}

pub(in crate::conformance) async fn work_whose_letter_is_gone_becomes_a_letter(fixture: &StoreFixture) {
    let (orders, dead_queue) = fixture.queue_and_dead(|_| {}).await;
    let ways = (&orders, &dead_queue);
    let first = letter_of(fixture, ways, item_named("a", "m-1")).await;
    assert!(matches!(hand_back(fixture, ways, first, Some("m-1")).await, HandBackResult::Done(_)));
    let purge = Purge { queue: dead_queue.clone(), letters: vec![first] };
    assert_eq!(fixture.store().purge(purge).await, Ok(1));
    let held = fixture.lease_one(&orders).await;
    fixture.settle(&orders, held.info.id, dead()).await.unwrap();
    let second = fixture.only_item(&dead_queue).await;
    assert_ne!(letter_in(&second), first);
    assert_eq!(second.source_id.as_deref(), Some("m-1"));

    // The letter is there, and another one is live under its id.
    assert!(matches!(hand_back(fixture, ways, letter_in(&second), None).await, HandBackResult::Done(_)));
    let other = fixture.capture(&dead_queue, failure("m-1")).await.letter;
    let held = fixture.lease_one(&orders).await;
    fixture.settle(&orders, held.info.id, dead()).await.unwrap();
    assert_eq!(fixture.status(&dead_queue, other).await, Status::Pending);
    let third = fixture.items(&dead_queue, 0).await.remove(0);
    assert!(![other, letter_in(&second)].contains(&letter_in(&third.info)));
    assert_eq!(payload(&third), "a");
}

pub(in crate::conformance) async fn work_that_expires_has_failed_again_after_a_restart(fixture: &StoreFixture) {
    let (orders, dead_queue) = fixture.queue_and_dead(|settings| settings.expire_timeout = HOUR).await;
    let ways = (&orders, &dead_queue);
    let letter = letter_of(fixture, ways, item_named("a", "m-1")).await;
    fixture.advance(MINUTE);
    assert!(matches!(hand_back(fixture, ways, letter, Some("m-1")).await, HandBackResult::Done(_)));
    fixture.reopen().await;
    fixture.advance(HOUR.saturating_add(INSTANT));
    assert_eq!(fixture.numbers(&orders).await, (0, 0, 0));
    let record = fixture.record(&dead_queue, letter).await;
    let info = record.info.letter.as_ref().unwrap();
    assert_eq!((info.replays, info.retries), (1, 1));
    assert_eq!(record.last_error(), "nobody took it before it expired");
    assert_eq!(record.attempts.last().unwrap().ended_at, Some(fixture.now()));
    assert!(info.has_own_origin);
    assert_eq!(info.last_failed_at, fixture.now());
    fixture.advance(Span::from_secs(1));
    assert!(matches!(hand_back(fixture, ways, letter, Some("m-1")).await, HandBackResult::Done(_)));
}
