//! Typed mailboxes: bodies, replies, finalised messages.

use std::sync::Arc;

use redrive_core::{Span, Time};
use redrive_mailbox::conformance::FaultyMailbox;
use redrive_mailbox::{
    Body, DeadLetter, LeaseExtension, Mailbox, MailboxBackend, MailboxError, MailboxSettings, MemoryMailboxes,
    MessageId, NackSpec, NewMessage, ReceiveSpec, ReplyResolver,
};
use redrive_store::ManualClock;
use serde::{Deserialize, Serialize};

use crate::loops::name;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Order {
    number: u32,
}

fn clock() -> ManualClock {
    ManualClock::new(Time::from_secs(1_800_000_000))
}

fn memory() -> MemoryMailboxes {
    MemoryMailboxes::new(Arc::new(clock()))
}

fn open(memory: &MemoryMailboxes, text: &str) -> Arc<dyn MailboxBackend> {
    memory.open(name(text), MailboxSettings::default())
}

#[tokio::test]
async fn a_body_that_does_not_decode_is_part_of_its_message() {
    let backend = open(&memory(), "orders");
    let mailbox: Mailbox<Order, ()> = Mailbox::new(Arc::clone(&backend));
    backend.send(NewMessage::new(&b"\xFF garbage"[..])).await.unwrap();
    mailbox.send(&Order { number: 7 }).await.unwrap();
    let got = mailbox.receive(ReceiveSpec { max_messages: 10, ..ReceiveSpec::default() }).await.unwrap();
    assert!(matches!(got[0].body(), Body::Undecodable(_)), "{:?}", got[0]);
    assert_eq!(&*got[0].raw().body, b"\xFF garbage");
    assert_eq!(got[1].body().decoded(), Some(&Order { number: 7 }));
}

/// The text of serde quotes values: `invalid type: string "4111…"`.
#[tokio::test]
async fn no_error_about_a_body_shows_any_of_it() {
    let bodies = [r#"{"number":"4111-secret"}"#, r#"{"4111-secret":1}"#, r#"{"number":4111-secret"#, "4111-secret"];
    for body in bodies {
        let backend = open(&memory(), "orders");
        let mailbox: Mailbox<Order, ()> = Mailbox::new(Arc::clone(&backend));
        backend.send(NewMessage::new(body)).await.unwrap();
        let got = mailbox.receive(ReceiveSpec::default()).await.unwrap().remove(0);
        let Body::Undecodable(why) = got.body() else { panic!("{body} was decoded") };
        let letter = DeadLetter::new(&name("orders"), got.raw(), "failed", "a".to_owned(), got.raw().enqueued_at);
        let texts = [
            why.clone(),
            letter.body_as::<Order>().unwrap_err().to_string(),
            DeadLetter::from_body(body.as_bytes()).unwrap_err().to_string(),
        ];
        for text in texts {
            assert!(text.contains("line 1, column ") && !text.contains("4111"), "{body}: {text}");
        }
    }
    let secret = r#"{"message_id":"m","body_base64":"4111-secret","source_mailbox":"o","delivery_count":1,"last_error":"",
        "last_error_type":"","dead_lettered_at":0,"first_received_at":0,"enqueued_at":0}"#;
    let text = DeadLetter::from_body(secret.as_bytes()).unwrap_err().to_string();
    assert!(text.contains("base64") && !text.contains("4111"), "{text}");
}

#[tokio::test]
async fn the_error_of_a_type_that_cannot_be_encoded_does_not_show_its_text() {
    struct Secret;
    impl Serialize for Secret {
        fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
            Err(serde::ser::Error::custom("card 4111-secret"))
        }
    }
    let mailbox: Mailbox<Secret, ()> = Mailbox::new(open(&memory(), "orders"));
    let error = mailbox.send(&Secret).await.unwrap_err().to_string();
    assert!(!error.contains("4111"), "{error}");
}

#[tokio::test]
async fn a_body_that_cannot_be_encoded_is_not_sent() {
    let mailbox: Mailbox<std::collections::BTreeMap<Vec<u8>, u8>, ()> = Mailbox::new(open(&memory(), "orders"));
    let error = mailbox.send(&[(vec![1], 2)].into()).await.unwrap_err();
    assert!(matches!(error, MailboxError::Serialization(_)), "{error}");
    assert_eq!(mailbox.approximate_count().await, Ok(0));
}

#[tokio::test]
async fn a_settled_message_accepts_no_further_operation() {
    let memory = memory();
    let (backend, letters) = (open(&memory, "orders"), open(&memory, "letters"));
    let mailbox: Mailbox<u32, u32> = Mailbox::new(backend);
    for kind in 0..4 {
        mailbox.send_expecting_reply(&1, &name("letters")).await.unwrap();
        let message = mailbox.receive(ReceiveSpec::default()).await.unwrap().remove(0);
        let letter_id = MessageId::of_letter(mailbox.name(), message.id(), message.raw().enqueued_at);
        let letter = NewMessage { id: Some(letter_id), ..NewMessage::new("l") };
        match kind {
            0 => message.acknowledge().await.unwrap(),
            1 => message.nack(NackSpec::default()).await.unwrap(),
            2 => message.release().await.unwrap(),
            _ => message.dead_letter(letter.clone(), &*letters).await.unwrap(),
        }
        assert!(message.is_finalized());
        let finalized = Err(MailboxError::MessageFinalized(message.id().clone()));
        assert_eq!(message.acknowledge().await, finalized);
        assert_eq!(message.nack(NackSpec::default()).await, finalized);
        assert_eq!(message.release().await, finalized);
        assert_eq!(message.dead_letter(letter, &*letters).await, finalized);
        assert!(matches!(message.extend(LeaseExtension::to(Span::ZERO)).await, Err(MailboxError::MessageFinalized(_))));
        assert!(matches!(message.reply(&1).await, Err(MailboxError::MessageFinalized(_))));
        mailbox.purge().await.unwrap();
    }
}

