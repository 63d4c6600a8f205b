//! Numbers: exact after every operation. (That they are what counting gives is checked after every case.)

use crate::conformance::bed::Bed;
use redrive_core::{Category, Fingerprint, QueueName, RetryPolicy, Span, Status};
use redrive_model::{
    Conservation, DeleteQueue, EndReason, Event, FaultGroup, GetConservation, Groups, LifetimeCounts, NewLetter, Purge,
    RateEvent, SettleAction,
};

use crate::conformance::words::{
    DAY, FAULT, HOUR, INSTANT, MINUTE, SECOND, complete, dead, failed, failure, failure_due, failure_for_good,
    fingerprint, item_at, refusal, retry,
};

pub(in crate::conformance) async fn each_partition_has_its_own_numbers(bed: &Bed) {
    let orders = bed.queue_with("orders", |settings| settings.partitions = 3).await;
    bed.produce_many(&orders, 5).await;
    bed.produce_many(&orders, 3).await;
    bed.produce_one(&orders, item_at("later", bed.after(HOUR))).await;
    bed.lease(&orders, 2).await;
    let told: Vec<_> = bed
        .stats(&orders)
        .await
        .partitions
        .iter()
        .map(|partition| (partition.partition, partition.total, partition.leased, partition.scheduled))
        .collect();
    assert_eq!(told, [(0, 5, 2, 0), (1, 3, 0, 0), (2, 0, 0, 1)]);
}

pub(in crate::conformance) async fn leased_goes_down_again(bed: &Bed) {
    let orders = bed.queue("orders").await;
    for verb in [complete(), retry(), SettleAction::Release, SettleAction::Defer { until: bed.after(HOUR) }, dead()] {
        bed.produce(&orders, &["a"]).await;
        let held = bed.lease(&orders, 1).await;
        assert_eq!(bed.numbers(&orders).await.1, 1);
        bed.settle_leased(&orders, &held, verb).await;
        assert_eq!(bed.numbers(&orders).await.1, 0);
    }
    bed.lease(&orders, 1).await;
    bed.advance(MINUTE.saturating_add(INSTANT));
    assert_eq!(bed.numbers(&orders).await.1, 0, "nor does a lost lease stay");
}

pub(in crate::conformance) async fn average_ages_are_means_of_ages(bed: &Bed) {
    let orders = bed.queue_with("orders", |settings| settings.lease_timeout = HOUR).await;
    let ages = async || {
        let partition = bed.stats(&orders).await.partitions[0];
        (partition.average_age, partition.average_leased_age)
    };
    assert_eq!(ages().await, (Span::ZERO, Span::ZERO));
    bed.produce(&orders, &["old"]).await;
    bed.advance(MINUTE);
    bed.produce(&orders, &["new"]).await;
    bed.advance(MINUTE);
    assert_eq!(ages().await, (Span::from_secs(90), Span::ZERO));
    bed.lease(&orders, 1).await;
    assert_eq!(ages().await, (Span::from_secs(90), Span::from_mins(2)), "the age of the item, not of the lease");
    bed.advance(MINUTE);
    bed.lease(&orders, 1).await;
    assert_eq!(ages().await, (Span::from_secs(150), Span::from_secs(150)));
}

pub(in crate::conformance) async fn what_happened_is_counted(bed: &Bed) {
    let (orders, dead_queue) = bed.queue_and_dead(|_| {}).await;
    bed.produce(&orders, &["a", "b", "c", "d"]).await;
    let held = bed.lease(&orders, 4).await;
    let ids: Vec<_> = held.items.iter().map(|item| item.info.id).collect();
    let verbs = [complete(), retry(), SettleAction::Release, dead()];
    for (id, verb) in ids.into_iter().zip(verbs) {
        bed.settle(&orders, id, verb).await.unwrap();
    }
    let held = bed.lease(&orders, 1).await;
    bed.settle_leased(&orders, &held, SettleAction::Defer { until: bed.after(MINUTE) }).await;
    bed.lease(&orders, 1).await;
    bed.advance(HOUR);
    let tally = bed.stats(&orders).await.tally;
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
    .map(|why| tally.of(why));
    assert_eq!(counted, [4, 6, 1, 1, 1, 1, 1, 1]);
    assert_eq!((tally.ended(EndReason::Completed), tally.ended(EndReason::Dropped)), (1, 0));
    assert_eq!(bed.stats(&dead_queue).await.tally.of(Event::MovedIn), 1);
}

pub(in crate::conformance) async fn what_came_in_is_there_or_has_ended(bed: &Bed) {
    let orders = bed.queue("orders").await;
    let sum = async || bed.store().conservation(GetConservation).await.unwrap();
    assert_eq!(sum().await, Conservation { arrived: 0, present: 0, ended: 0 });
    bed.produce(&orders, &["a", "b", "c"]).await;
    bed.capture(&orders, failure("f-1")).await;
    assert_eq!(sum().await, Conservation { arrived: 4, present: 4, ended: 0 });
    let held = bed.lease(&orders, 1).await;
    bed.settle_leased(&orders, &held, complete()).await;
    assert_eq!(sum().await, Conservation { arrived: 4, present: 3, ended: 1 });
    bed.store().delete_queue(DeleteQueue { name: orders, force: false }).await.unwrap();
    assert_eq!(sum().await, Conservation { arrived: 4, present: 0, ended: 4 }, "also when their queue is gone");
}

