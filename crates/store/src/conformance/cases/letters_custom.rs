//! Letters with the policy `custom`, which are retried by the delays of their queue.

use crate::conformance::fixture::StoreFixture;
use redrive_core::{CapturedBy, CustomBackoff, Failure, LetterId, QueueName, RetryPolicy, Span, Status, Time};
use redrive_model::capture::FailedWork;
use redrive_model::{
    ClaimDue, DestinationFilter, Edit, GetQueue, LetterOverrides, NewLetter, QueueSettings, Rejection, RetryAt,
    SettleAction, UpdateQueue,
};

use crate::conformance::samples::{INSTANT, SECOND, failure, failure_for_good, name, rejection, retry};

fn delays(text: &str) -> Option<CustomBackoff> {
    Some(text.parse().unwrap())
}

async fn queue_with(fixture: &StoreFixture, text: &str) -> QueueName {
    fixture.queue_with("dead", |settings| settings.letters.custom_backoff = delays(text)).await
}

fn custom(source_id: &str) -> NewLetter {
    NewLetter { policy: RetryPolicy::Custom, ..failure(source_id) }
}

async fn set(
    fixture: &StoreFixture,
    queue: &QueueName,
    change: impl FnOnce(&mut LetterOverrides),
) -> Result<(), Rejection> {
    let mut letters = fixture.store().queue(GetQueue { name: queue.clone() }).await.unwrap().letters;
    change(&mut letters);
    let update = UpdateQueue { letters: Some(letters), ..UpdateQueue::of(queue.clone()) };
    let updated = fixture.store().update_queue(update).await;
    if updated.is_ok() { Ok(()) } else { Err(rejection(updated)) }
}

async fn due(fixture: &StoreFixture, queue: &QueueName, letter: LetterId) -> Option<Time> {
    fixture.info(queue, letter).await.next_retry_at
}

/// A retry at the time that the holder decided by the letter's policy.
const fn decided(at: Time) -> SettleAction {
    SettleAction::Retry { at: RetryAt::Decided(at), attempt: None, charged: true }
}

/// Claims the only due letter and reports a failure.
async fn fail(fixture: &StoreFixture, queue: &QueueName) {
    let held = fixture.claim_one(queue).await;
    fixture.settle(queue, held.info.id, retry()).await.unwrap();
}

pub(in crate::conformance) async fn the_delays_of_a_queue_hold_from_capture_to_exhaustion(fixture: &StoreFixture) {
    let queue = queue_with(fixture, "list 7s 90s").await;
    let letter = fixture.capture(&queue, custom("f-1")).await.letter;
    for seconds in [7, 90, 90] {
        let after = fixture.after(Span::from_secs(seconds));
        assert_eq!(due(fixture, &queue, letter).await, Some(after));
        fixture.clock.set(after.saturating_sub(INSTANT));
        assert!(fixture.claim_all(&queue).await.is_empty(), "never early");
        fixture.advance(INSTANT);
        fail(fixture, &queue).await;
    }
    let info = fixture.info(&queue, letter).await;
    assert_eq!((info.status, info.policy, info.retries), (Status::Exhausted, RetryPolicy::Custom, 3));
}

pub(in crate::conformance) async fn a_queue_may_assign_its_own_delays_to_letters(fixture: &StoreFixture) {
    let dead = fixture
        .queue_with("dead", |settings| {
            settings.letters = LetterOverrides {
                moved_policy: Some(RetryPolicy::Custom.into()),
                default_policy: Some(RetryPolicy::Custom),
                custom_backoff: delays("linear base=10s cap=15s"),
                ..LetterOverrides::default()
            };
        })
        .await;
    let orders = fixture
        .queue_with("orders", |settings| {
            settings.dead_queue = Some(dead.clone());
            settings.max_attempts = 1;
        })
        .await;
    fixture.produce(&orders, &["a"]).await;
    let held = fixture.lease_one(&orders).await;
    fixture.settle(&orders, held.info.id, retry()).await.unwrap();
    let handed_over = FailedWork::new("f-1", Failure::new("it broke"), fixture.now());
    let captured = fixture.assess_and_capture(&dead, &FailedWork { by: CapturedBy::Explicit, ..handed_over }).await;
    assert_eq!(captured.policy, RetryPolicy::Custom);
    fixture.advance(Span::from_secs(10));
    let claimed = fixture.claim_all(&dead).await;
    assert_eq!(claimed.len(), 2, "the dead item and the captured letter");
    for held in claimed {
        fixture.settle(&dead, held.info.id, retry()).await.unwrap();
        let letter = held.info.letter.unwrap().id;
        assert_eq!(due(fixture, &dead, letter).await, Some(fixture.after(Span::from_secs(15))));
    }
}

pub(in crate::conformance) async fn an_edited_letter_gets_the_delays_of_its_queue(fixture: &StoreFixture) {
    let queue = queue_with(fixture, "exponential base=3s factor=3").await;
    let letter = fixture.capture(&queue, failure_for_good("f-1")).await.letter;
    let edit = Edit {
        queue: queue.clone(),
        letter,
        content: None,
        policy: Some(RetryPolicy::Custom),
        max_retries: None,
        priority: None,
    };
    fixture.store().edit(edit).await.unwrap();
    assert_eq!(due(fixture, &queue, letter).await, Some(fixture.after(Span::from_secs(3))));
    fixture.advance(Span::from_secs(3));
    fail(fixture, &queue).await;
    assert_eq!(due(fixture, &queue, letter).await, Some(fixture.after(Span::from_secs(9))));
}

