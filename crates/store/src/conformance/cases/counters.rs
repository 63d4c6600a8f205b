//! Counters are exact after every operation. (They are also compared with the items after every case.)

use crate::conformance::fixture::StoreFixture;
use redrive_core::{Category, Fingerprint, QueueName, RetryPolicy, Span, Status};
use redrive_model::{
    Conservation, DeleteQueue, EndReason, Event, FailureGroupInfo, GetConservation, Groups, LifetimeCounts, LiveCounts,
    NewLetter, Purge, RateEvent, SettleAction,
};

use crate::conformance::samples::{
    DAY, FAULT, HOUR, INSTANT, MINUTE, SECOND, complete, dead, failed, failure, failure_due, failure_for_good,
    fingerprint, item_at, rejection, retry,
};

pub(in crate::conformance) async fn each_partition_has_its_own_counters(fixture: &StoreFixture) {
    let orders = fixture.queue_with("orders", |settings| settings.partitions = 3).await;
    fixture.produce_many(&orders, 5).await;
    fixture.produce_many(&orders, 3).await;
    fixture.produce_one(&orders, item_at("later", fixture.after(HOUR))).await;
    fixture.lease(&orders, 2).await;
    let counted: Vec<_> = fixture
        .stats(&orders)
        .await
        .partitions
        .iter()
        .map(|partition| (partition.partition, partition.total, partition.leased, partition.scheduled))
        .collect();
    assert_eq!(counted, [(0, 5, 2, 0), (1, 3, 0, 0), (2, 0, 0, 1)]);
}

pub(in crate::conformance) async fn leased_goes_down_again(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    for verb in [complete(), retry(), SettleAction::Release, SettleAction::Defer { until: fixture.after(HOUR) }, dead()]
    {
        fixture.produce(&orders, &["a"]).await;
        let held = fixture.lease(&orders, 1).await;
        assert_eq!(fixture.numbers(&orders).await.1, 1);
        fixture.settle_leased(&orders, &held, verb).await;
        assert_eq!(fixture.numbers(&orders).await.1, 0);
    }
    fixture.lease(&orders, 1).await;
    fixture.advance(MINUTE.saturating_add(INSTANT));
    assert_eq!(fixture.numbers(&orders).await.1, 0, "nor does a lost lease count");
}

pub(in crate::conformance) async fn average_ages_are_means_of_ages(fixture: &StoreFixture) {
    let orders = fixture.queue_with("orders", |settings| settings.lease_timeout = HOUR).await;
    let ages = async || {
        let partition = fixture.stats(&orders).await.partitions[0];
        (partition.average_age, partition.average_leased_age)
    };
    assert_eq!(ages().await, (Span::ZERO, Span::ZERO));
    fixture.produce(&orders, &["old"]).await;
    fixture.advance(MINUTE);
    fixture.produce(&orders, &["new"]).await;
    fixture.advance(MINUTE);
    assert_eq!(ages().await, (Span::from_secs(90), Span::ZERO));
    fixture.lease(&orders, 1).await;
    assert_eq!(ages().await, (Span::from_secs(90), Span::from_mins(2)), "the age of the item, not of the lease");
    fixture.advance(MINUTE);
    fixture.lease(&orders, 1).await;
    assert_eq!(ages().await, (Span::from_secs(150), Span::from_secs(150)));
}

pub(in crate::conformance) async fn events_are_counted(fixture: &StoreFixture) {
    let (orders, dead_queue) = fixture.queue_and_dead(|_| {}).await;
    fixture.produce(&orders, &["a", "b", "c", "d"]).await;
    let held = fixture.lease(&orders, 4).await;
    let ids: Vec<_> = held.items.iter().map(|item| item.info.id).collect();
    let verbs = [complete(), retry(), SettleAction::Release, dead()];
    for (id, verb) in ids.into_iter().zip(verbs) {
        fixture.settle(&orders, id, verb).await.unwrap();
    }
    let held = fixture.lease(&orders, 1).await;
    fixture.settle_leased(&orders, &held, SettleAction::Defer { until: fixture.after(MINUTE) }).await;
    fixture.lease(&orders, 1).await;
    fixture.advance(HOUR);
    let counts = fixture.stats(&orders).await.counts;
    let counted = [
        Event::Produced,
        Event::Leased,
        Event::Retried,
        Event::Released,
        Event::Deferred,
        Event::DeadLettered,
        Event::LeaseExpired,
        Event::Promoted,
    ]
    .map(|why| counts.of(why));
    assert_eq!(counted, [4, 6, 1, 1, 1, 1, 1, 1]);
    assert_eq!((counts.ended(EndReason::Completed), counts.ended(EndReason::Dropped)), (1, 0));
    assert_eq!(fixture.stats(&dead_queue).await.counts.of(Event::MovedIn), 1);
}