async fn groups(bed: &Bed, queue: &QueueName, after: Option<Fingerprint>, limit: usize) -> Vec<FaultGroup> {
    bed.store().faults(Groups { queue: queue.clone(), after, limit }).await.unwrap()
}

pub(in crate::conformance) async fn faults_group_letters_by_fingerprint(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let other = |source_id: &str| NewLetter { fingerprint: fingerprint("disk full"), ..failure(source_id) };
    let first_seen = bed.now();
    bed.capture(&dead_queue, failure("f-1")).await;
    let second = bed.capture(&dead_queue, NewLetter { failed_at: bed.after(MINUTE), ..failure("f-2") }).await.letter;
    let third = bed.capture(&dead_queue, other("f-3")).await.letter;
    let mut all = groups(bed, &dead_queue, None, 9).await;
    assert!(all.is_sorted_by_key(|group| group.fingerprint));
    let pages = [groups(bed, &dead_queue, None, 1).await, groups(bed, &dead_queue, Some(all[0].fingerprint), 1).await];
    assert_eq!(pages.concat(), all, "in pages, behind the last one that was seen");
    all.retain(|group| group.fingerprint == fingerprint(FAULT));
    let expected = FaultGroup {
        fingerprint: fingerprint(FAULT),
        count: 2,
        first_seen,
        last_seen: first_seen.saturating_add(MINUTE),
    };
    assert_eq!(all, [expected]);
    bed.archive(&dead_queue, second).await;
    bed.store().purge(Purge { queue: dead_queue.clone(), letters: vec![third] }).await.unwrap();
    let left = groups(bed, &dead_queue, None, 9).await;
    assert_eq!((left.len(), left[0].count), (1, 1), "only live letters count");
}

pub(in crate::conformance) async fn letters_are_counted_by_what_they_are_now(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let counts = async || {
        let letters = bed.stats(&dead_queue).await.letters;
        let category = |category: Category| letters.by_category[category as usize];
        (letters.by_status, [category(Category::Network), category(Category::Resource)])
    };
    bed.capture(&dead_queue, failure_due("f-1")).await;
    bed.capture(&dead_queue, NewLetter { max_retries: 0, ..failure("f-2") }).await;
    assert_eq!(counts().await, ([1, 0, 1, 0, 0], [2, 0]), "pending, retrying, exhausted, completed, archived");
    let held = bed.claim_one(&dead_queue).await;
    assert_eq!(counts().await, ([0, 1, 1, 0, 0], [2, 0]));
    bed.settle(&dead_queue, held.info.id, failed("disk full", Category::Resource)).await.unwrap();
    assert_eq!(counts().await, ([1, 0, 1, 0, 0], [1, 1]));
    bed.advance(MINUTE);
    let held = bed.claim_one(&dead_queue).await;
    bed.complete(&dead_queue, held.info.id).await.unwrap();
    assert_eq!(counts().await, ([0, 0, 1, 1, 0], [1, 0]), "categories count the live ones");
    let letters = bed.stats(&dead_queue).await.letters;
    assert_eq!(letters.by_policy[RetryPolicy::Exponential as usize], 1);
    assert_eq!(letters.of(Status::Completed), 1);
}

pub(in crate::conformance) async fn the_next_due_time_is_told(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    assert_eq!(bed.stats(&dead_queue).await.next_due_at, None);
    let due = bed.after(MINUTE);
    bed.capture(&dead_queue, NewLetter { policy: RetryPolicy::Linear, ..failure("f-1") }).await;
    bed.capture(&dead_queue, failure("f-2")).await;
    assert_eq!(bed.stats(&dead_queue).await.next_due_at, Some(due));
    bed.advance(HOUR);
    assert_eq!(bed.stats(&dead_queue).await.next_due_at, Some(due), "past times included");
    bed.claim_one(&dead_queue).await;
    let later = due.saturating_add(Span::from_mins(4));
    assert_eq!(bed.stats(&dead_queue).await.next_due_at, Some(later));
}

/// Each letter that came is there, was removed by somebody, or went when its time was over.
pub(in crate::conformance) async fn every_letter_is_accounted_for(bed: &Bed) {
    let dead_queue = bed.queue_with("dead", |settings| settings.letters.archive_retention = Some(HOUR)).await;
    let sums = async || {
        let stats = bed.stats(&dead_queue).await;
        let of = |why| stats.tally.of(why);
        let present: u64 = stats.letters.by_status.iter().sum();
        [of(Event::LetterMade), present, of(Event::LetterCleared), of(Event::LetterForgotten)]
    };
    let purged = bed.capture(&dead_queue, failure("f-1")).await.letter;
    let archived = bed.capture(&dead_queue, failure("f-2")).await.letter;
    bed.capture(&dead_queue, failure("f-2")).await;
    bed.capture(&dead_queue, failure_for_good("f-3")).await;
    bed.produce(&dead_queue, &["no letter"]).await;
    assert_eq!(sums().await, [3, 3, 0, 0], "a further failure of the same work is none");
    bed.store().purge(Purge { queue: dead_queue.clone(), letters: vec![purged] }).await.unwrap();
    bed.archive(&dead_queue, archived).await;
    assert_eq!(sums().await, [3, 2, 1, 0]);
    bed.advance(HOUR.saturating_add(SECOND));
    assert_eq!(sums().await, [3, 1, 1, 1]);
    bed.reopen().await;
    assert_eq!(sums().await, [3, 1, 1, 1], "nothing is counted anew after a restart");
}

