//! Exhausted letters get their retries back.

use std::sync::Arc;

use redrive_core::{Category, LetterId, Outcome, QueueName, RetryPolicy, Status};
use redrive_model::{
    Annotate, BulkResult, Cause, Edit, Event, ItemState, LetterRevision, LetterSelector, NewLetter, Purge, Rejection,
    Resume,
};

use crate::conformance::fixture::StoreFixture;
use crate::conformance::samples::{DAY, HOUR, INSTANT, MINUTE, SECOND, failed, failure, rejection};

fn resume(queue: &QueueName, letters: impl IntoIterator<Item = impl Into<LetterSelector>>) -> Resume {
    let letters = letters.into_iter().map(Into::into).collect();
    Resume { queue: queue.clone(), letters, actor: Some(Arc::from("ops")) }
}

/// A letter whose retries all failed.
async fn exhausted(fixture: &StoreFixture, queue: &QueueName, new: NewLetter) -> LetterId {
    let letter = fixture.capture(queue, new).await.letter;
    while fixture.status(queue, letter).await == Status::Pending {
        fixture.advance(HOUR);
        fail_retry(fixture, queue).await;
    }
    letter
}

async fn fail_retry(fixture: &StoreFixture, queue: &QueueName) {
    let held = fixture.claim_one(queue).await;
    fixture.settle(queue, held.info.id, failed("it is down", Category::Transient)).await.unwrap();
}

pub(in crate::conformance) async fn a_resumed_letter_has_all_its_retries_again(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let letter = exhausted(fixture, &dead_queue, NewLetter { max_retries: 2, ..failure("f") }).await;
    fixture.advance(DAY);
    let before = fixture.record(&dead_queue, letter).await;
    let resumed = fixture.store().resume(resume(&dead_queue, [letter])).await.unwrap();
    assert_eq!(resumed, [BulkResult::Done]);
    let after = fixture.record(&dead_queue, letter).await;
    assert_ne!(after.info.id, before.info.id, "the id of an earlier holder becomes stale");
    assert_eq!(after.info.state, ItemState::Due { at: fixture.after(MINUTE) }, "scheduled as after its capture");
    assert_eq!(after.last_error(), "it is down", "a resume is no failure");
    let (old, new) = (before.info.letter.unwrap(), after.info.letter.unwrap());
    assert_eq!((old.status, old.retries), (Status::Exhausted, 2));
    assert_eq!((new.status, new.retries, new.max_retries, new.ended_at), (Status::Pending, 0, 2, None));
    assert_eq!(new.total_attempts, old.total_attempts, "the attempts so far still count");
    assert_eq!(new.revision, old.revision + 1);
    assert_eq!(after.attempts[..3], before.attempts);
    let record = &after.attempts[3];
    assert_eq!((record.cause, record.outcome), (Some(Cause::Resumed), Outcome::Deferred));
    assert_eq!((record.actor.as_deref(), record.ended_at), (Some("ops"), Some(fixture.now())));
    assert_eq!(fixture.stats(&dead_queue).await.counts.of(Event::Resumed), 1);

    fixture.advance(MINUTE.saturating_sub(INSTANT));
    assert!(fixture.claim(&dead_queue, 1).await.is_empty());
    fixture.advance(INSTANT);
    for retry in 1..=2 {
        fail_retry(fixture, &dead_queue).await;
        let info = fixture.info(&dead_queue, letter).await;
        assert_eq!((info.retries, info.total_attempts), (retry, 3 + retry));
        fixture.advance(HOUR);
    }
    assert_eq!(fixture.status(&dead_queue, letter).await, Status::Exhausted);
    assert_eq!(fixture.stats(&dead_queue).await.counts.of(Event::Exhausted), 2);
}

pub(in crate::conformance) async fn only_exhausted_letters_with_retries_are_resumed(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let spent = exhausted(fixture, &dead_queue, NewLetter { max_retries: 1, ..failure("spent") }).await;
    let none = exhausted(fixture, &dead_queue, NewLetter { max_retries: 0, ..failure("none") }).await;
    let claimed = exhausted(fixture, &dead_queue, NewLetter { max_retries: 1, ..failure("claimed") }).await;
    let archived = exhausted(fixture, &dead_queue, NewLetter { max_retries: 1, ..failure("archived") }).await;
    let pending = fixture.capture(&dead_queue, failure("pending")).await.letter;
    fixture.claim_by_hand(&dead_queue, claimed).await.unwrap();
    fixture.archive(&dead_queue, archived).await;
    let before = fixture.record(&dead_queue, none).await;
    let all = resume(&dead_queue, [spent, none, pending, claimed, archived, spent]);
    let resumed = fixture.store().resume(all).await.unwrap();
    use BulkResult::{Done, NoRetries, NotExhausted};
    assert_eq!(resumed, [Done, NoRetries, NotExhausted, NotExhausted, NotExhausted, NotExhausted]);
    assert_eq!(fixture.record(&dead_queue, none).await, before);
    assert_eq!(fixture.stats(&dead_queue).await.counts.of(Event::Resumed), 1);
}