/// A claim contains the settings of its queue, so that the holder knows the delays and can decide.
pub(in crate::conformance) async fn the_time_decided_by_the_holder_is_kept(fixture: &StoreFixture) {
    let queue = queue_with(fixture, "list 0s 60s").await;
    let letter = fixture.capture(&queue, custom("f-1")).await.letter;
    let claim = ClaimDue {
        queue: queue.clone(),
        batch: 1,
        lease: Span::from_mins(1),
        scope: DestinationFilter::all(),
        wait: Span::ZERO,
    };
    let claimed = fixture.store().claim_due(claim).await.unwrap();
    assert_eq!(claimed.settings.custom_backoff, delays("list 0s 60s"));
    let held = claimed.letters[0].info.id;
    fixture.settle(&queue, held, decided(fixture.after(SECOND))).await.unwrap();
    assert_eq!(due(fixture, &queue, letter).await, Some(fixture.after(SECOND)));
    fixture.advance(SECOND);
    let held = fixture.claim_one(&queue).await;
    let later = fixture.after(Span::from_secs(61));
    fixture.settle(&queue, held.info.id, decided(later)).await.unwrap();
    assert_eq!(due(fixture, &queue, letter).await, Some(later));
}

/// The store does not evaluate the policy again, which would not allow another retry. The limit of the queue still
/// applies.
pub(in crate::conformance) async fn a_holder_may_decide_on_another_retry(fixture: &StoreFixture) {
    let settings = |settings: &mut QueueSettings| {
        settings.letters.custom_backoff = delays("list 0s");
        settings.max_attempts = 3;
    };
    let queue = fixture.queue_with("dead", settings).await;
    let letter = fixture.capture(&queue, NewLetter { max_retries: 1, ..custom("f-1") }).await.letter;
    for _ in 0..2 {
        let held = fixture.claim_one(&queue).await;
        fixture.settle(&queue, held.info.id, decided(fixture.now())).await.unwrap();
        assert_eq!(due(fixture, &queue, letter).await, Some(fixture.now()));
    }
    let held = fixture.claim_one(&queue).await;
    fixture.settle(&queue, held.info.id, decided(fixture.now())).await.unwrap();
    let info = fixture.info(&queue, letter).await;
    assert_eq!((info.status, info.retries), (Status::Exhausted, 3));
}

pub(in crate::conformance) async fn changed_delays_apply_to_the_next_failure(fixture: &StoreFixture) {
    let queue = queue_with(fixture, "list 7s").await;
    let letter = fixture.capture(&queue, custom("f-1")).await.letter;
    let scheduled = due(fixture, &queue, letter).await;
    set(fixture, &queue, |letters| letters.custom_backoff = delays("list 1s 40s")).await.unwrap();
    fixture.reopen().await;
    assert_eq!(due(fixture, &queue, letter).await, scheduled);
    fixture.advance(Span::from_secs(7));
    fail(fixture, &queue).await;
    assert_eq!(due(fixture, &queue, letter).await, Some(fixture.after(Span::from_secs(40))));
}

pub(in crate::conformance) async fn letters_whose_queue_lost_its_delays_wait_for_an_operator(fixture: &StoreFixture) {
    let queue = queue_with(fixture, "list 7s").await;
    let letter = fixture.capture(&queue, custom("f-1")).await.letter;
    let scheduled = due(fixture, &queue, letter).await;
    set(fixture, &queue, |letters| letters.custom_backoff = None).await.unwrap();
    assert_eq!(due(fixture, &queue, letter).await, scheduled, "the scheduled retry is kept");
    fixture.advance(Span::from_secs(7));
    fail(fixture, &queue).await;
    let info = fixture.info(&queue, letter).await;
    assert_eq!((info.status, info.next_retry_at, info.retries), (Status::Pending, None, 1));
    let held = fixture.claim_by_hand(&queue, letter).await.unwrap();
    fixture.complete(&queue, held.info.id).await.unwrap();
}

pub(in crate::conformance) async fn the_custom_policy_requires_delays_of_the_queue(fixture: &StoreFixture) {
    let queue = fixture.queue("dead").await;
    let captured = fixture.try_capture(&queue, vec![failure("f-1"), custom("f-2")]).await;
    assert_eq!(rejection(captured), Rejection::NoCustomBackoff);
    let letter = fixture.capture(&queue, failure("f-1")).await.letter;
    let edit = Edit {
        queue: queue.clone(),
        letter,
        content: None,
        policy: Some(RetryPolicy::Custom),
        max_retries: Some(9),
        priority: None,
    };
    assert_eq!(rejection(fixture.store().edit(edit).await), Rejection::NoCustomBackoff);
    assert_eq!(fixture.info(&queue, letter).await.max_retries, 3, "the rejected edit changed nothing");
    for policy in [RetryPolicy::Custom, RetryPolicy::Linear] {
        let moved = set(fixture, &queue, |letters| letters.moved_policy = Some(policy.into())).await;
        let default = set(fixture, &queue, |letters| letters.default_policy = Some(policy)).await;
        let expected = if policy == RetryPolicy::Custom { Err(Rejection::NoCustomBackoff) } else { Ok(()) };
        assert_eq!((moved, default), (expected.clone(), expected));
    }
    let mut settings = QueueSettings::new(name("other"));
    settings.letters.moved_policy = Some(RetryPolicy::Custom.into());
    assert_eq!(fixture.rejected_queue(settings.clone()).await, Rejection::NoCustomBackoff);
    settings.letters.custom_backoff = Some(CustomBackoff::function("mine", |_| SECOND));
    assert_eq!(fixture.rejected_queue(settings).await, Rejection::FunctionOfQueue);
}
