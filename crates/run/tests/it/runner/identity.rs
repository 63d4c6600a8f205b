//! Ids and idempotency keys, by which a handler recognises repeated work.

use redrive_core::{Backoff, Policy, Span, Status};
use redrive_model::{Content, Edit, NewItem};
use redrive_store::Store;

use crate::fixture::{dead, item, policy, transient, with_fixture, without_breaker};

/// The receiver detects repetitions by the idempotency key.
#[test]
fn work_without_a_message_id_has_the_same_id_and_key_in_every_attempt() {
    with_fixture(async |fixture| {
        fixture.produce([NewItem::of_payload("without id")]).await;
        let (running, mut inbox) = fixture.start(policy(), without_breaker(1)).await;
        let first = inbox.next().await;
        let (id, key) = (first.call.id.clone(), first.call.idempotency_key());
        first.fail(transient());
        fixture.advance_when_idle(Span::from_secs(10)).await;
        let second = inbox.next().await;
        assert_eq!((&second.call.id, &second.call.idempotency_key()), (&id, &key), "after a retry");
        second.answer(redrive_run::Handled::Untouched);
        fixture.advance_when_idle(Span::from_secs(5)).await;
        let third = inbox.next().await;
        assert_eq!((&third.call.id, &third.call.idempotency_key()), (&id, &key), "after it was returned untouched");
        third.done();
        fixture.stop_when_empty(running).await;
    });
}

#[test]
fn the_message_id_is_the_id_of_the_work() {
    with_fixture(async |fixture| {
        fixture.produce([item("order-17")]).await;
        let no_delay = Policy::builder().max_attempts(3).backoff(Backoff::fixed(Span::ZERO)).build().unwrap();
        let (running, mut inbox) = fixture.start(no_delay, without_breaker(1)).await;
        let mut keys = Vec::new();
        for _ in 0..2 {
            let pending = inbox.next().await;
            assert_eq!(pending.call.id.to_string(), "order-17");
            assert_eq!(pending.call.origin.message_id.as_deref(), Some("order-17"));
            keys.push(pending.call.idempotency_key());
            pending.fail(transient());
        }
        inbox.next().await.done();
        assert_eq!(keys[0], keys[1]);
        fixture.stop_when_empty(running).await;
    });
}

#[test]
fn the_idempotency_key_of_a_letter_changes_only_with_its_content() {
    with_fixture(async |fixture| {
        let id = fixture.capture([fixture.letter("a", "there")]).await[0];
        let (running, mut inbox) = fixture.start_letters(policy(), without_breaker(1)).await;
        let first = inbox.next().await;
        let key = first.call.idempotency_key();
        first.fail(transient());
        let second = inbox.next().await;
        assert_eq!(second.call.idempotency_key(), key);
        running.pause().await;
        second.fail(transient());
        fixture.until_status(id, Status::Pending).await;
        let edit = Edit {
            queue: dead(),
            letter: id,
            content: Some(std::sync::Arc::new(Content::of_payload("other"))),
            policy: None,
            max_retries: None,
            priority: None,
        };
        fixture.store.local.edit(edit).await.unwrap();
        running.resume().await;
        let third = inbox.next().await;
        assert_eq!(third.payload(), "other");
        assert_ne!(third.call.idempotency_key(), key);
        third.done();
        fixture.until_status(id, Status::Completed).await;
        running.stop(Span::ZERO).await;
    });
}
