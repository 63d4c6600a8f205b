//! Reading without a lease, and leasing by id.

use std::collections::BTreeMap;
use std::sync::Arc;

use redrive_core::Span;
use tokio::task::JoinSet;

use crate::conformance::fixture::{
    LEASE, MailboxFixture, SharedMailbox, assert_invalid, assert_nothing_visible, bodies, counts, id, name, receive,
    receive_one, send, send_as, stale,
};
use crate::{BrowseCursor, BrowsedMessage, MailboxSettings, MessageId, NackSpec, NewMessage};

/// All messages, each once.
async fn browse_all(mailbox: &SharedMailbox, most: u32) -> BTreeMap<MessageId, BrowsedMessage> {
    let (mut found, mut from) = (BTreeMap::new(), None);
    loop {
        let page = mailbox.browse(from.as_ref(), most).await.expect("the backend is available");
        found.extend(page.messages.into_iter().map(|message| (message.id.clone(), message)));
        match page.next {
            Some(next) => from = Some(next),
            None => return found,
        }
    }
}

pub(in crate::conformance) async fn browsing_finds_every_message_and_changes_nothing(fixture: &MailboxFixture) {
    const MESSAGES: usize = 700;
    let mailbox = fixture.mailbox().await;
    for number in 0..MESSAGES {
        let reply_to = (number == 0).then(|| name("replies"));
        let message = NewMessage { reply_to, ..NewMessage::new(format!("a body of message {number}, {:080}", 0)) };
        mailbox.send(message).await.expect("the message is accepted");
    }
    let got = receive(&mailbox, 2).await;
    mailbox.nack(&got[1].handle, NackSpec::after(Span::from_secs(100))).await.expect("the handle is valid");
    let before = counts(&mailbox).await;
    for most in [1, 100, 1000] {
        let found = browse_all(&mailbox, most).await;
        assert_eq!(found.len(), MESSAGES);
        let numbers = found.values().filter(|message| message.body.starts_with(b"a body of message "));
        assert_eq!(numbers.count(), MESSAGES);
        let leased = &found[got[0].id()];
        assert_eq!((leased.is_leased, leased.delivery_count, leased.reply_to.as_deref()), (true, 1, Some("replies")));
        let delayed = &found[got[1].id()];
        assert_eq!((delayed.is_leased, delayed.delivery_count, delayed.reply_to.as_deref()), (false, 1, None));
        assert_eq!((&delayed.body, delayed.enqueued_at), (&got[1].body, got[1].enqueued_at));
        let rest = found.values().filter(|message| !message.is_leased && message.delivery_count == 0);
        assert_eq!(rest.count(), MESSAGES - 2);
    }
    assert_eq!(counts(&mailbox).await, before);
    mailbox.acknowledge(&got[0].handle).await.expect("the lease still lasts");
    fixture.advance(LEASE).await;
    assert!(browse_all(&mailbox, 100).await.values().all(|message| !message.is_leased), "the lease has ended");
}

pub(in crate::conformance) async fn browsing_finds_no_message_beyond_its_retention(fixture: &MailboxFixture) {
    let retention = Span::from_secs(100);
    let mailbox = fixture.mailbox_with(MailboxSettings { retention, ..MailboxSettings::default() }).await;
    for number in 0..150 {
        send_as(&mailbox, &format!("early {number}")).await.expect("the message is accepted");
    }
    fixture.advance(Span::from_secs(50)).await;
    send_as(&mailbox, "late").await.expect("the message is accepted");
    fixture.advance(Span::from_secs(50)).await;
    let found = browse_all(&mailbox, 10).await;
    assert_eq!(found.keys().collect::<Vec<_>>(), [&id("late")]);
    assert!(mailbox.take(&id("early 7"), LEASE).await.expect("the backend is available").is_none());
}

