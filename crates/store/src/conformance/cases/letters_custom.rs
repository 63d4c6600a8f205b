//! Letters that are retried by the delays of their queue.

use crate::conformance::bed::Bed;
use redrive_core::{CapturedBy, CustomBackoff, Failure, LetterId, QueueName, RetryPolicy, Span, Status, Time};
use redrive_model::capture::FailedWork;
use redrive_model::{
    ClaimDue, CreateQueue, DestinationFilter, Edit, GetQueue, LetterOverrides, NewLetter, QueueSettings, Rejection,
    RetryAt, SettleAction, UpdateQueue,
};

use crate::conformance::words::{INSTANT, SECOND, failure, failure_for_good, name, refusal, retry};

fn delays(text: &str) -> Option<CustomBackoff> {
    Some(text.parse().unwrap())
}

async fn queue_with(bed: &Bed, text: &str) -> QueueName {
    bed.queue_with("dead", |settings| settings.letters.custom_backoff = delays(text)).await
}

fn custom(source_id: &str) -> NewLetter {
    NewLetter { policy: RetryPolicy::Custom, ..failure(source_id) }
}

async fn set(bed: &Bed, queue: &QueueName, change: impl FnOnce(&mut LetterOverrides)) -> Result<(), Rejection> {
    let mut letters = bed.store().queue(GetQueue { name: queue.clone() }).await.unwrap().letters;
    change(&mut letters);
    let update = UpdateQueue { letters: Some(letters), ..UpdateQueue::of(queue.clone()) };
    let updated = bed.store().update_queue(update).await;
    if updated.is_ok() { Ok(()) } else { Err(refusal(updated)) }
}

async fn due(bed: &Bed, queue: &QueueName, letter: LetterId) -> Option<Time> {
    bed.info(queue, letter).await.next_retry_at
}

/// The next retry, as its holder decided it by the letter's policy.
const fn decided(at: Time) -> SettleAction {
    SettleAction::Retry { at: RetryAt::Decided(at), attempt: None, charged: true }
}

/// The only letter that is due fails again.
async fn fail(bed: &Bed, queue: &QueueName) {
    let held = bed.claim_one(queue).await;
    bed.settle(queue, held.info.id, retry()).await.unwrap();
}

pub(in crate::conformance) async fn the_delays_of_a_queue_hold_from_capture_to_exhaustion(bed: &Bed) {
    let queue = queue_with(bed, "list 7s 90s").await;
    let letter = bed.capture(&queue, custom("f-1")).await.letter;
    for seconds in [7, 90, 90] {
        let after = bed.after(Span::from_secs(seconds));
        assert_eq!(due(bed, &queue, letter).await, Some(after));
        bed.clock.set(after.saturating_sub(INSTANT));
        assert!(bed.claim_all(&queue).await.is_empty(), "never early");
        bed.advance(INSTANT);
        fail(bed, &queue).await;
    }
    let info = bed.info(&queue, letter).await;
    assert_eq!((info.status, info.policy, info.retries), (Status::Exhausted, RetryPolicy::Custom, 3));
}

pub(in crate::conformance) async fn what_a_queue_gives_to_letters_may_be_its_own_delays(bed: &Bed) {
    let dead = bed
        .queue_with("dead", |settings| {
            settings.letters = LetterOverrides {
                moved_policy: Some(RetryPolicy::Custom),
                default_policy: Some(RetryPolicy::Custom),
                custom_backoff: delays("linear base=10s cap=15s"),
                ..LetterOverrides::default()
            };
        })
        .await;
    let orders = bed
        .queue_with("orders", |settings| {
            settings.dead_queue = Some(dead.clone());
            settings.max_attempts = 1;
        })
        .await;
    bed.produce(&orders, &["a"]).await;
    let held = bed.lease_one(&orders).await;
    bed.settle(&orders, held.info.id, retry()).await.unwrap();
    let handed_over = FailedWork::new("f-1", Failure::new("it broke"), bed.now());
    let captured = bed.post(&dead, &FailedWork { by: CapturedBy::Explicit, ..handed_over }).await;
    assert_eq!(captured.policy, RetryPolicy::Custom);
    bed.advance(Span::from_secs(10));
    let claimed = bed.claim_all(&dead).await;
    assert_eq!(claimed.len(), 2, "the moved one and the captured one");
    for held in claimed {
        bed.settle(&dead, held.info.id, retry()).await.unwrap();
        let letter = held.info.letter.unwrap().id;
        assert_eq!(due(bed, &dead, letter).await, Some(bed.after(Span::from_secs(15))));
    }
}

pub(in crate::conformance) async fn an_edited_letter_gets_the_delays_of_its_queue(bed: &Bed) {
    let queue = queue_with(bed, "exponential base=3s factor=3").await;
    let letter = bed.capture(&queue, failure_for_good("f-1")).await.letter;
    let edit = Edit {
        queue: queue.clone(),
        letter,
        content: None,
        policy: Some(RetryPolicy::Custom),
        max_retries: None,
        priority: None,
    };
    bed.store().edit(edit).await.unwrap();
    assert_eq!(due(bed, &queue, letter).await, Some(bed.after(Span::from_secs(3))));
    bed.advance(Span::from_secs(3));
    fail(bed, &queue).await;
    assert_eq!(due(bed, &queue, letter).await, Some(bed.after(Span::from_secs(9))));
}