pub(in crate::conformance) async fn arrived_items_are_present_or_have_ended(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    let sum = async || fixture.store().conservation(GetConservation).await.unwrap();
    assert_eq!(sum().await, Conservation { arrived: 0, present: 0, ended: 0 });
    fixture.produce(&orders, &["a", "b", "c"]).await;
    fixture.capture(&orders, failure("f-1")).await;
    assert_eq!(sum().await, Conservation { arrived: 4, present: 4, ended: 0 });
    let held = fixture.lease(&orders, 1).await;
    fixture.settle_leased(&orders, &held, complete()).await;
    assert_eq!(sum().await, Conservation { arrived: 4, present: 3, ended: 1 });
    fixture.store().delete_queue(DeleteQueue { name: orders, force: false }).await.unwrap();
    assert_eq!(sum().await, Conservation { arrived: 4, present: 0, ended: 4 }, "also if their queue was deleted");
}

async fn groups(
    fixture: &StoreFixture,
    queue: &QueueName,
    after: Option<Fingerprint>,
    limit: usize,
) -> Vec<FailureGroupInfo> {
    fixture.store().failure_groups(Groups { queue: queue.clone(), after, limit }).await.unwrap()
}

pub(in crate::conformance) async fn faults_group_letters_by_fingerprint(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let other = |source_id: &str| NewLetter { fingerprint: fingerprint("disk full"), ..failure(source_id) };
    let first_seen = fixture.now();
    let first = fixture.capture(&dead_queue, failure("f-1")).await.letter;
    let second =
        fixture.capture(&dead_queue, NewLetter { failed_at: fixture.after(MINUTE), ..failure("f-2") }).await.letter;
    let third = fixture.capture(&dead_queue, other("f-3")).await.letter;
    let mut all = groups(fixture, &dead_queue, None, 9).await;
    assert!(all.is_sorted_by_key(|group| group.fingerprint));
    let pages =
        [groups(fixture, &dead_queue, None, 1).await, groups(fixture, &dead_queue, Some(all[0].fingerprint), 1).await];
    assert_eq!(pages.concat(), all, "in pages, after the last one of the page before");
    all.retain(|group| group.fingerprint == fingerprint(FAULT));
    let expected = FailureGroupInfo {
        fingerprint: fingerprint(FAULT),
        counts: LiveCounts { pending: 2, ..LiveCounts::default() },
        first_seen,
        last_seen: first_seen.saturating_add(MINUTE),
        sample: all[0].sample,
    };
    assert_eq!(all, [expected]);
    assert!(all[0].sample.is_some_and(|sample| sample == first || sample == second), "a letter of the fault");
    fixture.capture(&dead_queue, NewLetter { max_retries: 0, ..failure("f-4") }).await;
    let all = groups(fixture, &dead_queue, None, 9).await;
    let counts = all.iter().find(|group| group.fingerprint == fingerprint(FAULT)).map(|group| group.counts);
    assert_eq!(counts, Some(LiveCounts { pending: 2, retrying: 0, exhausted: 1 }));
    fixture.archive(&dead_queue, second).await;
    fixture.store().purge(Purge { queue: dead_queue.clone(), letters: vec![third] }).await.unwrap();
    let left = groups(fixture, &dead_queue, None, 9).await;
    assert_eq!((left.len(), left[0].counts.sum()), (1, 2), "only live letters count");
}

