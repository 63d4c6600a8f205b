//! What a mailbox accepts.

use std::collections::HashSet;
use std::num::NonZeroU64;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::future::join_all;
use redrive_core::Span;

use crate::conformance::fixture::{
    MailboxFixture, assert_invalid, assert_nothing_visible, counts, id, name, receive, receive_one, send, send_all,
    send_as,
};
use crate::{MailboxError, MailboxSettings, NackSpec, NewMessage};

pub(in crate::conformance) async fn a_message_keeps_its_bytes_and_its_reply_to(fixture: &MailboxFixture) {
    let mailbox = fixture.mailbox().await;
    let bodies: [&[u8]; 4] = [b"", b"\x00\xFF\xC3\x28", b"{\"a\": 1}", "ü\r\n".as_bytes()];
    for body in bodies {
        let reply_to = name("replies: all/of them");
        let message = NewMessage { reply_to: Some(reply_to.clone()), ..NewMessage::new(Bytes::from_static(body)) };
        let sent = mailbox.send(message).await.expect("the message is accepted");
        let got = receive_one(&mailbox).await;
        assert_eq!((got.id(), &*got.body, got.reply_to.as_deref()), (&sent, body, Some(reply_to.as_str())));
        mailbox.acknowledge(&got.handle).await.expect("the handle is valid");
    }
    send(&mailbox, "without").await;
    assert_eq!(receive_one(&mailbox).await.reply_to, None);
}

pub(in crate::conformance) async fn every_message_gets_its_own_id(fixture: &MailboxFixture) {
    let mailbox = fixture.mailbox().await;
    let ids: HashSet<_> = join_all((0..100).map(|_| send(&mailbox, "the same"))).await.into_iter().collect();
    assert_eq!(ids.len(), 100);
    assert_eq!(counts(&mailbox).await, (100, 0, 0));
}

pub(in crate::conformance) async fn an_explicit_id_is_accepted_once(fixture: &MailboxFixture) {
    let mailbox = fixture.mailbox().await;
    for odd in ["a", "with space:and/colon", "{braces}", "ü"] {
        for _ in 0..2 {
            assert_eq!(send_as(&mailbox, odd).await, Ok(id(odd)));
        }
        let got = receive_one(&mailbox).await;
        assert_eq!(got.id(), &id(odd));
        assert_nothing_visible(&mailbox).await;
        assert_eq!(send_as(&mailbox, odd).await, Ok(id(odd)), "while it is leased");
        mailbox.nack(&got.handle, NackSpec::after(Span::from_secs(1))).await.expect("the handle is valid");
        assert_eq!(send_as(&mailbox, odd).await, Ok(id(odd)), "while it is delayed");
        fixture.advance(Span::from_secs(1)).await;
        let got = receive_one(&mailbox).await;
        mailbox.acknowledge(&got.handle).await.expect("the handle is valid");
        assert_eq!(send_as(&mailbox, odd).await, Ok(id(odd)), "after it was acknowledged");
        assert_nothing_visible(&mailbox).await;
    }
    for invalid in ["", "new\nline", &"x".repeat(513)] {
        assert_invalid(&crate::MessageId::new(invalid).map_err(MailboxError::from), "message id");
    }
}

pub(in crate::conformance) async fn an_explicit_id_is_forgotten_at_the_end_of_its_retention(fixture: &MailboxFixture) {
    let settings = MailboxSettings { retention: Span::from_secs(100), ..MailboxSettings::default() };
    let mailbox = fixture.mailbox_with(settings).await;
    send_as(&mailbox, "a").await.expect("the message is accepted");
    let got = receive_one(&mailbox).await;
    mailbox.acknowledge(&got.handle).await.expect("the handle is valid");
    fixture.advance(Span::from_millis(99_999)).await;
    send_as(&mailbox, "a").await.expect("the message is accepted");
    assert_nothing_visible(&mailbox).await;
    fixture.advance(Span::from_millis(1)).await;
    send_as(&mailbox, "a").await.expect("the message is accepted");
    assert_eq!(receive_one(&mailbox).await.delivery_count, 1);
}

pub(in crate::conformance) async fn concurrent_sends_of_an_id_make_one_message(fixture: &MailboxFixture) {
    let mailbox = fixture.mailbox().await;
    let tasks = (0..20).map(|_| {
        let mailbox = Arc::clone(&mailbox);
        tokio::spawn(async move { send_as(&mailbox, "a").await })
    });
    for sent in join_all(tasks).await {
        assert_eq!(sent.expect("the send did not panic"), Ok(id("a")));
    }
    assert_eq!(counts(&mailbox).await, (1, 0, 0));
}

fn small() -> MailboxSettings {
    MailboxSettings { capacity: NonZeroU64::new(3), ..MailboxSettings::default() }
}

pub(in crate::conformance) async fn a_full_mailbox_rejects_messages(fixture: &MailboxFixture) {
    let mailbox = fixture.mailbox_with(small()).await;
    send_all(&mailbox, ["pending", "leased", "delayed"]).await;
    let got = receive(&mailbox, 2).await;
    mailbox.nack(&got[1].handle, NackSpec::after(Span::from_secs(5))).await.expect("the handle is valid");
    assert_eq!(counts(&mailbox).await, (1, 1, 1));
    let full = Err(MailboxError::Full { mailbox: mailbox.name().clone(), capacity: 3 });
    assert_eq!(mailbox.send(NewMessage::new("more")).await, full);
    assert_eq!(send_as(&mailbox, "named").await, full);
    mailbox.acknowledge(&got[0].handle).await.expect("the handle is valid");
    assert_eq!(send_as(&mailbox, "named").await, Ok(id("named")), "a rejected id is not remembered");
    assert_eq!(mailbox.send(NewMessage::new("more")).await, full);
}

pub(in crate::conformance) async fn a_full_mailbox_accepts_an_id_that_it_has(fixture: &MailboxFixture) {
    let mailbox = fixture.mailbox_with(small()).await;
    for text in ["a", "b", "c", "a"] {
        assert_eq!(send_as(&mailbox, text).await, Ok(id(text)));
    }
}

pub(in crate::conformance) async fn a_body_that_is_too_large_is_rejected(fixture: &MailboxFixture) {
    let mailbox = fixture.mailbox_with(MailboxSettings { body_bytes_max: 10, ..MailboxSettings::default() }).await;
    send(&mailbox, "0123456789").await;
    assert_invalid(&mailbox.send(NewMessage::new("0123456789x")).await, "body of");
    assert_eq!(counts(&mailbox).await, (1, 0, 0));
}
