//! What tells a handler that it sees the same work again.

use redrive_core::{Backoff, Policy, Span, Status};
use redrive_model::{Content, Edit, NewItem};
use redrive_store::Store;

use crate::rig::{World, dead, item, policy, run, transient, unbroken};

/// Whoever receives the work tells repetitions by its key: it is the same for every attempt.
#[test]
fn work_without_a_message_id_has_one_name_over_all_its_attempts() {
    run(async {
        let world = World::new().await;
        world.produce([NewItem::of_payload("nameless")]).await;
        let (running, mut desk) = world.start(policy(), unbroken(1)).await;
        let first = desk.next().await;
        let (id, key) = (first.call.id.clone(), first.call.idempotency_key());
        first.fail(transient());
        world.calm().await;
        world.advance(Span::from_secs(10));
        let second = desk.next().await;
        assert_eq!((&second.call.id, &second.call.idempotency_key()), (&id, &key), "after a retry");
        second.answer(redrive_run::Handled::Untouched);
        world.calm().await;
        world.advance(Span::from_secs(5));
        let third = desk.next().await;
        assert_eq!((&third.call.id, &third.call.idempotency_key()), (&id, &key), "after it was given back");
        third.done();
        world.until_empty().await;
        running.stop(Span::ZERO).await;
    });
}

#[test]
fn work_with_a_message_id_is_called_by_it() {
    run(async {
        let world = World::new().await;
        world.produce([item("order-17")]).await;
        let at_once = Policy::builder().max_attempts(3).backoff(Backoff::fixed(Span::ZERO)).build().unwrap();
        let (running, mut desk) = world.start(at_once, unbroken(1)).await;
        let mut keys = Vec::new();
        for _ in 0..2 {
            let seen = desk.next().await;
            assert_eq!(seen.call.id.to_string(), "order-17");
            assert_eq!(seen.call.origin.message_id.as_deref(), Some("order-17"));
            keys.push(seen.call.idempotency_key());
            seen.fail(transient());
        }
        desk.next().await.done();
        assert_eq!(keys[0], keys[1]);
        world.until_empty().await;
        running.stop(Span::ZERO).await;
    });
}

/// Another content is other work; the same content under another attempt is not.
#[test]
fn a_letters_key_changes_with_its_content_and_with_nothing_else() {
    run(async {
        let world = World::new().await;
        let id = world.capture([world.letter("a", "there")]).await[0];
        let (running, mut desk) = world.start_letters(policy(), unbroken(1)).await;
        let first = desk.next().await;
        let key = first.call.idempotency_key();
        first.fail(transient());
        let second = desk.next().await;
        assert_eq!(second.call.idempotency_key(), key);
        running.pause().await;
        second.fail(transient());
        world.until_status(id, Status::Pending).await;
        let edit = Edit {
            queue: dead(),
            letter: id,
            content: Some(std::sync::Arc::new(Content::of_payload("other"))),
            policy: None,
            max_retries: None,
            priority: None,
        };
        world.store.local.edit(edit).await.unwrap();
        running.resume().await;
        let third = desk.next().await;
        assert_eq!(third.payload(), "other");
        assert_ne!(third.call.idempotency_key(), key);
        third.done();
        world.until_status(id, Status::Completed).await;
        running.stop(Span::ZERO).await;
    });
}