pub(in crate::conformance) async fn a_letter_changed_since_it_was_read_is_not_resumed(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let mut seen = Vec::new();
    for id in ["same", "changed", "gone"] {
        let id = exhausted(fixture, &dead_queue, NewLetter { max_retries: 1, ..failure(id) }).await;
        seen.push(LetterRevision { id, revision: fixture.info(&dead_queue, id).await.revision });
    }
    let note = Annotate { queue: dead_queue.clone(), letter: seen[1].id, note: "wait".into() };
    fixture.store().annotate(note).await.unwrap();
    let purge = Purge { queue: dead_queue.clone(), letters: vec![seen[2].id] };
    assert_eq!(fixture.store().purge(purge).await, Ok(1));
    let resumed = fixture.store().resume(resume(&dead_queue, seen.clone())).await.unwrap();
    assert_eq!(resumed, [BulkResult::Done, BulkResult::Changed, BulkResult::Gone]);
    assert_eq!(fixture.status(&dead_queue, seen[1].id).await, Status::Exhausted);

    let unknown = resume(&dead_queue, [seen[1].id, seen[2].id]);
    assert_eq!(rejection(fixture.store().resume(unknown).await), Rejection::NoSuchLetter(seen[2].id));
    assert_eq!(fixture.status(&dead_queue, seen[1].id).await, Status::Exhausted, "all letters or none");
}

/// `max_attempts` of the queue bounds the retries, too: its count starts again with the retries of the letter.
pub(in crate::conformance) async fn a_resumed_letter_has_the_attempts_of_its_queue_again(fixture: &StoreFixture) {
    let dead_queue = fixture.queue_with("dead", |settings| settings.max_attempts = 2).await;
    let letter = exhausted(fixture, &dead_queue, NewLetter { max_retries: 9, ..failure("f") }).await;
    assert_eq!(fixture.info(&dead_queue, letter).await.retries, 2);
    fixture.store().resume(resume(&dead_queue, [letter])).await.unwrap();
    for _ in 0..2 {
        assert_eq!(fixture.status(&dead_queue, letter).await, Status::Pending);
        fixture.advance(HOUR);
        fail_retry(fixture, &dead_queue).await;
    }
    assert_eq!(fixture.status(&dead_queue, letter).await, Status::Exhausted);
}

pub(in crate::conformance) async fn a_resumed_letter_that_is_never_retried_waits_for_an_operator(
    fixture: &StoreFixture,
) {
    let dead_queue = fixture.queue("dead").await;
    let letter = exhausted(fixture, &dead_queue, NewLetter { max_retries: 1, ..failure("f") }).await;
    let edit = Edit {
        queue: dead_queue.clone(),
        letter,
        content: None,
        policy: Some(RetryPolicy::Never),
        max_retries: None,
        priority: None,
    };
    fixture.store().edit(edit).await.unwrap();
    assert_eq!(fixture.status(&dead_queue, letter).await, Status::Exhausted, "a spent budget takes precedence");
    fixture.store().resume(resume(&dead_queue, [letter])).await.unwrap();
    let info = fixture.record(&dead_queue, letter).await.info;
    assert_eq!((info.letter.unwrap().status, info.state), (Status::Pending, ItemState::Ready));
}

/// A queue may archive exhausted letters automatically; a letter that was resumed is not exhausted.
pub(in crate::conformance) async fn a_resumed_letter_is_not_archived_automatically(fixture: &StoreFixture) {
    let dead_queue = fixture.queue_with("dead", |settings| settings.letters.auto_archive = Some(HOUR)).await;
    let letter = exhausted(fixture, &dead_queue, NewLetter { max_retries: 1, ..failure("f") }).await;
    fixture.advance(HOUR.saturating_sub(SECOND));
    fixture.store().resume(resume(&dead_queue, [letter])).await.unwrap();
    fixture.advance(DAY);
    assert_eq!(fixture.status(&dead_queue, letter).await, Status::Pending);
}
