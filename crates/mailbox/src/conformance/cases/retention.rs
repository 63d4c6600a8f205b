//! How long messages are kept.

use std::num::NonZeroU64;

use redrive_core::Span;

use crate::conformance::fixture::{
    LEASE, MailboxFixture, assert_nothing_visible, at_most, bodies, counts, letter_about, receive, receive_one, send,
    send_all, send_as, stale,
};
use crate::{HandOverSpec, MailboxSettings, NackSpec, NewMessage, ReceiveSpec, Verdict};

const KEPT: Span = Span::from_secs(100);
const INSTANT: Span = Span::from_micros(1);

fn kept() -> MailboxSettings {
    MailboxSettings { retention: KEPT, ..MailboxSettings::default() }
}

pub(in crate::conformance) async fn i_letters_outlive_the_retention_of_their_source(fixture: &MailboxFixture) {
    let mailbox = fixture.mailbox_with(kept()).await;
    let letters = fixture.letters().await;
    send(&mailbox, "a").await;
    let got = receive_one(&mailbox).await;
    mailbox.dead_letter(&got.handle, letter_about(&got, "letter"), &*letters).await.expect("the handle is valid");
    fixture.advance(Span::from_days(30).saturating_sub(INSTANT)).await;
    assert_eq!(counts(&letters).await, (1, 0, 0));
    fixture.advance(INSTANT).await;
    assert_nothing_visible(&letters).await;
    assert_eq!(counts(&letters).await, (0, 0, 0));
}

pub(in crate::conformance) async fn i_expiry_is_per_message(fixture: &MailboxFixture) {
    let mailbox = fixture.mailbox_with(kept()).await;
    for body in ["0", "40", "80"] {
        send(&mailbox, body).await;
        fixture.advance(Span::from_secs(40)).await;
    }
    // It is 120: the first has expired, although the mailbox was used since.
    assert_eq!(counts(&mailbox).await, (2, 0, 0));
    fixture.advance(Span::from_secs(20)).await;
    let left = receive(&mailbox, 10).await;
    assert_eq!(bodies(&left), ["80"]);
}

pub(in crate::conformance) async fn a_leased_message_does_not_expire(fixture: &MailboxFixture) {
    let mailbox = fixture.mailbox_with(kept()).await;
    send(&mailbox, "acked").await;
    send(&mailbox, "lost").await;
    let spec = ReceiveSpec { visibility: Span::from_secs(500), ..at_most(10) };
    let got = mailbox.receive(spec).await.expect("available");
    fixture.advance(Span::from_secs(499)).await;
    assert_nothing_visible(&mailbox).await;
    assert_eq!(counts(&mailbox).await, (0, 2, 0));
    mailbox.acknowledge(&got[0].handle).await.expect("the lease still lasts");
    fixture.advance(Span::from_secs(1)).await;
    assert_eq!(counts(&mailbox).await, (0, 0, 0), "it expires with its lease");
    assert_eq!(mailbox.acknowledge(&got[1].handle).await, stale(&got[1].handle));
    assert_nothing_visible(&mailbox).await;
}

pub(in crate::conformance) async fn a_message_that_is_returned_after_its_retention_is_gone(fixture: &MailboxFixture) {
    let mailbox = fixture.mailbox_with(kept()).await;
    send_all(&mailbox, ["nacked", "delayed", "released"]).await;
    let spec = ReceiveSpec { visibility: Span::from_secs(500), ..at_most(10) };
    let got = mailbox.receive(spec).await.expect("available");
    fixture.advance(KEPT).await;
    mailbox.nack(&got[0].handle, NackSpec::default()).await.expect("the lease still lasts");
    mailbox.nack(&got[1].handle, NackSpec::after(LEASE)).await.expect("the lease still lasts");
    mailbox.release(&got[2].handle).await.expect("the lease still lasts");
    assert_eq!(counts(&mailbox).await, (0, 0, 0));
    assert_nothing_visible(&mailbox).await;
}

