//! Counting, purging and closing.

use redrive_core::Span;

use crate::conformance::fixture::{
    LEASE, MailboxFixture, SharedMailbox, assert_nothing_visible, bodies, counts, letter_about, receive, receive_one,
    send, send_all, send_as, stale,
};
use crate::{LeaseExtension, MailboxError, NackSpec, NewMessage, RawMessage};

/// One pending, two leased and three delayed messages. Returns the leased ones.
async fn in_every_state(mailbox: &SharedMailbox) -> Vec<RawMessage> {
    for number in 0..6 {
        send_as(mailbox, &number.to_string()).await.expect("the message is accepted");
    }
    let mut got = receive(mailbox, 5).await;
    for message in got.drain(2..) {
        let spec = NackSpec { last_error: Some("e".to_owned()), charge: false, ..NackSpec::after(LEASE) };
        mailbox.nack(&message.handle, spec).await.expect("the handle is valid");
    }
    got
}

pub(in crate::conformance) async fn counts_have_three_parts(fixture: &MailboxFixture) {
    let mailbox = fixture.mailbox().await;
    assert_eq!(counts(&mailbox).await, (0, 0, 0));
    in_every_state(&mailbox).await;
    assert_eq!(counts(&mailbox).await, (1, 2, 3));
    assert_eq!(mailbox.counts().await.map(|counts| counts.total()), Ok(6));
    fixture.advance(LEASE).await;
    assert_eq!(counts(&mailbox).await, (6, 0, 0), "what is due is visible");
}

pub(in crate::conformance) async fn a_purge_removes_messages_in_every_state(fixture: &MailboxFixture) {
    let mailbox = fixture.mailbox().await;
    let leased = in_every_state(&mailbox).await;
    assert_eq!(mailbox.purge().await, Ok(6));
    assert_eq!(mailbox.purge().await, Ok(0));
    assert_eq!(counts(&mailbox).await, (0, 0, 0));
    for message in &leased {
        assert_eq!(mailbox.acknowledge(&message.handle).await, stale(&message.handle));
    }
    fixture.advance(Span::from_hours(1)).await;
    assert_nothing_visible(&mailbox).await;
    send(&mailbox, "new").await;
    assert_eq!(bodies(&receive(&mailbox, 10).await), ["new"]);
}

pub(in crate::conformance) async fn a_purge_leaves_nothing_behind(fixture: &MailboxFixture) {
    let mailbox = fixture.mailbox().await;
    in_every_state(&mailbox).await;
    assert!(!fixture.stored(mailbox.name()).await.is_empty());
    mailbox.purge().await.expect("the backend is available");
    assert_eq!(fixture.stored(mailbox.name()).await, [] as [&str; 0]);
}

pub(in crate::conformance) async fn acknowledged_messages_leave_nothing_behind(fixture: &MailboxFixture) {
    let (mailbox, letters) = (fixture.mailbox().await, fixture.letters().await);
    for round in 0..3 {
        send(&mailbox, "a").await;
        let got = receive_one(&mailbox).await;
        let spec = NackSpec { last_error: Some("e".to_owned()), charge: false, ..NackSpec::default() };
        mailbox.nack(&got.handle, spec).await.expect("the handle is valid");
        let got = receive_one(&mailbox).await;
        if round == 0 {
            mailbox.dead_letter(&got.handle, letter_about(&got, "l"), &*letters).await.expect("the handle is valid");
        } else {
            mailbox.acknowledge(&got.handle).await.expect("the handle is valid");
        }
    }
    assert_nothing_visible(&mailbox).await;
    assert_eq!(fixture.stored(mailbox.name()).await, [] as [&str; 0]);
}

pub(in crate::conformance) async fn a_closed_mailbox_sends_and_receives_nothing(fixture: &MailboxFixture) {
    let mailbox = fixture.mailbox().await;
    send(&mailbox, "a").await;
    assert!(!mailbox.is_closed());
    mailbox.close();
    mailbox.close();
    assert!(mailbox.is_closed());
    assert_nothing_visible(&mailbox).await;
    let closed = Err(MailboxError::Closed(mailbox.name().clone()));
    assert_eq!(mailbox.send(NewMessage::new("b")).await, closed);
    assert_eq!(send_as(&mailbox, "b").await, closed);
    assert_eq!(counts(&mailbox).await, (1, 0, 0));
}

pub(in crate::conformance) async fn a_closed_mailbox_settles_what_is_held(fixture: &MailboxFixture) {
    let (mailbox, letters) = (fixture.mailbox().await, fixture.letters().await);
    send_all(&mailbox, ["a", "b", "c", "d"]).await;
    let got = receive(&mailbox, 10).await;
    mailbox.close();
    mailbox.extend(&got[0].handle, LeaseExtension::to(LEASE)).await.expect("the handle is valid");
    mailbox.acknowledge(&got[0].handle).await.expect("the handle is valid");
    mailbox.nack(&got[1].handle, NackSpec::default()).await.expect("the handle is valid");
    mailbox.release(&got[2].handle).await.expect("the handle is valid");
    mailbox.dead_letter(&got[3].handle, letter_about(&got[3], "l"), &*letters).await.expect("the handle is valid");
    assert_eq!((counts(&mailbox).await, counts(&letters).await), ((2, 0, 0), (1, 0, 0)));
}

pub(in crate::conformance) async fn closing_one_object_leaves_others_open(fixture: &MailboxFixture) {
    let (one, other) = (fixture.mailbox().await, fixture.mailbox().await);
    let waiter = fixture.wait(&other, crate::conformance::fixture::waiting(Span::from_hours(1))).await;
    one.close();
    fixture.let_run().await;
    assert!(!waiter.is_finished(), "the receive of another object returned");
    send(&other, "a").await;
    assert_eq!(bodies(&fixture.received(waiter).await), ["a"]);
    let replies = fixture.replies().await;
    assert_nothing_visible(&replies).await;
}
