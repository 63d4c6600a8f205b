//! Letters that go back to the queue in which their item died.

use std::sync::Arc;

use async_trait::async_trait;
use redrive_core::{LetterId, QueueName, Span, Status};
use redrive_model::{CreateQueue, DeleteQueue, Origin, QueueSettings, UpdateQueue};
use redrive_run::{Call, HandBack, Handled, OriginTarget};

use super::fixture::processor;
use crate::fixture::{Fixture, dead, policy, queue_name, with_fixture, without_breaker};

/// Produces an item in `orders` that dies there, and returns its letter.
async fn dead_item(fixture: &Fixture) -> LetterId {
    let (running, mut inbox) = fixture.start_item(policy(), without_breaker(1)).await;
    inbox.next().await.fail(crate::fixture::permanent());
    fixture.until_letters(1).await;
    running.stop(Span::ZERO).await;
    fixture.only_letter().await.info.letter.unwrap().id
}

#[test]
fn a_letter_goes_back_to_its_queue_of_origin() {
    with_fixture(async |fixture| {
        let letter = dead_item(&fixture).await;
        let processor = processor(&fixture, Some(Arc::new(OriginTarget::new(fixture.store(), dead()))));
        assert!(processor.retry(&dead(), letter, "ann").await.unwrap().is_success());
        let items = fixture.items("orders").await;
        assert_eq!((items.len(), &*items[0].content.payload), (1, &b"a"[..]));
        assert_eq!(items[0].info.attempts, 0, "the attempts start over");
        fixture.assert_conserved().await;
    });
}

#[test]
fn a_letter_whose_queue_of_origin_does_not_exist_stays_pending() {
    with_fixture(async |fixture| {
        let letter = dead_item(&fixture).await;
        fixture.store().delete_queue(DeleteQueue { name: queue_name("orders"), force: true }).await.unwrap();
        let elsewhere = fixture.capture([fixture.letter("b", "x")]).await[0];
        let processor = processor(&fixture, Some(Arc::new(OriginTarget::new(fixture.store(), dead()))));
        for (letter, why) in
            [(letter, "no such queue named 'orders'"), (elsewhere, "an origin of the transport 'test', only to: queue")]
        {
            let retried = processor.retry(&dead(), letter, "ann").await.unwrap();
            assert_eq!(retried.status(), Some(Status::Pending));
            assert!(retried.attempt.unwrap().error.contains(why));
        }
        let queues: Vec<&QueueName> = processor.queues().collect();
        assert_eq!(queues, [&dead()]);
    });
}

/// The origin of a captured letter is whatever the caller of the capture claims.
#[test]
fn a_letter_does_not_go_back_into_another_namespace() {
    with_fixture(async |fixture| {
        let theirs =
            QueueSettings { namespace: Some("b".parse().unwrap()), ..QueueSettings::new(queue_name("theirs")) };
        fixture.store().create_queue(CreateQueue { settings: theirs }).await.unwrap();
        let mut work = fixture.letter("b", "x");
        work.context.origin = Origin { transport: "queue".into(), name: "theirs".into(), ..Origin::default() };
        let letter = fixture.capture([work]).await[0];
        let processor = processor(&fixture, Some(Arc::new(OriginTarget::new(fixture.store(), dead()))));
        let retried = processor.retry(&dead(), letter, "ann").await.unwrap();
        assert!(retried.attempt.unwrap().error.contains("no such queue named 'theirs'"));
        assert!(fixture.items("theirs").await.is_empty());
        // With this dead queue, its owner allows letters to come back from here.
        let update = UpdateQueue { dead_queue: Some(Some(dead())), ..UpdateQueue::of(queue_name("theirs")) };
        fixture.store().update_queue(update).await.unwrap();
        assert!(processor.retry(&dead(), letter, "ann").await.unwrap().is_success());
        assert_eq!(fixture.items("theirs").await.len(), 1);
    });
}

/// Takes back what comes from the transport `test`, if its origin is `allowed`.
struct TestHandBack;

#[async_trait]
impl HandBack for TestHandBack {
    fn transport(&self) -> &'static str {
        "test"
    }

    async fn hand_back(&self, call: &Call) -> Handled {
        match &*call.origin.name {
            "allowed" => Handled::DONE,
            _ => Handled::failed(crate::fixture::permanent()),
        }
    }
}

#[test]
fn a_registered_transport_decides_about_the_letters_of_its_origins() {
    with_fixture(async |fixture| {
        let dead_item = dead_item(&fixture).await;
        let letters = fixture.capture([fixture.letter("b", "allowed"), fixture.letter("c", "other")]).await;
        let target = OriginTarget::new(fixture.store(), dead()).with(Arc::new(TestHandBack));
        let processor = processor(&fixture, Some(Arc::new(target)));
        for (letter, status) in
            [(letters[0], Status::Completed), (letters[1], Status::Pending), (dead_item, Status::Completed)]
        {
            assert_eq!(processor.retry(&dead(), letter, "ann").await.unwrap().status(), Some(status));
        }
        assert_eq!(fixture.items("orders").await.len(), 1, "queues are built in");
    });
}
