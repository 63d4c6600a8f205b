//! The deadline of a lease.

use redrive_core::Span;

use crate::conformance::fixture::{
    LEASE, MailboxFixture, assert_invalid, assert_nothing_visible, receive_one, send, stale,
};
use crate::{LeaseExtension, ReceiveSpec};

const INSTANT: Span = Span::from_micros(1);

pub(in crate::conformance) async fn h_an_extension_with_a_smaller_value_keeps_the_deadline(fixture: &MailboxFixture) {
    let mailbox = fixture.mailbox().await;
    send(&mailbox, "a").await;
    let spec = ReceiveSpec { visibility: Span::from_secs(1800), ..ReceiveSpec::default() };
    let got = mailbox.receive(spec).await.expect("available").remove(0);
    for smaller in [Span::ZERO, Span::from_secs(300)] {
        assert_eq!(mailbox.extend(&got.handle, LeaseExtension::to(smaller)).await, Ok(got.deadline));
    }
    fixture.advance(Span::from_secs(1800).saturating_sub(INSTANT)).await;
    assert_nothing_visible(&mailbox).await;
    mailbox.acknowledge(&got.handle).await.expect("the lease still lasts");
}

pub(in crate::conformance) async fn h_an_explicit_shortening_takes_effect(fixture: &MailboxFixture) {
    let (mailbox, got) = fixture.leased("a").await;
    let sooner = Span::from_secs(2);
    let extended = mailbox.extend(&got.handle, LeaseExtension::exactly(sooner)).await;
    assert_eq!(extended, Ok(fixture.after(sooner)));
    fixture.advance(sooner).await;
    assert_eq!(receive_one(&mailbox).await.delivery_count, 2);
    assert_eq!(mailbox.acknowledge(&got.handle).await, stale(&got.handle));
}

pub(in crate::conformance) async fn an_extension_counts_from_now_and_is_not_additive(fixture: &MailboxFixture) {
    let (mailbox, got) = fixture.leased("a").await;
    fixture.advance(Span::from_secs(10)).await;
    for _ in 0..3 {
        let extended = mailbox.extend(&got.handle, LeaseExtension::to(LEASE)).await;
        assert_eq!(extended, Ok(fixture.after(LEASE)));
    }
}

pub(in crate::conformance) async fn an_extension_out_of_range_is_rejected(fixture: &MailboxFixture) {
    let (mailbox, got) = fixture.leased("a").await;
    let timeout = Span::from_hours(12).saturating_add(INSTANT);
    for extension in [LeaseExtension::to(timeout), LeaseExtension::exactly(timeout)] {
        assert_invalid(&mailbox.extend(&got.handle, extension).await, "visibility timeout");
    }
    assert_eq!(mailbox.extend(&got.handle, LeaseExtension::to(Span::ZERO)).await, Ok(got.deadline));
}

pub(in crate::conformance) async fn an_extended_message_is_invisible_until_its_new_deadline(fixture: &MailboxFixture) {
    let (mailbox, got) = fixture.leased("a").await;
    fixture.advance(LEASE.saturating_sub(INSTANT)).await;
    mailbox.extend(&got.handle, LeaseExtension::to(LEASE)).await.expect("the lease still lasts");
    fixture.advance(LEASE.saturating_sub(INSTANT)).await;
    assert_nothing_visible(&mailbox).await;
    fixture.advance(INSTANT).await;
    assert_eq!(receive_one(&mailbox).await.delivery_count, 2);
}
