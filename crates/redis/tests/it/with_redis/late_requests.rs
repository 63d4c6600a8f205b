//! A request that reaches the server after its repetition was answered has no effect.

use std::num::NonZeroU64;
use std::sync::Arc;

use redrive_mailbox::{MailboxBackend, MailboxError, MailboxSettings, MessageId, NewMessage, ReceiveSpec};
use redrive_redis::{RedisClient, RedisMailbox, RedisSettings};

use crate::fixture::{Proxy, name, namespace, receive, send, server};

struct Fixture {
    proxy: Proxy,
    mailbox: Arc<RedisMailbox>,
    letters: Arc<RedisMailbox>,
}

impl Fixture {
    /// Both mailboxes hold at most one message. The server knows all scripts.
    async fn new() -> Self {
        let proxy = Proxy::start(server().strip_prefix("redis://").unwrap()).await;
        let settings = RedisSettings { namespace: namespace(), ..RedisSettings::new(&proxy.url) };
        let client = RedisClient::connect(settings).await.unwrap();
        let small = MailboxSettings { capacity: NonZeroU64::new(1), ..MailboxSettings::default() };
        let mailbox = client.mailbox(&name("requests"), small.clone()).await.unwrap();
        let letters = client.letters(&name("requests"), &name("dlq"), small).await.unwrap();
        let fixture = Self { proxy, mailbox, letters };
        send(&fixture.mailbox, "a").await;
        let got = receive(&fixture.mailbox).await.remove(0);
        let letter = letter("warm-up");
        fixture.mailbox.dead_letter(&got.handle, letter, &*fixture.letters).await.unwrap();
        fixture.letters.purge().await.unwrap();
        fixture
    }

    fn full(mailbox: &RedisMailbox) -> MailboxError {
        MailboxError::Full { mailbox: mailbox.name().clone(), capacity: 1 }
    }
}

fn letter(id: &str) -> NewMessage {
    NewMessage { id: Some(MessageId::new(id).unwrap()), ..NewMessage::new("letter") }
}

#[tokio::test]
async fn a_late_receive_leases_nothing() {
    let fixture = Fixture::new().await;
    fixture.proxy.hold_next_request();
    assert_eq!(fixture.mailbox.receive(ReceiveSpec::default()).await, Ok(Vec::new()));
    send(&fixture.mailbox, "a").await;
    fixture.proxy.deliver_held_request().await;
    assert_eq!(receive(&fixture.mailbox).await.len(), 1, "a request that was given up has leased the message");
}

#[tokio::test]
async fn a_late_send_that_was_rejected_adds_nothing() {
    for id in [None, Some(MessageId::new("named").unwrap())] {
        let fixture = Fixture::new().await;
        send(&fixture.mailbox, "a").await;
        fixture.proxy.hold_next_request();
        let message = NewMessage { id, ..NewMessage::new("b") };
        assert_eq!(fixture.mailbox.send(message.clone()).await, Err(Fixture::full(&fixture.mailbox)));
        let got = receive(&fixture.mailbox).await.remove(0);
        fixture.mailbox.acknowledge(&got.handle).await.unwrap();
        fixture.proxy.deliver_held_request().await;
        assert_eq!(fixture.mailbox.counts().await.unwrap().total(), 0, "a rejected message was added");
        fixture.mailbox.send(message).await.unwrap();
        assert_eq!(fixture.mailbox.counts().await.unwrap().total(), 1);
    }
}

#[tokio::test]
async fn a_late_hand_over_that_was_rejected_moves_nothing() {
    let fixture = Fixture::new().await;
    fixture.letters.send(letter("an earlier letter")).await.unwrap();
    send(&fixture.mailbox, "a").await;
    let got = receive(&fixture.mailbox).await.remove(0);
    fixture.proxy.hold_next_request();
    let handed_over = fixture.mailbox.dead_letter(&got.handle, letter("l"), &*fixture.letters).await;
    assert_eq!(handed_over, Err(Fixture::full(&fixture.letters)));
    fixture.letters.purge().await.unwrap();
    fixture.proxy.deliver_held_request().await;
    assert_eq!(fixture.letters.counts().await.unwrap().total(), 0);
    fixture.mailbox.acknowledge(&got.handle).await.unwrap();
}
