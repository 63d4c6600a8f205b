//! The hand-over of messages to a mailbox of letters.

use std::num::NonZeroU64;
use std::sync::Arc;

use redrive_core::Span;

use crate::conformance::FaultyMailbox;
use crate::conformance::fixture::{
    LEASE, MailboxFixture, assert_invalid, counts, letter_about, name, receive_one, send, send_as, stale,
};
use crate::{MailboxError, MailboxSettings, MessageId, NewMessage};

pub(in crate::conformance) async fn a_letter_replaces_its_message(fixture: &MailboxFixture) {
    let (mailbox, letters) = (fixture.mailbox().await, fixture.letters().await);
    send(&mailbox, "a").await;
    fixture.advance(Span::from_secs(5)).await;
    let got = receive_one(&mailbox).await;
    mailbox.dead_letter(&got.handle, letter_about(&got, "letter"), &*letters).await.expect("the handle is valid");
    assert_eq!((counts(&mailbox).await, counts(&letters).await), ((0, 0, 0), (1, 0, 0)));
    let letter = receive_one(&letters).await;
    assert_eq!(letter.id(), &MessageId::of_letter(mailbox.name(), got.id(), got.enqueued_at));
    assert_eq!((&*letter.body, letter.delivery_count, letter.enqueued_at), (&b"letter"[..], 1, fixture.now()));
}

pub(in crate::conformance) async fn a_stale_handle_writes_no_letter(fixture: &MailboxFixture) {
    let letters = fixture.letters().await;
    let (mailbox, got) = fixture.leased("a").await;
    fixture.advance(LEASE).await;
    let late = mailbox.dead_letter(&got.handle, letter_about(&got, "letter"), &*letters).await;
    assert_eq!(late, stale(&got.handle));
    assert_eq!((counts(&mailbox).await, counts(&letters).await), ((1, 0, 0), (0, 0, 0)));
    let again = receive_one(&mailbox).await;
    mailbox.dead_letter(&again.handle, letter_about(&again, "now"), &*letters).await.expect("the handle is valid");
    assert_eq!(&*receive_one(&letters).await.body, b"now");
}

/// The letter was written before, for example by a hand-over in steps that crashed half-way.
pub(in crate::conformance) async fn a_repeated_hand_over_makes_one_letter(fixture: &MailboxFixture) {
    let letters = fixture.letters().await;
    let (mailbox, got) = fixture.leased("a").await;
    letters.send(letter_about(&got, "the first")).await.expect("the letter is accepted");
    mailbox.dead_letter(&got.handle, letter_about(&got, "the second"), &*letters).await.expect("the handle is valid");
    assert_eq!((counts(&mailbox).await, counts(&letters).await), ((0, 0, 0), (1, 0, 0)));
    assert_eq!(&*receive_one(&letters).await.body, b"the first");
}

pub(in crate::conformance) async fn a_full_mailbox_of_letters_keeps_the_lease(fixture: &MailboxFixture) {
    let mailbox = fixture.mailbox().await;
    let full = MailboxSettings { capacity: NonZeroU64::new(1), ..MailboxSettings::of_letters() };
    let letters = fixture.letters_with(full).await;
    send_as(&letters, "an earlier letter").await.expect("the letter is accepted");
    send(&mailbox, "a").await;
    let got = receive_one(&mailbox).await;
    let refused = mailbox.dead_letter(&got.handle, letter_about(&got, "letter"), &*letters).await;
    assert_eq!(refused, Err(MailboxError::Full { mailbox: letters.name().clone(), capacity: 1 }));
    assert_eq!((counts(&mailbox).await, counts(&letters).await), ((0, 1, 0), (1, 0, 0)));
    letters.purge().await.expect("the backend is available");
    mailbox.dead_letter(&got.handle, letter_about(&got, "letter"), &*letters).await.expect("there is space now");
}

pub(in crate::conformance) async fn a_closed_mailbox_of_letters_keeps_the_lease(fixture: &MailboxFixture) {
    let letters = fixture.letters().await;
    let (mailbox, got) = fixture.leased("a").await;
    letters.close();
    let refused = mailbox.dead_letter(&got.handle, letter_about(&got, "letter"), &*letters).await;
    assert_eq!(refused, Err(MailboxError::Closed(letters.name().clone())));
    assert_eq!((counts(&mailbox).await, counts(&letters).await), ((0, 1, 0), (0, 0, 0)));
}

