//! Every mutating operation whose reply is lost takes effect once, and its repetition gets the answer.

use std::sync::Arc;

use redrive_core::Span;
use redrive_mailbox::{
    LeaseExtension, MailboxBackend, MailboxSettings, MessageId, NackSpec, NewMessage, RawMessage, ReceiveSpec,
};
use redrive_redis::{RedisClient, RedisMailbox, RedisSettings};

use crate::fixture::{Proxy, name, namespace, open, receive, send, server};

struct Fixture {
    namespace: String,
    proxy: Proxy,
    mailbox: Arc<RedisMailbox>,
    letters: Arc<RedisMailbox>,
}

impl Fixture {
    async fn new() -> Self {
        let proxy = Proxy::start(server().strip_prefix("redis://").unwrap()).await;
        let namespace = namespace();
        let settings = RedisSettings { namespace: namespace.clone(), ..RedisSettings::new(&proxy.url) };
        let client = RedisClient::connect(settings).await.unwrap();
        let mailbox = client.mailbox(&name("requests"), MailboxSettings::default()).await.unwrap();
        let letters = client.letters(&name("requests"), &name("dlq"), MailboxSettings::of_letters()).await.unwrap();
        Self { namespace, proxy, mailbox, letters }
    }

    async fn received(&self) -> RawMessage {
        send(&self.mailbox, "a").await;
        receive(&self.mailbox).await.remove(0)
    }

    /// Performs an operation whose reply is lost.
    async fn lossy<T>(&self, operation: impl Future<Output = T>) -> T {
        self.proxy.lose_next_reply();
        let output = operation.await;
        assert!(self.proxy.has_lost(), "no reply was lost");
        output
    }

    async fn counts(&self) -> (u64, u64, u64) {
        let counts = self.mailbox.counts().await.unwrap();
        (counts.pending, counts.leased, counts.delayed)
    }
}

#[tokio::test]
async fn a_message_is_sent_once() {
    let fixture = Fixture::new().await;
    fixture.lossy(send(&fixture.mailbox, "a")).await;
    let named = NewMessage { id: Some(MessageId::new("b").unwrap()), ..NewMessage::new("b") };
    fixture.lossy(fixture.mailbox.send(named)).await.unwrap();
    assert_eq!(fixture.counts().await, (2, 0, 0));
}

#[tokio::test]
async fn a_receive_returns_what_it_leased() {
    let fixture = Fixture::new().await;
    for body in ["a", "b", "c"] {
        send(&fixture.mailbox, body).await;
    }
    let spec = ReceiveSpec { max_messages: 2, ..ReceiveSpec::default() };
    let received = fixture.lossy(fixture.mailbox.receive(spec)).await.unwrap();
    assert_eq!(
        received.iter().map(|message| (&*message.body, message.delivery_count)).collect::<Vec<_>>(),
        [(&b"a"[..], 1), (&b"b"[..], 1)]
    );
    assert_eq!(fixture.counts().await, (1, 2, 0));
    for message in received {
        fixture.mailbox.acknowledge(&message.handle).await.unwrap();
    }
}

#[tokio::test]
async fn an_acknowledgement_is_not_stale_when_it_is_repeated() {
    let fixture = Fixture::new().await;
    let message = fixture.received().await;
    fixture.lossy(fixture.mailbox.acknowledge(&message.handle)).await.unwrap();
    assert_eq!(fixture.counts().await, (0, 0, 0));
}

#[tokio::test]
async fn a_return_is_charged_and_delivered_once() {
    let fixture = Fixture::new().await;
    let message = fixture.received().await;
    let spec = NackSpec { charge: false, ..NackSpec::default() };
    fixture.lossy(fixture.mailbox.nack(&message.handle, spec)).await.unwrap();
    let again = receive(&fixture.mailbox).await;
    assert_eq!(again.len(), 1);
    assert_eq!((again[0].delivery_count, again[0].uncharged), (2, 1));
}

#[tokio::test]
async fn a_release_restores_the_count_once() {
    let fixture = Fixture::new().await;
    let message = fixture.received().await;
    fixture.mailbox.nack(&message.handle, NackSpec::default()).await.unwrap();
    let message = receive(&fixture.mailbox).await.remove(0);
    fixture.lossy(fixture.mailbox.release(&message.handle)).await.unwrap();
    let again = receive(&fixture.mailbox).await;
    assert_eq!(again.len(), 1);
    assert_eq!(again[0].delivery_count, 2);
}

#[tokio::test]
async fn an_extension_returns_its_deadline() {
    let fixture = Fixture::new().await;
    let message = fixture.received().await;
    let extension = LeaseExtension::to(Span::from_mins(10));
    let deadline = fixture.lossy(fixture.mailbox.extend(&message.handle, extension)).await.unwrap();
    assert!(deadline > message.deadline);
    // The repetition did not extend it a second time.
    let kept = fixture.mailbox.extend(&message.handle, LeaseExtension::to(Span::ZERO)).await.unwrap();
    assert_eq!(kept, deadline);
}

#[tokio::test]
async fn a_hand_over_makes_one_letter() {
    let fixture = Fixture::new().await;
    let message = fixture.received().await;
    let id = MessageId::of_letter(fixture.mailbox.name(), message.id(), message.enqueued_at);
    let letter = NewMessage { id: Some(id), ..NewMessage::new("letter") };
    fixture.lossy(fixture.mailbox.dead_letter(&message.handle, letter, &*fixture.letters)).await.unwrap();
    assert_eq!(fixture.counts().await, (0, 0, 0));
    assert_eq!(fixture.letters.counts().await.unwrap().total(), 1);
}

#[tokio::test]
async fn a_purge_returns_its_count_and_spares_what_is_sent_after_it() {
    let fixture = Fixture::new().await;
    send(&fixture.mailbox, "before").await;
    let other = RedisSettings { namespace: fixture.namespace.clone(), ..RedisSettings::new(server()) };
    let other = open(other).await;
    fixture.proxy.lose_next_reply_and_close();
    let purge = tokio::spawn({
        let mailbox = Arc::clone(&fixture.mailbox);
        async move { mailbox.purge().await }
    });
    while !fixture.proxy.has_lost() {
        tokio::task::yield_now().await;
    }
    send(&other, "after").await;
    fixture.proxy.open();
    assert_eq!(purge.await.unwrap(), Ok(1));
    assert_eq!(&*receive(&other).await.remove(0).body, b"after");
}
