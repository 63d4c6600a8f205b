//! Acknowledging, returning and releasing messages.

use redrive_core::Span;

use crate::conformance::fixture::{
    LEASE, MailboxFixture, SharedMailbox, assert_invalid, assert_nothing_visible, bodies, counts, letter_about,
    receive, receive_one, send, send_all, stale,
};
use crate::{LeaseExtension, NackSpec, RawMessage, Verdict};

const DELAY: Span = Span::from_secs(10);

pub(in crate::conformance) async fn an_acknowledged_message_is_gone(fixture: &MailboxFixture) {
    let (mailbox, got) = fixture.leased("a").await;
    mailbox.acknowledge(&got.handle).await.expect("the handle is valid");
    assert_eq!(counts(&mailbox).await, (0, 0, 0));
    fixture.advance(LEASE).await;
    assert_nothing_visible(&mailbox).await;
}

pub(in crate::conformance) async fn a_returned_message_is_visible_at_once_at_the_tail(fixture: &MailboxFixture) {
    let mailbox = fixture.mailbox().await;
    send_all(&mailbox, ["a", "b", "c"]).await;
    let got = receive_one(&mailbox).await;
    mailbox.nack(&got.handle, NackSpec::default()).await.expect("the handle is valid");
    let all = receive(&mailbox, 10).await;
    assert_eq!(bodies(&all), ["b", "c", "a"]);
    assert_eq!(all[2].delivery_count, 2);
}

pub(in crate::conformance) async fn a_delayed_message_is_not_early_and_has_no_valid_handle(fixture: &MailboxFixture) {
    let (mailbox, got) = fixture.leased("a").await;
    mailbox.nack(&got.handle, NackSpec::after(DELAY)).await.expect("the handle is valid");
    assert_eq!(counts(&mailbox).await, (0, 0, 1));
    assert_stale(fixture, &mailbox, &got).await;
    fixture.advance(DELAY.saturating_sub(Span::from_micros(1))).await;
    assert_nothing_visible(&mailbox).await;
    fixture.advance(Span::from_micros(1)).await;
    assert_eq!(receive_one(&mailbox).await.delivery_count, 2);
}

pub(in crate::conformance) async fn a_return_keeps_error_and_verdict_until_they_are_replaced(fixture: &MailboxFixture) {
    let mailbox = fixture.mailbox().await;
    send(&mailbox, "a").await;
    let mut expected = (None, None);
    let steps = [
        (Some("first"), None),
        (None, None),
        (Some("second: ü"), Some(Verdict::failed("quota.exceeded", 2))),
        (None, None),
        (Some(""), None),
    ];
    for (error, verdict) in steps {
        let got = receive_one(&mailbox).await;
        assert_eq!((got.last_error.as_deref(), got.verdict), expected.clone());
        expected = (error.or(expected.0), verdict.clone().or(expected.1));
        let spec = NackSpec { last_error: error.map(str::to_owned), verdict, ..NackSpec::default() };
        mailbox.nack(&got.handle, spec).await.expect("the handle is valid");
    }
    let got = receive_one(&mailbox).await;
    assert_eq!((got.last_error.as_deref(), got.verdict), (Some(""), Some(Verdict::failed("quota.exceeded", 2))));
}

pub(in crate::conformance) async fn an_uncharged_return_is_counted_separately(fixture: &MailboxFixture) {
    let mailbox = fixture.mailbox().await;
    send(&mailbox, "a").await;
    let mut expected = (1, 0);
    for charge in [false, true, false, false, true] {
        let got = receive_one(&mailbox).await;
        assert_eq!((got.delivery_count, got.uncharged), expected);
        mailbox.nack(&got.handle, NackSpec { charge, ..NackSpec::default() }).await.expect("the handle is valid");
        expected = (expected.0 + 1, expected.1 + u32::from(!charge));
    }
    assert_eq!(receive_one(&mailbox).await.attempt(), 3);
}

pub(in crate::conformance) async fn a_long_error_is_cut_at_a_character(fixture: &MailboxFixture) {
    let (mailbox, got) = fixture.leased("a").await;
    let error = format!("x{}", "ü".repeat(NackSpec::ERROR_BYTES_MAX));
    mailbox.nack(&got.handle, NackSpec { last_error: Some(error), ..NackSpec::default() }).await.expect("accepted");
    let kept = receive_one(&mailbox).await.last_error.expect("the error is kept");
    assert_eq!(kept.len(), NackSpec::ERROR_BYTES_MAX - 1);
    assert!(kept.starts_with("xüü"));
}