pub(in crate::conformance) async fn letters_are_counted_by_what_they_are_now(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let counts = async || {
        let letters = fixture.stats(&dead_queue).await.letters;
        let category = |category: Category| letters.by_category[category as usize];
        (letters.by_status, [category(Category::Network), category(Category::Resource)])
    };
    fixture.capture(&dead_queue, failure_due("f-1")).await;
    fixture.capture(&dead_queue, NewLetter { max_retries: 0, ..failure("f-2") }).await;
    assert_eq!(counts().await, ([1, 0, 1, 0, 0], [2, 0]), "pending, retrying, exhausted, completed, archived");
    let held = fixture.claim_one(&dead_queue).await;
    assert_eq!(counts().await, ([0, 1, 1, 0, 0], [2, 0]));
    fixture.settle(&dead_queue, held.info.id, failed("disk full", Category::Resource)).await.unwrap();
    assert_eq!(counts().await, ([1, 0, 1, 0, 0], [1, 1]));
    fixture.advance(MINUTE);
    fixture.complete_letter(&dead_queue).await;
    assert_eq!(counts().await, ([0, 0, 1, 1, 0], [1, 0]), "categories count the live ones");
    let letters = fixture.stats(&dead_queue).await.letters;
    assert_eq!(letters.by_policy[RetryPolicy::Exponential as usize], 1);
    assert_eq!(letters.of(Status::Completed), 1);
}

pub(in crate::conformance) async fn the_next_due_time_is_reported(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    assert_eq!(fixture.stats(&dead_queue).await.next_due_at, None);
    let due = fixture.after(MINUTE);
    fixture.capture(&dead_queue, NewLetter { policy: RetryPolicy::Linear, ..failure("f-1") }).await;
    fixture.capture(&dead_queue, failure("f-2")).await;
    assert_eq!(fixture.stats(&dead_queue).await.next_due_at, Some(due));
    fixture.advance(HOUR);
    assert_eq!(fixture.stats(&dead_queue).await.next_due_at, Some(due), "past times included");
    fixture.claim_one(&dead_queue).await;
    let later = due.saturating_add(Span::from_mins(4));
    assert_eq!(fixture.stats(&dead_queue).await.next_due_at, Some(later));
}

/// Each captured letter exists, was removed by a caller, or was removed by retention.
pub(in crate::conformance) async fn every_letter_is_accounted_for(fixture: &StoreFixture) {
    let dead_queue = fixture.queue_with("dead", |settings| settings.letters.archive_retention = Some(HOUR)).await;
    let sums = async || {
        let stats = fixture.stats(&dead_queue).await;
        let of = |why| stats.counts.of(why);
        let present: u64 = stats.letters.by_status.iter().sum();
        [of(Event::LetterMade), present, of(Event::LetterCleared), of(Event::LetterForgotten)]
    };
    let purged = fixture.capture(&dead_queue, failure("f-1")).await.letter;
    let archived = fixture.capture(&dead_queue, failure("f-2")).await.letter;
    fixture.capture(&dead_queue, failure("f-2")).await;
    fixture.capture(&dead_queue, failure_for_good("f-3")).await;
    fixture.produce(&dead_queue, &["no letter"]).await;
    assert_eq!(sums().await, [3, 3, 0, 0], "a merged failure is not another letter");
    fixture.store().purge(Purge { queue: dead_queue.clone(), letters: vec![purged] }).await.unwrap();
    fixture.archive(&dead_queue, archived).await;
    assert_eq!(sums().await, [3, 2, 1, 0]);
    fixture.advance(HOUR.saturating_add(SECOND));
    assert_eq!(sums().await, [3, 1, 1, 1]);
    fixture.reopen().await;
    assert_eq!(sums().await, [3, 1, 1, 1], "nothing is counted again after a restart");
}

pub(in crate::conformance) async fn retries_are_counted_by_trigger(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let counts = async || {
        let counts = fixture.stats(&dead_queue).await.counts;
        let events = [Event::RetryCharged, Event::ChargedByHand, Event::LetterCompleted, Event::SucceededByHand];
        (events.map(|why| counts.of(why)), counts.of(Event::RetriedByHand), counts.of(Event::AttemptLost))
    };
    let letter = fixture.capture(&dead_queue, failure_due("f-1")).await.letter;
    let held = fixture.claim_one(&dead_queue).await;
    fixture.settle(&dead_queue, held.info.id, retry()).await.unwrap();
    assert_eq!(counts().await, ([1, 0, 0, 0], 0, 0));
    let held = fixture.claim_by_hand(&dead_queue, letter).await.unwrap();
    assert_eq!(counts().await, ([1, 0, 0, 0], 1, 0), "counted when it begins");
    fixture.settle(&dead_queue, held.info.id, retry()).await.unwrap();
    assert_eq!(counts().await, ([2, 1, 0, 0], 1, 0));
    fixture.claim_by_hand(&dead_queue, letter).await.unwrap();
    fixture.advance(DAY);
    assert_eq!(counts().await, ([2, 1, 0, 0], 2, 1), "a lost retry is not counted as failed");
    let held = fixture.claim_by_hand(&dead_queue, letter).await.unwrap();
    fixture.complete(&dead_queue, held.info.id).await.unwrap();
    assert_eq!(counts().await, ([2, 1, 1, 1], 3, 1));
    if fixture.reopen().await {
        assert_eq!(counts().await, ([2, 1, 1, 1], 3, 1), "it survives a restart");
        let since_start = fixture.stats(&dead_queue).await.since_start;
        assert_eq!(since_start, LifetimeCounts::default(), "counters since the start begin at zero");
    }
}