pub(in crate::conformance) async fn retries_are_counted_by_who_asked_for_them(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let counts = async || {
        let tally = bed.stats(&dead_queue).await.tally;
        let events = [Event::RetryCharged, Event::ChargedByHand, Event::LetterCompleted, Event::SucceededByHand];
        (events.map(|why| tally.of(why)), tally.of(Event::RetriedByHand), tally.of(Event::AttemptLost))
    };
    let letter = bed.capture(&dead_queue, failure_due("f-1")).await.letter;
    let held = bed.claim_one(&dead_queue).await;
    bed.settle(&dead_queue, held.info.id, retry()).await.unwrap();
    assert_eq!(counts().await, ([1, 0, 0, 0], 0, 0));
    let held = bed.claim_by_hand(&dead_queue, letter).await.unwrap();
    assert_eq!(counts().await, ([1, 0, 0, 0], 1, 0), "when it begins");
    bed.settle(&dead_queue, held.info.id, retry()).await.unwrap();
    assert_eq!(counts().await, ([2, 1, 0, 0], 1, 0));
    bed.claim_by_hand(&dead_queue, letter).await.unwrap();
    bed.advance(DAY);
    assert_eq!(counts().await, ([2, 1, 0, 0], 2, 1), "what vanished did not fail for all that is known");
    let held = bed.claim_by_hand(&dead_queue, letter).await.unwrap();
    bed.complete(&dead_queue, held.info.id).await.unwrap();
    assert_eq!(counts().await, ([2, 1, 1, 1], 3, 1));
    if bed.reopen().await {
        assert_eq!(counts().await, ([2, 1, 1, 1], 3, 1), "it survives a restart");
        let since_start = bed.stats(&dead_queue).await.since_start;
        assert_eq!(since_start, LifetimeCounts::default(), "apart from what counts since then");
    }
}

pub(in crate::conformance) async fn a_refusal_by_a_full_queue_is_counted(bed: &Bed) {
    let dead_queue = bed.queue_with("dead", |settings| settings.letters.max_size = Some(1)).await;
    bed.capture(&dead_queue, failure("f-1")).await;
    let refused = async || bed.stats(&dead_queue).await.tally.of(Event::CaptureRejected);
    assert_eq!(refused().await, 0);
    refusal(bed.try_capture(&dead_queue, vec![failure("f-2"), failure("f-3")]).await);
    assert_eq!(refused().await, 1, "once a request");
    bed.reopen().await;
    assert_eq!(refused().await, 1, "it survives a restart");
}

pub(in crate::conformance) async fn overdue_letters_are_told(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let first = bed.now();
    bed.capture(&dead_queue, failure("f-1")).await;
    bed.advance(SECOND);
    bed.capture(&dead_queue, failure("f-2")).await;
    let told = async || {
        let stats = bed.stats(&dead_queue).await;
        (stats.overdue, stats.oldest_pending_at)
    };
    assert_eq!(told().await, (0, Some(first)));
    bed.advance(MINUTE.saturating_sub(SECOND));
    assert_eq!(told().await, (1, Some(first)));
    bed.advance(SECOND);
    assert_eq!(told().await, (2, Some(first)));
    let held = bed.claim_one(&dead_queue).await;
    assert_eq!(told().await, (1, Some(first.saturating_add(SECOND))), "what somebody works on is neither");
    bed.settle(&dead_queue, held.info.id, retry()).await.unwrap();
    assert_eq!(told().await, (1, Some(first)), "and waits for its next time afterwards");
}

pub(in crate::conformance) async fn the_pace_of_letters_is_that_of_the_last_minutes(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let pace = async |event| bed.stats(&dead_queue).await.pace.per_minute(event, bed.now());
    for source_id in ["f-1", "f-2", "f-3", "f-4", "f-5", "f-6", "f-7", "f-8", "f-9", "f-10"] {
        bed.capture(&dead_queue, failure_due(source_id)).await;
    }
    assert!((pace(RateEvent::Made).await - 2.0).abs() < 1e-9);
    let held = bed.claim_one(&dead_queue).await;
    bed.complete(&dead_queue, held.info.id).await.unwrap();
    assert!((pace(RateEvent::Succeeded).await - 0.2).abs() < 1e-9);
    bed.advance(Span::from_mins(6));
    assert!(pace(RateEvent::Made).await.abs() < 1e-9, "what is long ago does not count");
}
