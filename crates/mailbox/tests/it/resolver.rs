//! Reply mailboxes: known, allowed, cached.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use redrive_core::Time;
use redrive_mailbox::{
    Mailbox, MailboxBackend, MailboxError, MailboxSettings, MemoryMailboxes, NewMessage, ReceiveSpec, ReplyResolver,
    ReplyResolverBuilder,
};
use redrive_store::ManualClock;

use crate::loops::name;

fn memory() -> MemoryMailboxes {
    MemoryMailboxes::new(Arc::new(ManualClock::new(Time::from_secs(1_800_000_000))))
}

fn with_factory(opened: &Arc<AtomicUsize>) -> ReplyResolverBuilder {
    let (memory, opened) = (memory(), Arc::clone(opened));
    ReplyResolver::builder().factory(move |name| {
        opened.fetch_add(1, Ordering::Relaxed);
        let mailbox = memory.open(name, MailboxSettings::default());
        Box::pin(async move { Ok(mailbox as Arc<dyn MailboxBackend>) })
    })
}

#[tokio::test]
async fn a_sender_cannot_choose_a_mailbox_that_is_not_allowed() {
    let opened = Arc::new(AtomicUsize::new(0));
    let resolver = with_factory(&opened).allow(name("results")).allow_prefix("reply-").build();
    for allowed in ["results", "reply-1", "reply-"] {
        assert_eq!(resolver.resolve(allowed).await.unwrap().name(), &name(allowed));
    }
    let count = opened.load(Ordering::Relaxed);
    for forbidden in ["results2", "Reply-1", "requests", "", "{x}"] {
        let error = resolver.resolve(forbidden).await.unwrap_err();
        assert!(matches!(&error, MailboxError::Resolution { name, .. } if name == forbidden), "{error}");
        assert!(resolver.resolve_optional(forbidden).await.unwrap().is_none());
    }
    assert_eq!(opened.load(Ordering::Relaxed), count, "a forbidden mailbox was opened");
}

#[tokio::test]
async fn a_reply_mailbox_is_opened_once() {
    let opened = Arc::new(AtomicUsize::new(0));
    let resolver = with_factory(&opened).allow_prefix("").build();
    for _ in 0..5 {
        resolver.resolve("replies").await.unwrap();
    }
    assert_eq!(opened.load(Ordering::Relaxed), 1);
    for number in 0..3000 {
        resolver.resolve(&format!("reply {number}")).await.unwrap();
    }
    resolver.resolve("replies").await.unwrap();
    assert!(opened.load(Ordering::Relaxed) <= 3002, "an evicted mailbox is opened again, at most once");
}

#[tokio::test]
async fn a_registered_mailbox_needs_no_factory() {
    let replies = memory().open(name("replies"), MailboxSettings::default());
    let resolver = ReplyResolver::builder().register(replies).build();
    assert!(resolver.resolve("replies").await.is_ok());
    assert!(matches!(resolver.resolve("other").await, Err(MailboxError::Resolution { .. })));
}

#[tokio::test]
async fn an_unknown_reply_address_is_an_error_and_loses_nothing() {
    let backend = memory().open(name("requests"), MailboxSettings::default());
    let message = NewMessage { reply_to: Some(name("nowhere")), ..NewMessage::new("1") };
    backend.send(message).await.unwrap();
    let mailbox: Mailbox<u32, u32> = Mailbox::new(backend);
    let message = mailbox.receive(ReceiveSpec::default()).await.unwrap().remove(0);
    let error = message.reply(&1).await.unwrap_err();
    assert!(matches!(&error, MailboxError::Resolution { name, .. } if name == "nowhere"), "{error}");
    assert!(!message.is_finalized());
    assert_eq!(message.raw().reply_to.as_deref(), Some("nowhere"));
    message.release().await.unwrap();
    assert_eq!(mailbox.approximate_count().await, Ok(1));
}