pub(in crate::conformance) async fn a_rejection_by_a_full_queue_is_counted(fixture: &StoreFixture) {
    let dead_queue = fixture.queue_with("dead", |settings| settings.letters.max_size = Some(1)).await;
    fixture.capture(&dead_queue, failure("f-1")).await;
    let rejected = async || fixture.stats(&dead_queue).await.counts.of(Event::CaptureRejected);
    assert_eq!(rejected().await, 0);
    rejection(fixture.try_capture(&dead_queue, vec![failure("f-2"), failure("f-3")]).await);
    assert_eq!(rejected().await, 1, "once per request");
    fixture.reopen().await;
    assert_eq!(rejected().await, 1, "it survives a restart");
}

pub(in crate::conformance) async fn overdue_letters_are_reported(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let first = fixture.now();
    fixture.capture(&dead_queue, failure("f-1")).await;
    fixture.advance(SECOND);
    fixture.capture(&dead_queue, failure("f-2")).await;
    let overdue = async || {
        let stats = fixture.stats(&dead_queue).await;
        (stats.overdue, stats.oldest_pending_at)
    };
    assert_eq!(overdue().await, (0, Some(first)));
    fixture.advance(MINUTE.saturating_sub(SECOND));
    assert_eq!(overdue().await, (1, Some(first)));
    fixture.advance(SECOND);
    assert_eq!(overdue().await, (2, Some(first)));
    let held = fixture.claim_one(&dead_queue).await;
    let second = Some(first.saturating_add(SECOND));
    assert_eq!(overdue().await, (1, second), "a claimed letter is neither overdue nor pending");
    fixture.settle(&dead_queue, held.info.id, retry()).await.unwrap();
    assert_eq!(overdue().await, (1, Some(first)), "afterwards it is pending until its next retry");
}

pub(in crate::conformance) async fn the_rate_of_items_is_that_of_the_last_minutes(fixture: &StoreFixture) {
    let queue = fixture.queue("q").await;
    let rates = async |event| fixture.stats(&queue).await.rates.per_minute(event, fixture.now());
    fixture.produce(&queue, &["a", "b", "c", "d", "e"]).await;
    assert!((rates(RateEvent::Arrived).await - 1.0).abs() < 1e-9);
    for _ in 0..2 {
        let held = fixture.lease_one(&queue).await;
        fixture.complete(&queue, held.info.id).await.unwrap();
    }
    assert!((rates(RateEvent::Left).await - 0.4).abs() < 1e-9);
    fixture.advance(Span::from_mins(6));
    assert!(rates(RateEvent::Left).await.abs() < 1e-9, "older events do not count");
}

pub(in crate::conformance) async fn the_rate_of_letters_is_that_of_the_last_minutes(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let rates = async |event| fixture.stats(&dead_queue).await.rates.per_minute(event, fixture.now());
    for source_id in ["f-1", "f-2", "f-3", "f-4", "f-5", "f-6", "f-7", "f-8", "f-9", "f-10"] {
        fixture.capture(&dead_queue, failure_due(source_id)).await;
    }
    assert!((rates(RateEvent::Made).await - 2.0).abs() < 1e-9);
    fixture.complete_letter(&dead_queue).await;
    assert!((rates(RateEvent::Succeeded).await - 0.2).abs() < 1e-9);
    fixture.advance(Span::from_mins(6));
    assert!(rates(RateEvent::Made).await.abs() < 1e-9, "older events do not count");
}