/// A message must not count as settled before the backend has confirmed it.
#[tokio::test]
async fn a_settlement_without_confirmation_may_be_repeated() {
    let backend = Arc::new(FaultyMailbox::new(open(&memory(), "orders")));
    let mailbox: Mailbox<u32, ()> = Mailbox::new(Arc::clone(&backend) as Arc<dyn MailboxBackend>);
    mailbox.send(&1).await.unwrap();
    let message = mailbox.receive(ReceiveSpec::default()).await.unwrap().remove(0);
    backend.fail_next(1);
    assert!(matches!(message.acknowledge().await, Err(MailboxError::Connection { .. })));
    assert!(!message.is_finalized());
    message.acknowledge().await.unwrap();
}

#[tokio::test]
async fn a_terminal_reply_is_sent_once_over_all_deliveries() {
    let memory = memory();
    let replies = open(&memory, "replies");
    let resolver = ReplyResolver::builder().register(Arc::clone(&replies)).build();
    let mailbox: Mailbox<u32, String> = Mailbox::new(open(&memory, "requests")).with_resolver(resolver);
    mailbox.send_expecting_reply(&1, &name("replies")).await.unwrap();
    for _ in 0..3 {
        let message = mailbox.receive(ReceiveSpec::default()).await.unwrap().remove(0);
        message.reply(&"progress".to_owned()).await.unwrap();
        message.reply_once(&"done".to_owned()).await.unwrap();
        message.nack(NackSpec::default()).await.unwrap();
    }
    let replies: Mailbox<String, ()> = Mailbox::new(replies);
    let got = replies.receive(ReceiveSpec { max_messages: 10, ..ReceiveSpec::default() }).await.unwrap();
    let count = |text: &str| got.iter().filter(|reply| reply.body().decoded().unwrap() == text).count();
    assert_eq!((count("progress"), count("done")), (3, 1));
    assert!(got.iter().all(|reply| reply.raw().reply_to.is_none()), "a reply expects no reply");
}

#[tokio::test]
async fn a_message_without_reply_to_cannot_be_replied_to() {
    let mailbox: Mailbox<u32, u32> = Mailbox::new(open(&memory(), "requests"));
    mailbox.send(&1).await.unwrap();
    let message = mailbox.receive(ReceiveSpec::default()).await.unwrap().remove(0);
    assert_eq!(message.reply(&1).await, Err(MailboxError::ReplyNotAvailable(message.id().clone())));
    message.acknowledge().await.unwrap();
}

/// Another holder may be working on the message, and will reply.
#[tokio::test]
async fn a_holder_that_lost_its_lease_sends_no_terminal_reply() {
    let clock = clock();
    let memory = MemoryMailboxes::new(Arc::new(clock.clone()));
    let replies = open(&memory, "replies");
    let resolver = ReplyResolver::builder().register(Arc::clone(&replies)).build();
    let mailbox: Mailbox<u32, u32> = Mailbox::new(open(&memory, "requests")).with_resolver(resolver);
    mailbox.send_expecting_reply(&1, &name("replies")).await.unwrap();
    let message = mailbox.receive(ReceiveSpec::default()).await.unwrap().remove(0);
    clock.advance(Span::from_secs(30));
    assert_eq!(message.reply_once(&1).await, Err(MailboxError::ReceiptHandleExpired(message.id().clone())));
    assert_eq!(replies.counts().await.unwrap().total(), 0);
}

/// The reply mailbox may remember ids longer than the mailbox of requests does.
#[tokio::test]
async fn an_id_that_is_used_again_gets_another_terminal_reply() {
    let clock = clock();
    let memory = MemoryMailboxes::new(Arc::new(clock.clone()));
    let forever = MailboxSettings { retention: Span::ZERO, ..MailboxSettings::default() };
    let replies: Arc<dyn MailboxBackend> = memory.open(name("replies"), forever);
    let resolver = ReplyResolver::builder().register(Arc::clone(&replies)).build();
    let mailbox: Mailbox<u32, u32> = Mailbox::new(open(&memory, "requests")).with_resolver(resolver);
    for sent in 1..=2 {
        mailbox.send_once(MessageId::new("a").unwrap(), &1, Some(&name("replies"))).await.unwrap();
        let message = mailbox.receive(ReceiveSpec::default()).await.unwrap().remove(0);
        message.reply_once(&1).await.unwrap();
        message.acknowledge().await.unwrap();
        assert_eq!(replies.counts().await.unwrap().total(), sent);
        clock.advance(Span::from_days(7));
    }
}