pub(in crate::conformance) async fn a_size_or_cursor_out_of_range_is_rejected(fixture: &MailboxFixture) {
    let mailbox = fixture.mailbox().await;
    for most in [0, 1001] {
        assert_invalid(&mailbox.browse(None, most).await, "number of browsed messages");
    }
    // A cursor of another backend fails or finds nothing that does not exist.
    if let Ok(page) = mailbox.browse(Some(&BrowseCursor("not a cursor".to_owned())), 1).await {
        assert_eq!(page.messages, []);
    }
    assert_invalid(&mailbox.take(&id("a"), Span::from_hours(13)).await, "visibility timeout");
}

pub(in crate::conformance) async fn a_taken_message_is_leased_as_a_received_one(fixture: &MailboxFixture) {
    let mailbox = fixture.mailbox().await;
    for text in ["a", "b", "c"] {
        send_as(&mailbox, text).await.expect("the message is accepted");
    }
    let taken = mailbox.take(&id("b"), LEASE).await.expect("the backend is available").expect("it is pending");
    assert_eq!((&*taken.body, taken.delivery_count, taken.deadline), (&b"b"[..], 1, fixture.after(LEASE)));
    assert_eq!((taken.first_received_at, taken.enqueued_at), (fixture.now(), fixture.now()));
    assert_eq!(counts(&mailbox).await, (2, 1, 0));
    let rest = receive(&mailbox, 10).await;
    assert_eq!(bodies(&rest), ["a", "c"]);
    // A delayed message, too.
    mailbox.nack(&rest[0].handle, NackSpec::after(Span::from_secs(500))).await.expect("the handle is valid");
    let delayed = mailbox.take(&id("a"), LEASE).await.expect("the backend is available").expect("it is delayed");
    assert_eq!((delayed.delivery_count, counts(&mailbox).await), (2, (0, 3, 0)));
    mailbox.acknowledge(&delayed.handle).await.expect("the handle is valid");
    // A taken message is received again when its lease ends.
    fixture.advance(LEASE).await;
    assert_eq!(mailbox.acknowledge(&taken.handle).await, stale(&taken.handle));
    let mut again = bodies(&receive(&mailbox, 10).await).iter().map(|body| (*body).to_owned()).collect::<Vec<_>>();
    again.sort_unstable();
    assert_eq!(again, ["b", "c"]);
    assert_eq!(counts(&mailbox).await, (0, 2, 0));
}

pub(in crate::conformance) async fn a_message_that_is_leased_or_gone_cannot_be_taken(fixture: &MailboxFixture) {
    let mailbox = fixture.mailbox().await;
    send_as(&mailbox, "a").await.expect("the message is accepted");
    let got = receive_one(&mailbox).await;
    assert_eq!(mailbox.take(&id("a"), LEASE).await, Ok(None), "a receiver has it");
    mailbox.acknowledge(&got.handle).await.expect("the refused take changed nothing");
    assert_eq!(mailbox.take(&id("a"), LEASE).await, Ok(None), "it is gone");
    assert_eq!(mailbox.take(&id("never sent"), LEASE).await, Ok(None));
    assert_eq!(counts(&mailbox).await, (0, 0, 0));
}

pub(in crate::conformance) async fn a_taken_message_that_is_released_is_received_again(fixture: &MailboxFixture) {
    let mailbox = fixture.mailbox().await;
    let sent = send(&mailbox, "a").await;
    let taken = mailbox.take(&sent, LEASE).await.expect("the backend is available").expect("it is pending");
    assert_nothing_visible(&mailbox).await;
    mailbox.release(&taken.handle).await.expect("the handle is valid");
    assert_eq!(receive_one(&mailbox).await.delivery_count, 1);
    assert_nothing_visible(&mailbox).await;
}

pub(in crate::conformance) async fn concurrent_takes_lease_a_message_once(fixture: &MailboxFixture) {
    let mailbox = fixture.mailbox().await;
    let sent = send(&mailbox, "a").await;
    let mut takes = JoinSet::new();
    for _ in 0..8 {
        let (mailbox, sent) = (Arc::clone(&mailbox), sent.clone());
        takes.spawn(async move { mailbox.take(&sent, LEASE).await.expect("the backend is available") });
    }
    let taken = takes.join_all().await.into_iter().flatten().count();
    assert_eq!((taken, counts(&mailbox).await), (1, (0, 1, 0)));
}