pub(in crate::conformance) async fn a_letter_needs_an_id_and_another_mailbox(fixture: &MailboxFixture) {
    let letters = fixture.letters().await;
    let (mailbox, got) = fixture.leased("a").await;
    assert_invalid(&mailbox.dead_letter(&got.handle, NewMessage::new("letter"), &*letters).await, "letter");
    let to_itself = mailbox.dead_letter(&got.handle, letter_about(&got, "letter"), &*mailbox).await;
    assert_invalid(&to_itself, "mailbox of letters");
    mailbox.acknowledge(&got.handle).await.expect("a rejected hand-over keeps the lease");
}

pub(in crate::conformance) async fn a_letter_that_is_too_large_keeps_the_lease(fixture: &MailboxFixture) {
    let mailbox = fixture.mailbox().await;
    let letters = fixture.letters_with(MailboxSettings { body_bytes_max: 5, ..MailboxSettings::of_letters() }).await;
    send(&mailbox, "a").await;
    let got = receive_one(&mailbox).await;
    assert_invalid(&mailbox.dead_letter(&got.handle, letter_about(&got, "larger"), &*letters).await, "body of");
    mailbox.acknowledge(&got.handle).await.expect("a rejected hand-over keeps the lease");
}

/// The mailbox of letters remembers ids longer than the source does.
pub(in crate::conformance) async fn an_id_that_is_used_again_makes_another_letter(fixture: &MailboxFixture) {
    let (mailbox, letters) = (fixture.mailbox().await, fixture.letters().await);
    for round in 0..2 {
        send_as(&mailbox, "a").await.expect("the message is accepted");
        let got = receive_one(&mailbox).await;
        mailbox.dead_letter(&got.handle, letter_about(&got, "letter"), &*letters).await.expect("the handle is valid");
        assert_eq!((counts(&mailbox).await, counts(&letters).await), ((0, 0, 0), (1, 0, 0)), "in round {round}");
        let letter = receive_one(&letters).await;
        letters.acknowledge(&letter.handle).await.expect("the handle is valid");
        fixture.advance(Span::from_days(7)).await;
    }
}

pub(in crate::conformance) async fn a_letter_keeps_its_reply_to(fixture: &MailboxFixture) {
    let letters = fixture.letters().await;
    let (mailbox, got) = fixture.leased("a").await;
    let letter = NewMessage { reply_to: Some(name("replies")), ..letter_about(&got, "letter") };
    mailbox.dead_letter(&got.handle, letter, &*letters).await.expect("the handle is valid");
    assert_eq!(receive_one(&letters).await.reply_to.as_deref(), Some("replies"));
}

/// A faulty mailbox is not recognised by any backend.
pub(in crate::conformance) async fn a_hand_over_to_another_backend_makes_one_letter(fixture: &MailboxFixture) {
    let (mailbox, letters) = (fixture.mailbox().await, fixture.letters().await);
    let foreign = FaultyMailbox::new(Arc::clone(&letters));
    send(&mailbox, "a").await;
    let got = receive_one(&mailbox).await;
    // The letter is written, and its confirmation lost.
    foreign.lose_next_answers(1);
    let lost = mailbox.dead_letter(&got.handle, letter_about(&got, "letter"), &foreign).await;
    assert!(matches!(lost, Err(MailboxError::Connection { .. })), "{lost:?}");
    assert_eq!((counts(&mailbox).await, counts(&letters).await), ((0, 1, 0), (1, 0, 0)));
    mailbox.dead_letter(&got.handle, letter_about(&got, "letter"), &foreign).await.expect("the handle is valid");
    assert_eq!((counts(&mailbox).await, counts(&letters).await), ((0, 0, 0), (1, 0, 0)));
    let stale_now = mailbox.dead_letter(&got.handle, letter_about(&got, "letter"), &foreign).await;
    assert_eq!(stale_now, stale(&got.handle));
}

pub(in crate::conformance) async fn a_failed_hand_over_to_another_backend_keeps_the_lease(fixture: &MailboxFixture) {
    let (mailbox, letters) = (fixture.mailbox().await, fixture.letters().await);
    let foreign = FaultyMailbox::new(Arc::clone(&letters));
    send(&mailbox, "a").await;
    let got = receive_one(&mailbox).await;
    foreign.refuse_sends(true);
    let failed = mailbox.dead_letter(&got.handle, letter_about(&got, "letter"), &foreign).await;
    assert!(matches!(failed, Err(MailboxError::Connection { .. })), "{failed:?}");
    assert_eq!((counts(&mailbox).await, counts(&letters).await), ((0, 1, 0), (0, 0, 0)));
}