pub(in crate::conformance) async fn a_delay_out_of_range_is_rejected(fixture: &MailboxFixture) {
    let (mailbox, got) = fixture.leased("a").await;
    let delay = NackSpec::DELAY_MAX.saturating_add(Span::from_micros(1));
    assert_invalid(&mailbox.nack(&got.handle, NackSpec::after(delay)).await, "delay");
    mailbox.acknowledge(&got.handle).await.expect("a rejected return keeps the lease");
}

pub(in crate::conformance) async fn a_release_restores_the_count_and_the_place(fixture: &MailboxFixture) {
    let mailbox = fixture.mailbox().await;
    send_all(&mailbox, ["a", "b", "c"]).await;
    let got = receive(&mailbox, 2).await;
    for message in got.iter().rev() {
        mailbox.release(&message.handle).await.expect("the handle is valid");
    }
    fixture.advance(Span::from_secs(1)).await;
    let again = receive(&mailbox, 10).await;
    assert_eq!(bodies(&again), ["a", "b", "c"]);
    for message in &again {
        assert_eq!((message.delivery_count, message.first_received_at), (1, fixture.now()));
    }
    mailbox.nack(&again[0].handle, NackSpec { charge: false, ..NackSpec::default() }).await.expect("valid");
    let second = receive_one(&mailbox).await;
    mailbox.release(&second.handle).await.expect("the handle is valid");
    let third = receive_one(&mailbox).await;
    assert_eq!((third.delivery_count, third.uncharged), (2, 1));
    assert_eq!(third.first_received_at, again[0].first_received_at, "an earlier delivery is not undone");
}

pub(in crate::conformance) async fn an_expired_handle_settles_nothing(fixture: &MailboxFixture) {
    let (mailbox, first) = fixture.leased("a").await;
    fixture.advance(LEASE).await;
    assert_stale(fixture, &mailbox, &first).await;
    let second = receive_one(&mailbox).await;
    assert_eq!((second.delivery_count, &second.last_error), (2, &None));
    assert_stale(fixture, &mailbox, &first).await;
    mailbox.acknowledge(&second.handle).await.expect("a stale handle does not affect the holder");
}

pub(in crate::conformance) async fn every_settlement_invalidates_its_handle(fixture: &MailboxFixture) {
    let mailbox = fixture.mailbox().await;
    let letters = fixture.letters().await;
    for kind in 0..6 {
        send(&mailbox, "a").await;
        let got = receive_one(&mailbox).await;
        let settled = match kind {
            0 => mailbox.acknowledge(&got.handle).await,
            1 => mailbox.nack(&got.handle, NackSpec::default()).await,
            2 => mailbox.nack(&got.handle, NackSpec::after(DELAY)).await,
            3 => mailbox.release(&got.handle).await,
            4 => mailbox.dead_letter(&got.handle, letter_about(&got, "l"), &*letters).await,
            _ => mailbox.purge().await.map(|_| ()),
        };
        settled.expect("the handle is valid");
        assert_stale(fixture, &mailbox, &got).await;
        mailbox.purge().await.expect("the backend is available");
    }
}

/// Asserts that every verb refuses the handle and changes nothing.
pub(super) async fn assert_stale(fixture: &MailboxFixture, mailbox: &SharedMailbox, got: &RawMessage) {
    let letters = fixture.letters().await;
    let before = (counts(mailbox).await, counts(&letters).await);
    let handle = &got.handle;
    assert_eq!(mailbox.acknowledge(handle).await, stale(handle));
    let spec = NackSpec { last_error: Some("stale".to_owned()), ..NackSpec::after(DELAY) };
    assert_eq!(mailbox.nack(handle, spec).await, stale(handle));
    assert_eq!(mailbox.release(handle).await, stale(handle));
    assert_eq!(mailbox.extend(handle, LeaseExtension::exactly(DELAY)).await, stale(handle));
    assert_eq!(mailbox.dead_letter(handle, letter_about(got, "stale"), &*letters).await, stale(handle));
    assert_eq!((counts(mailbox).await, counts(&letters).await), before, "a stale handle changed something");
}