/// Until its letter exists, it is the only trace of the failure.
pub(in crate::conformance) async fn a_message_that_waits_for_its_hand_over_does_not_expire(fixture: &MailboxFixture) {
    let mailbox = fixture.mailbox_with(kept()).await;
    send_all(&mailbox, ["delayed", "returned late", "lease ended", "without a verdict"]).await;
    let spec = ReceiveSpec { visibility: Span::from_secs(500), ..at_most(10) };
    let got = mailbox.receive(spec).await.expect("available");
    let failed = |delay| NackSpec { verdict: Some(Verdict::failed("quota", 5)), ..NackSpec::after(delay) };
    mailbox.nack(&got[0].handle, failed(LEASE)).await.expect("the lease lasts");
    let begin = HandOverSpec { lease: LEASE, error: "no".to_owned(), verdict: Verdict::failed("quota", 5) };
    mailbox.begin_hand_over(&got[2].handle, begin).await.expect("the lease lasts");
    fixture.advance(Span::from_secs(400)).await;
    mailbox.nack(&got[1].handle, failed(Span::ZERO)).await.expect("the lease lasts");
    mailbox.nack(&got[3].handle, NackSpec::default()).await.expect("the lease lasts");
    fixture.advance(Span::from_secs(400)).await;
    assert_eq!(counts(&mailbox).await, (3, 0, 0));
    let browsed = mailbox.browse(None, 100).await.expect("available").messages;
    assert_eq!(browsed.len(), 3, "{browsed:?}");
    // Whatever became of it since, it keeps its verdict.
    for round in 0..2 {
        let again = receive(&mailbox, 10).await;
        let mut found = bodies(&again);
        found.sort_unstable();
        assert_eq!(found, ["delayed", "lease ended", "returned late"], "round {round}");
        for message in &again {
            assert_eq!(message.verdict, Some(Verdict::failed("quota", 5)));
            mailbox.release(&message.handle).await.expect("the lease lasts");
        }
        fixture.advance(KEPT).await;
    }
    let taken = mailbox.take(&browsed[0].id, LEASE).await.expect("available").expect("it is there");
    mailbox.acknowledge(&taken.handle).await.expect("the lease lasts");
    assert_eq!(counts(&mailbox).await, (2, 0, 0));
    assert_eq!(mailbox.purge().await, Ok(2));
}

pub(in crate::conformance) async fn a_delayed_message_expires(fixture: &MailboxFixture) {
    let mailbox = fixture.mailbox_with(kept()).await;
    send(&mailbox, "a").await;
    let got = receive_one(&mailbox).await;
    mailbox.nack(&got.handle, NackSpec::after(Span::from_secs(1000))).await.expect("the handle is valid");
    fixture.advance(KEPT.saturating_sub(INSTANT)).await;
    assert_eq!(counts(&mailbox).await, (0, 0, 1));
    fixture.advance(INSTANT).await;
    assert_eq!(counts(&mailbox).await, (0, 0, 0));
    fixture.advance(Span::from_secs(1000)).await;
    assert_nothing_visible(&mailbox).await;
}

pub(in crate::conformance) async fn an_expired_message_makes_room(fixture: &MailboxFixture) {
    let mailbox = fixture.mailbox_with(MailboxSettings { capacity: NonZeroU64::new(1), ..kept() }).await;
    send(&mailbox, "a").await;
    assert!(mailbox.send(NewMessage::new("b")).await.is_err());
    fixture.advance(KEPT).await;
    send(&mailbox, "b").await;
    assert_eq!(bodies(&receive(&mailbox, 10).await), ["b"]);
}

/// More than a backend may remove in one step.
pub(in crate::conformance) async fn of_many_messages_that_expire_at_once_none_is_delivered(fixture: &MailboxFixture) {
    let mailbox = fixture.mailbox_with(kept()).await;
    send_all(&mailbox, (0..250).map(|number| number.to_string())).await;
    let spec = ReceiveSpec { visibility: Span::from_secs(1), ..at_most(10) };
    for _ in 0..2 {
        assert_eq!(mailbox.receive(spec).await.map(|got| got.len()), Ok(10));
    }
    fixture.advance(KEPT).await;
    send(&mailbox, "fresh").await;
    assert_eq!(bodies(&receive(&mailbox, 10).await), ["fresh"]);
    assert_nothing_visible(&mailbox).await;
    assert_eq!(counts(&mailbox).await, (0, 1, 0));
}

