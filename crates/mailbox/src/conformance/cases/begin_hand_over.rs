//! The beginning of a hand-over.

use redrive_core::Span;

use crate::conformance::fixture::{LEASE, MailboxFixture, assert_invalid, assert_nothing_visible, receive_one, stale};
use crate::{HandOverSpec, Verdict};

fn spec(lease: Span) -> HandOverSpec {
    HandOverSpec { lease, error: "no such order: ü".to_owned(), verdict: Verdict::failed("validation.order", 2) }
}

pub(in crate::conformance) async fn a_message_whose_hand_over_began_is_delivered_for_the_rest_of_it(
    fixture: &MailboxFixture,
) {
    let (mailbox, got) = fixture.leased("a").await;
    mailbox.begin_hand_over(&got.handle, spec(Span::ZERO)).await.expect("the handle is valid");
    fixture.advance(LEASE).await;
    let again = receive_one(&mailbox).await;
    assert_eq!(again.last_error.as_deref(), Some("no such order: ü"));
    assert_eq!(again.verdict, Some(Verdict::failed("validation.order", 2)));
    assert_eq!((again.delivery_count, again.uncharged, &again.body), (2, 0, &got.body));
    mailbox.acknowledge(&again.handle).await.expect("the handle is valid");
}

pub(in crate::conformance) async fn a_hand_over_begins_with_a_lease_that_lasts(fixture: &MailboxFixture) {
    let (mailbox, got) = fixture.leased("a").await;
    let shorter = mailbox.begin_hand_over(&got.handle, spec(Span::from_secs(1))).await;
    assert_eq!(shorter, Ok(got.deadline), "a lease is never shortened");
    let longer = Span::from_secs(100);
    assert_eq!(mailbox.begin_hand_over(&got.handle, spec(longer)).await, Ok(fixture.after(longer)));
    assert_invalid(&mailbox.begin_hand_over(&got.handle, spec(Span::from_hours(13))).await, "visibility timeout");
    fixture.advance(longer.saturating_sub(Span::from_micros(1))).await;
    assert_nothing_visible(&mailbox).await;
    mailbox.acknowledge(&got.handle).await.expect("the lease still lasts");
}

pub(in crate::conformance) async fn a_stale_handle_begins_no_hand_over(fixture: &MailboxFixture) {
    let (mailbox, got) = fixture.leased("a").await;
    fixture.advance(LEASE).await;
    assert_eq!(mailbox.begin_hand_over(&got.handle, spec(LEASE)).await, stale(&got.handle));
    let again = receive_one(&mailbox).await;
    assert_eq!((again.verdict, again.last_error), (None, None));
}