/// A claim carries the settings of its queue, so its holder knows the delays and decides alone.
pub(in crate::conformance) async fn the_time_that_a_holder_decides_holds(bed: &Bed) {
    let queue = queue_with(bed, "list 0s 60s").await;
    let letter = bed.capture(&queue, custom("f-1")).await.letter;
    let claim = ClaimDue {
        queue: queue.clone(),
        batch: 1,
        lease: Span::from_mins(1),
        scope: DestinationFilter::all(),
        wait: Span::ZERO,
    };
    let claimed = bed.store().claim_due(claim).await.unwrap();
    assert_eq!(claimed.settings.custom_backoff, delays("list 0s 60s"));
    let held = claimed.letters[0].info.id;
    bed.settle(&queue, held, decided(bed.after(SECOND))).await.unwrap();
    assert_eq!(due(bed, &queue, letter).await, Some(bed.after(SECOND)));
    bed.advance(SECOND);
    let held = bed.claim_one(&queue).await;
    let later = bed.after(Span::from_secs(61));
    bed.settle(&queue, held.info.id, decided(later)).await.unwrap();
    assert_eq!(due(bed, &queue, letter).await, Some(later));
}

/// The store does not ask the policy a second time, and would have said no. The queue's own limit holds all the same.
pub(in crate::conformance) async fn a_holder_may_decide_on_one_retry_more(bed: &Bed) {
    let settings = |settings: &mut QueueSettings| {
        settings.letters.custom_backoff = delays("list 0s");
        settings.max_attempts = 3;
    };
    let queue = bed.queue_with("dead", settings).await;
    let letter = bed.capture(&queue, NewLetter { max_retries: 1, ..custom("f-1") }).await.letter;
    for _ in 0..2 {
        let held = bed.claim_one(&queue).await;
        bed.settle(&queue, held.info.id, decided(bed.now())).await.unwrap();
        assert_eq!(due(bed, &queue, letter).await, Some(bed.now()));
    }
    let held = bed.claim_one(&queue).await;
    bed.settle(&queue, held.info.id, decided(bed.now())).await.unwrap();
    let info = bed.info(&queue, letter).await;
    assert_eq!((info.status, info.retries), (Status::Exhausted, 3));
}

pub(in crate::conformance) async fn other_delays_concern_the_next_failure(bed: &Bed) {
    let queue = queue_with(bed, "list 7s").await;
    let letter = bed.capture(&queue, custom("f-1")).await.letter;
    let scheduled = due(bed, &queue, letter).await;
    set(bed, &queue, |letters| letters.custom_backoff = delays("list 1s 40s")).await.unwrap();
    bed.reopen().await;
    assert_eq!(due(bed, &queue, letter).await, scheduled);
    bed.advance(Span::from_secs(7));
    fail(bed, &queue).await;
    assert_eq!(due(bed, &queue, letter).await, Some(bed.after(Span::from_secs(40))));
}

pub(in crate::conformance) async fn letters_whose_queue_has_no_delays_any_more_wait_for_a_person(bed: &Bed) {
    let queue = queue_with(bed, "list 7s").await;
    let letter = bed.capture(&queue, custom("f-1")).await.letter;
    let scheduled = due(bed, &queue, letter).await;
    set(bed, &queue, |letters| letters.custom_backoff = None).await.unwrap();
    assert_eq!(due(bed, &queue, letter).await, scheduled, "what was decided stays");
    bed.advance(Span::from_secs(7));
    fail(bed, &queue).await;
    let info = bed.info(&queue, letter).await;
    assert_eq!((info.status, info.next_retry_at, info.retries), (Status::Pending, None, 1));
    let held = bed.claim_by_hand(&queue, letter).await.unwrap();
    bed.complete(&queue, held.info.id).await.unwrap();
}

pub(in crate::conformance) async fn nothing_asks_for_delays_that_a_queue_does_not_have(bed: &Bed) {
    let queue = bed.queue("dead").await;
    let captured = bed.try_capture(&queue, vec![failure("f-1"), custom("f-2")]).await;
    assert_eq!(refusal(captured), Rejection::NoCustomBackoff);
    let letter = bed.capture(&queue, failure("f-1")).await.letter;
    let edit = Edit {
        queue: queue.clone(),
        letter,
        content: None,
        policy: Some(RetryPolicy::Custom),
        max_retries: Some(9),
        priority: None,
    };
    assert_eq!(refusal(bed.store().edit(edit).await), Rejection::NoCustomBackoff);
    assert_eq!(bed.info(&queue, letter).await.max_retries, 3, "nothing of it was done");
    for policy in [RetryPolicy::Custom, RetryPolicy::Linear] {
        let moved = set(bed, &queue, |letters| letters.moved_policy = Some(policy)).await;
        let default = set(bed, &queue, |letters| letters.default_policy = Some(policy)).await;
        let expected = if policy == RetryPolicy::Custom { Err(Rejection::NoCustomBackoff) } else { Ok(()) };
        assert_eq!((moved, default), (expected.clone(), expected));
    }
    let mut settings = QueueSettings::new(name("other"));
    settings.letters.moved_policy = Some(RetryPolicy::Custom);
    assert_eq!(
        refusal(bed.store().create_queue(CreateQueue { settings: settings.clone() }).await),
        Rejection::NoCustomBackoff
    );
    settings.letters.custom_backoff = Some(CustomBackoff::function("mine", |_| SECOND));
    assert_eq!(refusal(bed.store().create_queue(CreateQueue { settings }).await), Rejection::FunctionOfQueue);
}