/// More leases than a backend ends in one step, and all of their messages expire with them.
pub(in crate::conformance) async fn a_message_behind_many_that_expire_with_their_leases_is_delivered(
    fixture: &MailboxFixture,
) {
    let mailbox = fixture.mailbox_with(kept()).await;
    send_all(&mailbox, (0..101).map(|number| number.to_string())).await;
    let spec = |secs| ReceiveSpec { visibility: Span::from_secs(secs), ..at_most(10) };
    for _ in 0..11 {
        mailbox.receive(spec(60)).await.expect("available");
    }
    fixture.advance(Span::from_secs(50)).await;
    send(&mailbox, "fresh").await;
    assert_eq!(bodies(&mailbox.receive(spec(20)).await.expect("available")), ["fresh"]);
    fixture.advance(Span::from_secs(50)).await;
    assert_eq!(counts(&mailbox).await, (1, 0, 0));
    assert_eq!(bodies(&receive(&mailbox, 10).await), ["fresh"]);
}

/// The lease of the message that expires is the last one to end.
pub(in crate::conformance) async fn a_message_that_expires_behind_many_ended_leases_makes_room(
    fixture: &MailboxFixture,
) {
    let mailbox = fixture.mailbox_with(MailboxSettings { capacity: NonZeroU64::new(101), ..kept() }).await;
    let spec = |secs| ReceiveSpec { visibility: Span::from_secs(secs), ..at_most(10) };
    send(&mailbox, "old").await;
    mailbox.receive(spec(90)).await.expect("available");
    fixture.advance(Span::from_secs(50)).await;
    send_all(&mailbox, (0..100).map(|number| number.to_string())).await;
    for _ in 0..10 {
        assert_eq!(mailbox.receive(spec(1)).await.map(|got| got.len()), Ok(10));
    }
    fixture.advance(Span::from_secs(50)).await;
    send(&mailbox, "fresh").await;
    assert_eq!(counts(&mailbox).await, (101, 0, 0));
}

pub(in crate::conformance) async fn a_retention_of_zero_keeps_messages(fixture: &MailboxFixture) {
    let mailbox = fixture.mailbox_with(MailboxSettings { retention: Span::ZERO, ..kept() }).await;
    send(&mailbox, "a").await;
    send_as(&mailbox, "b").await.expect("the message is accepted");
    fixture.advance(Span::from_days(1000)).await;
    assert_eq!(bodies(&receive(&mailbox, 10).await), ["a", "b"]);
}

/// What an expired message leaves behind must not affect a new message with its id.
pub(in crate::conformance) async fn an_id_that_expired_may_be_sent_again(fixture: &MailboxFixture) {
    let mailbox = fixture.mailbox_with(kept()).await;
    for round in 0..3 {
        send_as(&mailbox, "a").await.expect("the message is accepted");
        fixture.advance(KEPT).await;
        assert_eq!(counts(&mailbox).await, (0, 0, 0), "in round {round}");
    }
    send_as(&mailbox, "a").await.expect("the message is accepted");
    send(&mailbox, "other").await;
    let got = receive(&mailbox, 10).await;
    assert_eq!(got.len(), 2, "{got:?}");
    assert_eq!(got.iter().map(|message| message.delivery_count).collect::<Vec<_>>(), [1, 1]);
    assert_nothing_visible(&mailbox).await;
    for message in &got {
        mailbox.acknowledge(&message.handle).await.expect("the handle is valid");
    }
    assert_eq!(fixture.stored(mailbox.name()).await, [] as [&str; 0]);
}

/// Without any other operation in between, and among more messages than a backend removes in one step.
pub(in crate::conformance) async fn an_id_may_be_sent_again_as_soon_as_it_expires(fixture: &MailboxFixture) {
    const IDS: [&str; 3] = ["x-pending", "x-leased", "x-delayed"];
    let mailbox = fixture.mailbox_with(kept()).await;
    for id in IDS {
        send_as(&mailbox, id).await.expect("the message is accepted");
    }
    let got = receive(&mailbox, 10).await;
    mailbox.release(&got[0].handle).await.expect("the handle is valid");
    mailbox.nack(&got[2].handle, NackSpec::after(Span::from_secs(500))).await.expect("the handle is valid");
    send_all(&mailbox, (0..150).map(|number| number.to_string())).await;
    fixture.advance(KEPT).await;
    for id in IDS {
        send_as(&mailbox, id).await.expect("the message is accepted");
    }
    assert_eq!(bodies(&receive(&mailbox, 10).await), IDS);
    assert_eq!(counts(&mailbox).await, (0, 3, 0));
}
